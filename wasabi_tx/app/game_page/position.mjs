// A position from its canonical bytes: page 10 of the protocol.

import { Refused } from "./msgpack.mjs";
import { hex } from "./signed.mjs";

const LABEL = new TextEncoder().encode("wasabi position 2\n");
const ENDINGS = ["", "tokens", "board", "passes", "turns", "abandoned", "pantry"];

class Bytes {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  take(count) {
    if (this.at + count > this.bytes.length) throw new Refused("bad-picture");
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  number(size = 1) {
    return this.take(size).reduce((sum, byte) => sum * 256 + byte, 0);
  }

  bits(size) {
    const bytes = this.take(size);
    return Array.from({ length: 8 * size }, (_, bit) => (bytes[size - 1 - (bit >> 3)] >> (bit & 7)) & 1)
      .flatMap((set, bit) => (set ? [bit] : []));
  }

  many(read, count = this.number()) {
    return Array.from({ length: count }, read);
  }
}

const forPlayers = (pairs, players) => pairs.find(([count]) => count === players)?.[1] ?? 0;

function readSeat(bytes) {
  const byte = () => bytes.number();
  return {
    gone: byte() === 1,
    tiles: bytes.many(byte),
    cards: bytes.many(byte),
    recipes: bytes.many(() => bytes.number(4)),
    claimed: bytes.many(() => ({ recipe: byte(), cubes: byte() })),
    tokens: bytes.many(byte),
    points: bytes.number(2),
    cubes: bytes.number(2),
  };
}

function readOutcome(bytes, seats) {
  const ending = ENDINGS[bytes.number()];
  if (ending === undefined) throw new Refused("bad-picture");
  if (ending === "") return undefined;
  return { ending, winners: bytes.many(() => bytes.number()), scores: seats.map(() => bytes.number(2)) };
}

function readClassic(bytes, edition) {
  bytes.take(4);
  return {
    covers: bytes.many(() => bytes.number()),
    cards: edition.actions.map((_, card) => ({ card, count: bytes.number() })),
    passes: bytes.number(2),
  };
}

function readMaster(bytes, edition) {
  bytes.take(3);
  const cups = bytes.many(() => bytes.number());
  bytes.take(8);
  const cards = bytes.many(() => ({ card: bytes.number(), count: 1 }));
  bytes.take(edition.actions.length);
  const pool = bytes.number(2);
  bytes.take(2);
  return { cups, cards, pool };
}

// The squares that a card lies on: two by two from its top left one.
const coveredBy = (covers, columns) =>
  covers.flatMap((square) => [square, square + 1, square + columns, square + columns + 1]);

export function readPosition(raw, edition, hash, players) {
  const bytes = new Bytes(raw);
  const right = hex(bytes.take(LABEL.length)) === hex(LABEL) && hex(bytes.take(32)) === hash;
  if (!right || bytes.number() !== players) throw new Refused("bad-picture");
  bytes.take(1);
  const [rows, columns] = [edition.board[0], forPlayers(edition.board[1], players)];
  const lengths = new Set(edition.recipes.map(([, tiles]) => tiles.length));
  const decks = lengths.size + (edition.rules === "master" ? 1 : 0);
  const mover = bytes.number() - 1;
  const turn = bytes.number(2);
  bytes.take(2);
  const changed = bytes.bits(8);
  bytes.take(2 * changed.length);
  const position = {
    mover,
    turn,
    changed,
    rows,
    columns,
    squares: bytes.many(() => bytes.many(() => bytes.number()), rows * columns),
    pantry: bytes.many(() => bytes.number(), edition.ingredients.length),
    decks: bytes.many(() => ({ deck: bytes.number(), cards: bytes.many(() => bytes.number(4)).length }), decks),
    seats: bytes.many(() => readSeat(bytes), players),
  };
  position.outcome = readOutcome(bytes, position.seats);
  const own = { classic: readClassic, master: readMaster }[edition.rules];
  if (own === undefined) throw new Refused("bad-picture");
  Object.assign(position, { covers: [], cups: [], passes: 0 }, own(bytes, edition));
  position.covered = coveredBy(position.covers, columns);
  if (bytes.at !== raw.length) throw new Refused("bad-picture");
  return position;
}
