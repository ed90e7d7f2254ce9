// The worker in which a tab's bots think, with a Python of its own.
import { startPython } from "./python.js";

const asked = [];
let answer = (request) => asked.push(request);
addEventListener("message", ({ data }) => answer(data));
const python = await startPython();
const answers = python.runPython(`
from wasabi_tx.games.bot_process import answers_to
from pyodide.ffi import to_js
lambda request: to_js(list(map(to_js, answers_to(request.to_bytes()))))
`);
answer = (request) => { for (const one of answers(request)) postMessage(one); };
asked.forEach(answer);
