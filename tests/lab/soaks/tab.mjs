// The wheel of the browser tab without a browser: plays a seat for each invite that is typed, as a bot.
// node --experimental-websocket tab.mjs SITE HOME

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [site, home] = process.argv.slice(2);
const load = (name) => import(pathToFileURL(join(site, name)));
const { loadPyodide } = await load("pyodide/pyodide.mjs");
const { default: sodium } = await load("libsodium-wrappers.mjs");
await sodium.ready;
const env = { HOME: "/home/wasabi", WASABI_TX_HOME: "/home/wasabi" };
const python = await loadPyodide({ env });
const packages = python.runPython("import site; site.getsitepackages()[0]");
for (const name of JSON.parse(readFileSync(join(site, "archives.json"), "utf-8"))) {
  python.unpackArchive(new Uint8Array(readFileSync(join(site, name))), "zip", { extractDir: packages });
}
const page = { sodium, save: () => Promise.resolve(), language: () => "en", protocol: () => "http:", keeps: () => true };
python.registerJsModule("page", page);
python.FS.mkdirTree(env.HOME);
python.FS.mount(python.FS.filesystems.NODEFS, { root: home }, env.HOME);
const play = python.runPython(`
import json
from dataclasses import asdict
from wasabi_tx.app.preferences import texts_for
from wasabi_tx.online.headless import Habits, play_bot
from wasabi_tx.online.invites import read_invite
from wasabi_tx.online.tables import join_table
from wasabi_tx.web.tab import _tab_machine

async def play(invite, name):
    table = join_table(_tab_machine(texts_for("en"), name), read_invite(invite), "easy")
    try:
        await table.connect()
        result = await play_bot(table, Habits("easy"), lambda trouble: None)
    finally:
        await table.close()
    return json.dumps(asdict(result))

play
`);
console.log("ready");
for await (const line of createInterface({ input: process.stdin })) {
  const [invite, name] = line.split(" ");
  console.log(await play(invite, name).catch((error) => JSON.stringify({ failed: String(error).slice(-800) })));
}
process.exit();
