// The page of the program: a terminal, Python, and what Python asks of a browser.
import { startPython } from "./python.js";
import sodium from "./libsodium-wrappers.mjs";

const HOME = "/home/wasabi";
const started = performance.now();
const told = document.getElementById("told");
const words = await (await fetch("words.json")).json();
const language = Object.keys(words).find((one) => navigator.language.startsWith(one)) ?? "en";
const say = (key) => words[language][key];
document.documentElement.lang = language;
told.textContent = say("loading");

// Without lines to scroll back to, no column is left out for a scrollbar.
const looks = { fontSize: 15, customGlyphs: true, scrollback: 0, theme: { background: "#15110e" } };
const terminal = new Terminal({ ...looks, allowProposedApi: true, macOptionIsMeta: true });
const fit = new FitAddon.FitAddon();
terminal.loadAddon(fit);
terminal.open(document.getElementById("terminal"));
try { terminal.loadAddon(new WebglAddon.WebglAddon()); } catch { /* without a graphics card it draws in the page */ }
fit.fit();

// One tab of a browser has its files: two would play one seat against itself.
async function holdStore() {
  if (navigator.locks) return await new Promise((held) => {
    navigator.locks.request("wasabi-tx", { ifAvailable: true }, (lock) => {
      held(lock !== null);
      return lock === null ? undefined : new Promise(() => {});
    });
  });
  // Without a secure context there are no locks: whoever has the files answers.
  const channel = new BroadcastChannel("wasabi-tx");
  const free = await new Promise((answer) => {
    channel.onmessage = ({ data }) => { if (data === "mine") answer(false); };
    channel.postMessage("whose?");
    setTimeout(() => answer(true), 300);
  });
  channel.onmessage = ({ data }) => { if (free && data === "whose?") channel.postMessage("mine"); };
  return free;
}

let python, keeps = false, saving = null, again = null;
const sync = (fill) => new Promise((done, failed) => python.FS.syncfs(fill, (error) => (error ? failed(error) : done())));
// Returns when everything that was written before the call is saved; those who come while one runs share the next.
function save() {
  if (!keeps) return Promise.resolve();
  if (saving === null) return saving = sync(false).finally(() => { saving = null; });
  return again ??= saving.catch(() => {}).then(() => { again = null; return save(); });
}

// The app copies text with a sequence that terminals know.
terminal.parser.registerOscHandler(52, (data) => {
  const bytes = Uint8Array.from(atob(data.split(";").at(-1)), (letter) => letter.charCodeAt(0));
  navigator.clipboard?.writeText(new TextDecoder().decode(bytes));
  return true;
});

let typed = null, resized = null, focused = null;
terminal.onData((text) => typed?.(text));
terminal.onBinary((text) => typed?.(text));
terminal.onResize(({ cols, rows }) => resized?.(cols, rows));
addEventListener("resize", () => fit.fit());
addEventListener("focus", () => { focused?.(true); terminal.focus(); });
addEventListener("blur", () => focused?.(false));
addEventListener("visibilitychange", () => save().catch(() => {}));

const page = {
  sodium,
  write: (text) => {
    if (!document.body.classList.contains("playing")) {
      document.body.classList.add("playing");
      terminal.focus();
      page.firstFrame = performance.now() - started;
    }
    terminal.write(text);
  },
  listen: (...all) => { [typed, resized, focused] = all; },
  columns: () => terminal.cols,
  rows: () => terminal.rows,
  language: () => language,
  protocol: () => location.protocol,
  openUrl: (url) => { open(url, "_blank", "noopener"); },
  download: (name, bytes, type) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type }));
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  },
  keeps: () => keeps,
  save,
  startWorker: (answered) => {
    const worker = new Worker("worker.js", { type: "module" });
    worker.onmessage = ({ data }) => answered(data);
    worker.onerror = () => answered(null);
    return worker;
  },
};

try {
  if ("serviceWorker" in navigator && isSecureContext) navigator.serviceWorker.register("service.js");
  await sodium.ready;
  let arrived = 0;
  python = await startPython((all) => { told.textContent = `${say("loading")}\n${Math.round(100 * ++arrived / all)} %`; });
  python.registerJsModule("page", page);
  const tab = python.pyimport("wasabi_tx.web.tab");
  python.FS.mkdirTree(HOME);
  const fragment = location.hash.slice(1);
  if (tab.remembers(fragment) && await holdStore()) {
    python.FS.mount(python.FS.filesystems.IDBFS, {}, HOME);
    keeps = await sync(true).then(() => true, () => false);
    setInterval(() => save().catch(() => {}), 1000);
  }
  addEventListener("hashchange", () => location.reload());
  Object.assign(window, { terminal, page });
  told.textContent = await tab.run(fragment);
} catch (error) {
  console.error(error);
  told.textContent = `${say("failed")}\n\n${String(error.message ?? error).trim().split("\n").at(-1)}`;
}
typed = resized = focused = null;
document.body.classList.remove("playing");
