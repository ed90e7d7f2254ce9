// Starts Python with the program's packages; for the page and for the worker of its bots.
import { loadPyodide } from "./pyodide/pyodide.mjs";

export async function startPython(arrived = () => {}) {
  const list = await (await fetch("archives.json")).json();
  const loading = list.map(async (name) => {
    const answer = await fetch(name);
    if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    arrived(list.length);
    return bytes;
  });
  const python = await loadPyodide({ env: { HOME: "/home/wasabi", WASABI_TX_HOME: "/home/wasabi", TERM: "xterm-256color", COLORTERM: "truecolor", TEXTUAL_DRIVER: "wasabi_tx.web.driver:TabDriver" } });
  const site = python.runPython("import site; site.getsitepackages()[0]");
  for (const bytes of await Promise.all(loading)) python.unpackArchive(bytes, "zip", { extractDir: site });
  return python;
}
