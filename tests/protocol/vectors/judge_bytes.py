"""Our code's verdicts on encodings, envelopes, messages and names."""

from __future__ import annotations

from wasabi_protocol.game.chain import link, read_header
from wasabi_protocol.signed.canonical import decode
from wasabi_protocol.signed.codec import FIELDS, parse, read_terms
from wasabi_protocol.signed.envelope import MAX_ENTRY, MAX_ENVELOPE, open_envelope
from wasabi_protocol.signed.identity import fingerprint, key_text, parse_key
from wasabi_protocol.table.genesis import commitment, rematch_salt, seating, table_id, terms_hash
from wasabi_protocol.verdicts import Code, Refused
from wasabi_protocol.voting.blame import prove_equivocation

from tests.protocol.vectors.vector import Input, Output, hexed


def _raw(given: Input, name: str) -> bytes:
    return bytes.fromhex(given[name])


def judge_decode(given: Input) -> Output:
    return {"value": hexed(decode(_raw(given, "bytes")))}


def judge_envelope(given: Input) -> Output:
    limit = MAX_ENTRY if given["limit"] == "entry" else MAX_ENVELOPE
    signed = open_envelope(_raw(given, "key"), _raw(given, "envelope"), limit)
    return {"t": parse(signed.body).t, "body_hash": signed.body_hash.hex()}


def judge_message(given: Input) -> Output:
    message = parse(_raw(given, "body"))
    return {"t": message.t, "fields": list(FIELDS[type(message)])}


def judge_key_text(given: Input) -> Output:
    key = parse_key(given["text"])
    return {"key": key.hex(), "fingerprint": fingerprint(key)}


def judge_link(given: Input) -> Output:
    return {"link": link(bytes.fromhex(body) for body in given["bodies"]).hex()}


def judge_header(given: Input) -> Output:
    header = read_header(_raw(given, "body"))
    if header is None:
        raise Refused(Code.BAD_FIELD)
    return {
        "t": header.type,
        "gid": header.gid.hex(),
        "epoch": header.epoch,
        "slot": header.slot,
        "seat": header.seat,
        "prev": header.prev.hex(),
    }


def judge_equivocation(given: Input) -> Output:
    keys = [bytes.fromhex(key) for key in given["keys"]]
    proof = prove_equivocation(_raw(given, "gid"), keys, given["seat"], _raw(given, "one"), _raw(given, "two"))
    return {"epoch": proof.epoch, "slot": proof.slot}


def judge_name(given: Input) -> Output:
    match given["of"]:
        case "key":
            return {"name": key_text(_raw(given, "key"))}
        case "table":
            return {"name": table_id(_raw(given, "key"), _raw(given, "salt"))}
        case "commitment":
            return {"name": commitment(given["table"], _raw(given, "key"), _raw(given, "nonce")).hex()}
        case "terms":
            terms = read_terms(decode(_raw(given, "terms")))
            return {"name": terms_hash(_raw(given, "key"), _raw(given, "salt"), _raw(given, "door"), terms).hex()}
        case "rematch":
            return {"name": rematch_salt(_raw(given, "gid"), given["count"]).hex()}
    raise AssertionError(given["of"])


def judge_seating(given: Input) -> Output:
    nonces = [(seat, bytes.fromhex(nonce)) for seat, nonce in given["nonces"]]
    return {"order": list(seating(_raw(given, "gid"), nonces, given.get("order", ())))}


JUDGES = {
    "decode": judge_decode,
    "envelope": judge_envelope,
    "message": judge_message,
    "key-text": judge_key_text,
    "link": judge_link,
    "header": judge_header,
    "equivocation": judge_equivocation,
    "name": judge_name,
    "seating": judge_seating,
}
