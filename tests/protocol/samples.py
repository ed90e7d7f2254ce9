"""One good message of every type, by one person."""

from __future__ import annotations

from wasabi_protocol.signed import messages as m

from tests.protocol.sessions import identity, secret, terms

ME = identity("sample")
GID = secret("gid")
PREV = secret("prev")
TABLE = "abcdefghijklmnopqrstuvwx23"
HEADER = (GID, 1, 7, 2, PREV)
QUOTED = b"\x01" * 90

SAMPLES: tuple[m.Message, ...] = (
    m.Offer(TABLE, ME.key, secret("salt"), 3, terms(), b"", "koi", 2, False),
    m.Closed(TABLE, ME.key, 4),
    m.Birth(ME.key, b"n" * 16, "Ana"),
    m.Off(ME.key, b"n" * 16),
    m.Say(TABLE, ME.key, 5, "ciao ★"),
    m.Knock(TABLE, ME.key, secret("box"), 6, "Ana", False),
    m.Knocked(TABLE, ME.key, secret("other"), secret("box"), b"s" * 120),
    m.Seek(TABLE, ME.key, 6, secret("terms")),
    m.Join(TABLE, ME.key, secret("terms"), secret("commit"), "Ana", b"", b""),
    m.Seated(TABLE, ME.key, 7, (ME.key, secret("other")), (secret("away"),)),
    m.Genesis(TABLE, ME.key, secret("salt"), 1, terms(), b"", ((ME.key, QUOTED), (secret("other"), QUOTED))),
    m.Accept(GID, 1),
    m.Start(GID, ME.key, (QUOTED, QUOTED)),
    m.Keys(*HEADER, [secret("x"), b"p" * 64], secret("nonce")),
    m.Carry(*HEADER, [[b"c" * 64, b"p" * 96]]),
    m.Shuffle(*HEADER, [b"o" * 128, b"p" * 544]),
    m.Multiply(*HEADER, [secret("z"), b"i" * 128, b"p" * 96]),
    m.Tags(*HEADER, [b"s" * 64, b"p" * 96]),
    m.Shares(*HEADER, [b"s" * 64, b"p" * 96]),
    m.Bundle(*HEADER, ("place Tu d3", "pass"), [["draw", 1, 2]], (QUOTED,), secret("digest")),
    m.Leave(*HEADER, [[], b"s" * 64, b"p" * 96], True, secret("digest")),
    m.End(*HEADER, secret("digest"), (3, -1, 4), False, []),
    m.Wish(GID, 2, "leave"),
    m.Ballot(GID, 1, 6, 2, PREV, 1, 0, "person"),
    m.Pledge(GID, 1, 6, 2, PREV, 1, 4),
    m.Abandon(GID, 6, 1, PREV),
    m.Blame(GID, ME.key, 1, (QUOTED, QUOTED)),
    m.Head(GID, 2, 6, PREV, b"r" * 16, 9, b"s" * 16),
    m.Doing(TABLE, ME.key, b"r" * 16, 8, 7, "composing"),
    m.Ask(TABLE, ME.key, secret("whom"), 6),
    m.Answer(TABLE, ME.key, ((ME.key, QUOTED),)),
    m.Chunk(TABLE, ME.key, 0, (QUOTED, QUOTED)),
)
