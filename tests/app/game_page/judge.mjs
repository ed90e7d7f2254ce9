// Judges pages as their own script does, one line for each: node judge.mjs SCRIPTS PAGE ...
// Or the vectors of the protocol, with the page's reader of envelopes: node judge.mjs SCRIPTS --vectors FOLDER

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [scripts, ...words] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(scripts, `${name}.mjs`)));

const { readGame } = await load("game");
const { decode } = await load("msgpack");
const { open } = await load("signed");

async function judged(path) {
  const found = /<script type="application\/json" id="game">([^]*?)<\/script>/.exec(readFileSync(path, "utf-8"));
  if (found === null) return { refused: "no game" };
  const started = performance.now();
  try {
    const game = await readGame(JSON.parse(found[1]));
    const milliseconds = Math.round(performance.now() - started);
    return { moments: game.moments.length, signed: game.signed, settled: game.settled, beside: game.beside, milliseconds };
  } catch (error) {
    return { refused: error.code ?? error.name };
  }
}

const plain = (value) => {
  if (value instanceof Uint8Array) return { hex: Buffer.from(value).toString("hex") };
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object") return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, plain(item)]));
  return value;
};

const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const CHECKS = {
  decode: async ({ bytes: raw }) => plain(decode(bytes(raw))),
  envelope: async ({ key, envelope, limit }) =>
    (await open(bytes(key), bytes(envelope), limit === "entry" ? 28000 : undefined)).fields.t,
};

async function vectorVerdict({ id, kind, input }) {
  try {
    return { id, found: await CHECKS[kind](input) };
  } catch (error) {
    return { id, code: error.code ?? error.name };
  }
}

if (words[0] === "--vectors") {
  for (const name of ["encoding", "envelopes"]) {
    const { vectors } = JSON.parse(readFileSync(join(words[1], `${name}.json`), "utf-8"));
    for (const vector of vectors.filter(({ kind }) => kind in CHECKS)) {
      console.log(JSON.stringify(await vectorVerdict(vector)));
    }
  }
} else {
  for (const path of words) console.log(JSON.stringify(await judged(path)));
}
