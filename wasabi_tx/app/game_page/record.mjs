// A game's file: who plays, in what order, what each of them signed, and what of it this page can check.

import { follow } from "./chain.mjs";
import { bytesOf, Refused } from "./msgpack.mjs";
import { hex, holds, joined, open, same, sha256 } from "./signed.mjs";

const MAGIC = joined("wasabi game 1\n");
const MOST_OF_A_FILE = 16000000;
const BESIDE = ["ballot", "pledge", "abandon"];

function items(file) {
  if (file.length > MOST_OF_A_FILE || !same(file.subarray(0, MAGIC.length), MAGIC)) throw new Refused("bad-file");
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const found = [];
  for (let at = MAGIC.length; at < file.length; ) {
    const start = at + 36;
    const end = start > file.length ? Infinity : start + view.getUint32(at + 32);
    if (end > file.length) throw new Refused("cut");
    found.push([file.subarray(at, at + 32), file.subarray(start, end)]);
    at = end;
  }
  if (found.length < 2) throw new Refused("bad-file");
  return found;
}

const need = (truth, code, about) => {
  if (!truth) throw new Refused(code, about);
};

// The joins of a genesis: each by its own key, for this table and these terms, with a ticket where a door asks for one.
async function seatsOf(genesis) {
  const { table, key, salt, door, terms, joins } = genesis.fields;
  const agreed = await sha256("wsb1 terms", key, salt, new Uint8Array([door.length]), door, bytesOf(terms));
  const seats = await Promise.all(joins.map(([author, envelope]) => open(author, envelope)));
  for (const { key: author, fields } of seats) {
    need(fields.t === "join" && same(fields.key, author), "wrong-key");
    need(fields.table === table && same(fields.terms, agreed), "bad-terms");
    if (fields.ticket.length > 0) {
      need(await holds(door, fields.ticket, joined("wsb1 ticket", table, author, agreed, fields.commit)), "bad-pass");
    }
  }
  const keys = seats.map(({ key: author }) => hex(author));
  need(keys.every((author, n) => n === 0 || keys[n - 1] < author), "repeated-key");
  need(new Set(seats.map(({ fields }) => hex(fields.commit))).size === seats.length, "repeated-commitment");
  need(seats.length >= terms.least && seats.length <= terms.most, "bad-terms");
  return seats;
}

async function checkStart(start, genesis, gid, seats) {
  need(genesis.fields.t === "genesis" && start.fields.t === "start", "bad-file");
  need([genesis.fields.key, start.key, start.fields.key].every((key) => same(key, genesis.key)), "wrong-key");
  need(same(start.fields.gid, gid), "wrong-game");
  need(start.fields.accepts.length === seats.length, "missing-accept");
  for (const [seat, envelope] of start.fields.accepts.entries()) {
    const { fields } = await open(seats[seat].key, envelope);
    need(fields.t === "accept" && fields.seat === seat && same(fields.gid, gid), "wrong-seat");
  }
}

// Who sits where follows from the nonces, which the joins hid: page 5.
async function orderOf(genesis, gid, seats, slots) {
  const first = slots.find(({ entries }) => entries.some(({ fields }) => fields.t === "keys"));
  const opened = first?.entries.filter(({ fields }) => fields.t === "keys" && fields.nonce.length > 0) ?? [];
  for (const { key, fields } of opened) {
    const commit = await sha256("wsb1 commitment", genesis.fields.table, key, fields.nonce);
    need(same(commit, seats[fields.seat].fields.commit), "bad-nonce");
  }
  const named = genesis.fields.terms.options.find((option) => option.startsWith("order-"));
  if (named !== undefined) {
    const there = opened.map(({ fields }) => fields.seat);
    return Array.from(named.slice(6), Number).filter((seat) => there.includes(seat));
  }
  const nonces = opened.flatMap(({ fields }) => [new Uint8Array([fields.seat]), fields.nonce]);
  const seed = await sha256("wsb1 order", gid, ...nonces);
  const places = opened.map(async ({ fields }) =>
    [hex(await sha256("wsb1 place", seed, new Uint8Array([fields.seat]))), fields.seat]);
  return (await Promise.all(places)).sort(([one], [other]) => (one < other ? -1 : 1)).map(([, seat]) => seat);
}

// What the seats signed at the end; the scores and the digest are the same for all, or it is refused.
function endOf(slots) {
  const ends = slots.flatMap(({ entries }) => entries.filter(({ fields }) => fields.t === "end"));
  for (const { fields } of ends) {
    need(same(fields.digest, ends[0].fields.digest), "wrong-digest");
    need(fields.scores.join() === ends[0].fields.scores.join(), "wrong-content");
  }
  return ends;
}

// Messages outside the chain: votes that decided nothing, what a vote made void, proofs against somebody who is gone.
function checkBeside(beside, votes) {
  const isVoid = ({ epoch, slot }) => votes.some((vote) => vote.epoch === epoch && slot >= vote.number);
  for (const { fields } of beside) {
    const proof = votes.some(({ out }) => out === fields.seat);
    need(BESIDE.includes(fields.t) || proof || isVoid(fields), "gap", "entry");
  }
}

// The game of a file: seats, moves with the digests that their movers signed, votes, and the counts of what was checked.
export async function readRecord(file) {
  const found = items(file);
  const texts = found.map(([key, envelope]) => hex(key) + hex(envelope));
  need(new Set(texts).size === texts.length, "doubled");
  const [genesis, start, ...messages] = await Promise.all(found.map(([key, envelope]) => open(key, envelope)));
  need(genesis.fields.t === "genesis", "bad-file");
  const gid = await sha256("wsb1 genesis", genesis.body);
  const seats = await seatsOf(genesis);
  await checkStart(start, genesis, gid, seats);
  for (const { key, fields } of messages) {
    need(same(fields.gid, gid), "wrong-game");
    need(seats[fields.seat] !== undefined && same(seats[fields.seat].key, key), "wrong-seat");
  }
  const { slots, head, beside } = await follow(genesis, messages, seats.length);
  const votes = slots.filter(({ out }) => out !== undefined);
  checkBeside(beside, votes);
  const ends = endOf(slots);
  const left = slots.flatMap(({ entries }) => entries.filter(({ fields }) => fields.t === "leave"));
  const still = seats.length - votes.length - left.length;
  return {
    terms: genesis.fields.terms,
    seats: seats.map(({ key, fields }) => ({ key, name: fields.name, bot: fields.runner.length > 0 })),
    order: await orderOf(genesis, gid, seats, slots),
    slots,
    head,
    beside: beside.length,
    signatures: found.length + 2 * seats.length,
    end: ends[0]?.fields,
    settled: ends.length > 0 && ends.length >= still,
  };
}
