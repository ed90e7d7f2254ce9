// Envelopes, files and the chain of slots, written from the specification alone.

import { createHash, createPublicKey, verify } from "node:crypto";

import { decode, Refused } from "./msgpack.mjs";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SMALL = [0n, 1n, P - 1n, ORDER_8, P - ORDER_8];
const MOST = 31960;
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
const MAGIC = Buffer.from("wasabi game 1\n");

const little = (bytes) => BigInt("0x" + Buffer.from(bytes).reverse().toString("hex"));

export const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();

function holds(key, signature, message) {
  if (key.length !== 32) return false;
  const [y, r] = [key, signature.subarray(0, 32)].map((point) => little(point) & (2n ** 255n - 1n));
  if (y >= P || SMALL.includes(y) || SMALL.includes(r) || little(signature.subarray(32)) >= L) return false;
  try {
    const imported = createPublicKey({ key: Buffer.concat([SPKI, key]), format: "der", type: "spki" });
    return verify(null, message, imported, signature);
  } catch {
    return false;
  }
}

// The signed body; sizes first, then the signature.
export function open(key, envelope, most = MOST) {
  if (envelope.length > most) throw new Refused("too-long");
  if (envelope.length <= 64) throw new Refused("too-short");
  const body = envelope.subarray(64);
  if (!holds(key, envelope.subarray(0, 64), Buffer.concat([Buffer.from("wsb1 signed\0"), body]))) {
    throw new Refused("bad-signature");
  }
  return body;
}

export const bodyHash = (body) => sha256(Buffer.from("wsb1 body\0"), body);

export function link(bodies) {
  const parts = bodies.flatMap((body) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(body.length);
    return [length, body];
  });
  return sha256(Buffer.from("wsb1 slot\0"), ...parts);
}

function items(file) {
  if (!file.subarray(0, MAGIC.length).equals(MAGIC)) throw new Refused("bad-file");
  const found = [];
  for (let at = MAGIC.length; at < file.length; ) {
    const start = at + 36;
    const end = start > file.length ? Infinity : start + file.readUInt32BE(at + 32);
    if (end > file.length) return { found, whole: false };
    found.push([file.subarray(at, at + 32), file.subarray(start, end)]);
    at = end;
  }
  return { found, whole: true };
}

function message(key, envelope) {
  const body = open(key, envelope);
  return { key, body, fields: decode(body) };
}

function cutLink(prev, out) {
  return sha256(Buffer.from("wsb1 cut\0"), prev, Buffer.from([out]));
}

// The last slot and its link, if every envelope holds and every entry stands on the slot that it names.
export function follow(file) {
  const { found, whole } = items(file);
  if (found.length < 2) throw new Refused("bad-file");
  const [genesis, start, ...rest] = found.map(([key, envelope]) => message(key, envelope));
  if (!start.key.equals(genesis.key)) throw new Refused("wrong-key");
  const gid = sha256(Buffer.from("wsb1 genesis"), genesis.body);
  const keys = genesis.fields.get("joins").map(([key]) => key);
  for (const { key, fields } of [start, ...rest]) {
    if (!fields.get("gid").equals(gid)) throw new Refused("wrong-game");
    if (fields.has("seat") && !keys[Number(fields.get("seat"))].equals(key)) throw new Refused("wrong-seat");
  }
  if (!whole) throw new Refused("cut");
  return chain(link([genesis.body]), rest);
}

function chain(first, messages) {
  let head = { slot: 0, link: first };
  let left = messages;
  while (left.length > 0) {
    const after = left.filter(({ fields }) => fields.get("prev").equals(head.link));
    const entries = after.filter(({ fields }) => fields.get("slot") === BigInt(head.slot + 1));
    const words = after.filter(({ fields }) => fields.get("base") === BigInt(head.slot) && fields.get("out") < 4n);
    // What a vote decided is the slot; a half-filled one beside it is void.
    const chosen = words.some(({ fields }) => fields.get("t") === "pledge") ? words : entries;
    if (chosen.length === 0) throw new Refused("gap");
    chosen.sort((one, two) => Number(one.fields.get("seat") - two.fields.get("seat")));
    left = left.filter((one) => !chosen.includes(one));
    const out = chosen === words ? Number(chosen[0].fields.get("out")) : null;
    const next = out === null ? link(chosen.map(({ body }) => body)) : cutLink(head.link, out);
    head = { slot: head.slot + 1, link: next };
  }
  return head;
}
