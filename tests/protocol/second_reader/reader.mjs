// Reads the committed vectors and says where it disagrees: node reader.mjs FOLDER
// It shares nothing with the reference library: node's own Ed25519 and SHA-256, and its own msgpack.

import { readFileSync } from "node:fs";
import { join } from "node:path";

import { bodyHash, follow, link, open, sha256 } from "./game.mjs";
import { decode } from "./msgpack.mjs";

const folder = process.argv[2];
const load = (name) => JSON.parse(readFileSync(join(folder, `${name}.json`), "utf-8"));
const raw = (hex) => Buffer.from(hex, "hex");
const games = load("games").games;

// What this reader can see for itself; the rules of games and the proofs are beyond it.
const KNOWN = {
  decode: ["bad-encoding"],
  envelope: ["too-long", "too-short", "bad-signature", "bad-encoding"],
  link: [],
  record: ["bad-file", "bad-signature", "wrong-key", "wrong-game", "cut", "gap"],
  position: [],
  edition: [],
};

const plain = (value) => {
  if (typeof value === "bigint") return Number(value);
  if (Buffer.isBuffer(value)) return { hex: value.toString("hex") };
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, item]) => [name, plain(item)]));
  return value;
};

const sorted = (table) => Object.fromEntries(Object.entries(table).sort());

const CHECKS = {
  decode: ({ bytes }) => ({ value: plain(decode(raw(bytes))) }),
  envelope: ({ key, envelope, limit }) => {
    const body = open(raw(key), raw(envelope), limit === "entry" ? 28000 : undefined);
    return { t: decode(body).get("t"), body_hash: bodyHash(body).toString("hex") };
  },
  link: ({ bodies }) => ({ link: link(bodies.map(raw)).toString("hex") }),
  record: ({ game, file }) => {
    const head = follow(raw(file ?? games[game].file));
    return { slot: head.slot, link: head.link.toString("hex") };
  },
  position: (_, output) => ({ digest: sha256(raw(output.canonical)).toString("hex") }),
  edition: (_, { canonical }) => ({
    canonical: JSON.stringify(sorted(JSON.parse(canonical))),
    hash: sha256(Buffer.from(`wasabi edition 1\n${canonical}`)).toString("hex"),
  }),
};

function check(vector) {
  if (vector.result === "invalid" && !KNOWN[vector.kind].includes(vector.code)) return false;
  let found;
  let code;
  try {
    found = CHECKS[vector.kind](vector.input, vector.output);
  } catch (error) {
    if (error.code === undefined) throw error;
    code = error.code;
  }
  if (code !== vector.code) throw new Error(`${vector.id}: ${code} instead of ${vector.code}`);
  for (const [name, value] of Object.entries(found ?? {})) {
    const wanted = JSON.stringify(vector.output[name]);
    if (JSON.stringify(value) !== wanted) throw new Error(`${vector.id}: ${name} is ${JSON.stringify(value)}`);
  }
  return true;
}

const counts = {};
for (const name of ["encoding", "envelopes", "slots", "games", "classic", "master"]) {
  for (const vector of load(name).vectors) {
    if (vector.kind in CHECKS && check(vector)) counts[vector.kind] = (counts[vector.kind] ?? 0) + 1;
  }
}
console.log(JSON.stringify(counts));
