// The page: it checks the game that it holds, or that is opened in it, and lets a reader go through it.

import { Drawing, element, spriteSheet } from "./drawing.mjs";
import { readGame } from "./game.mjs";
import { Sentences } from "./sentences.mjs";

const BEAT = 1600;
const SWIPE = 40;

const byId = (id) => document.getElementById(id);
const held = (id) => JSON.parse(byId(id).textContent);

// Names and words as nodes: strangers' text is never markup.
const nodesFor = (drawing) => ({
  strong: (text) => element("b", {}, text),
  points: (text) => element("span", { class: "points" }, text),
  tile: (code) => drawing().chip(code),
  player: (game, place) => element("b", { class: `seat-${place + 1} named` }, game.players[place]?.name || "?"),
});

class Viewer {
  constructor(shell) {
    this.shell = shell;
    this.at = 0;
    document.body.append(spriteSheet(shell.pictures));
  }

  // Checks what a page holds; whatever it is, the reader is told.
  async show(data) {
    this.stop();
    this.game = undefined;
    document.body.classList.remove("ready");
    this.verdict("checking", this.shell.words["page.checking"]);
    const started = performance.now();
    try {
      const game = await readGame(data);
      game.milliseconds = performance.now() - started;
      this.begin(game, data);
    } catch (error) {
      this.refuse(error);
    }
  }

  begin(game, data) {
    const { words, editions, pictures } = this.shell;
    const names = editions[game.hash] ?? { ...data.names, foreign: true };
    let drawing;
    this.sentences = new Sentences(words, names, nodesFor(() => drawing));
    drawing = new Drawing(this.sentences, pictures.sprites);
    Object.assign(this, { game, drawing, names, last: game.moments.length - 1 });
    byId("at").max = this.last;
    byId("edition").textContent = names.edition;
    this.tellChecks();
    this.listMoves();
    document.body.classList.add("ready");
    this.go(this.last);
  }

  verdict(kind, text) {
    byId("verdict").className = kind;
    byId("said").textContent = text;
    byId("checks").replaceChildren();
  }

  refuse({ code, about, message }) {
    const { words } = this.shell;
    const key = `page.refused.${code ?? "error"}`;
    const reason = (words[key] ?? words["page.refused.error"]).replace("{what}", about || code || message);
    this.verdict("bad", reason);
    this.done = { refused: code ?? message };
    console.warn(this.done.refused);
  }

  // Exactly what was checked here, and what was not.
  tellChecks() {
    const { game, sentences, names } = this;
    const say = (key, values) => sentences.plain(key, values);
    if (!game.signed) {
      this.verdict("local", say("page.local"));
      this.done = { moments: game.moments.length, signed: false };
      return;
    }
    this.verdict("good", say("page.checked", { count: game.signatures }));
    const yes = [
      say("page.yes.signatures", { count: game.signatures }),
      say("page.yes.chain", { count: game.slots.length }),
      say("page.yes.seats", { count: game.players.length }),
      say("page.yes.edition"),
      say("page.yes.pictures", { count: game.shown }),
    ];
    if (game.settled) yes.push(say("page.yes.end", { scores: game.end.scores.join(" : ") }));
    const no = [say("page.no.rules"), say("page.no.names")];
    if (!game.settled) no.unshift(say("page.no.end"));
    const votes = game.slots.filter(({ out }) => out !== undefined);
    for (const { out } of votes) no.unshift(say("page.no.vote", { name: game.seats[out].name || "?" }));
    if (game.beside) no.push(say("page.no.beside", { count: game.beside }));
    if (names.foreign) no.push(say("page.no.edition"));
    no.push(say("page.no.page"));
    const list = (label, lines, kind) => [element("h3", {}, say(label)),
      element("ul", { class: kind }, lines.map((line) => element("li", {}, line)))];
    byId("checks").replaceChildren(element("summary", {}, say("page.what")),
      ...list("page.here", yes, "yes"), ...list("page.elsewhere", no, "no"),
      element("h3", {}, say("page.keys")), element("ul", { class: "keys" }, game.seats.map(({ key, name }) =>
        element("li", {}, `${name || "?"} `, element("code", {}, Array.from(key, (byte) => byte.toString(16).padStart(2, "0")).join(""))))));
    this.done = { moments: game.moments.length, signed: true, settled: game.settled, signatures: game.signatures,
      milliseconds: game.milliseconds, head: Array.from(game.head) };
  }

  listMoves() {
    byId("moves").replaceChildren(...this.game.moments.map((_, n) => {
      const button = element("button", { type: "button" }, this.sentences.move(this.game, n));
      button.addEventListener("click", () => this.jump(n));
      return element("li", {}, button);
    }));
  }

  go(n) {
    if (this.game === undefined) return;
    this.at = Math.max(0, Math.min(this.last, n));
    const { game, sentences, drawing, at } = this;
    const { position, slot, signed, signedPast } = game.moments[at];
    const before = game.moments[at - 1]?.position;
    const say = (key, values) => sentences.plain(key, values);
    byId("board").replaceChildren(drawing.board(game, position, before));
    byId("players").replaceChildren(...drawing.players(game, position));
    byId("pantry").replaceChildren(...drawing.pantry(game, position));
    byId("cards").replaceChildren(...drawing.cards(game, position));
    byId("decks").replaceChildren(...drawing.decks(position));
    byId("cards-title").textContent = say(position.pool === undefined ? "table.kitchen" : "table.display");
    byId("turn").textContent = position.outcome ? say(`ending.short.${position.outcome.ending}`) : say("table.turn", { turn: position.turn });
    byId("step").replaceChildren(...sentences.move(game, at));
    byId("where").textContent = say("page.where", { at: at + 1, count: this.last + 1 });
    byId("by").textContent = signed ? say("page.by", { slot, count: signedPast, seats: game.players.length }) : "";
    byId("at").value = at;
    byId("at").setAttribute("aria-valuetext", byId("where").textContent);
    byId("moves").querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = byId("moves").children[at].firstChild;
    current.setAttribute("aria-current", "step");
    const list = byId("moves");
    list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    for (const id of ["first", "previous"]) byId(id).disabled = at === 0;
    for (const id of ["next", "last"]) byId(id).disabled = at === this.last;
  }

  // A step that the reader took: what runs by itself stops.
  jump(n) {
    this.stop();
    this.go(n);
  }

  play() {
    if (this.timer !== undefined) return this.stop();
    if (this.at === this.last) this.go(0);
    this.timer = setInterval(() => {
      this.go(this.at + 1);
      if (this.at === this.last) this.stop();
    }, BEAT);
    this.tellPlaying();
  }

  stop() {
    clearInterval(this.timer);
    this.timer = undefined;
    this.tellPlaying();
  }

  // While the game runs by itself, every step is not read out over the one before.
  tellPlaying() {
    const running = this.timer !== undefined;
    const button = byId("play");
    button.textContent = running ? "❚❚" : "▶";
    button.setAttribute("aria-label", this.shell.words[running ? "page.pause" : "page.play"]);
    byId("step").setAttribute("aria-live", running ? "off" : "polite");
  }
}

function listen(viewer) {
  const ways = {
    first: () => viewer.jump(0),
    previous: () => viewer.jump(viewer.at - 1),
    play: () => viewer.play(),
    next: () => viewer.jump(viewer.at + 1),
    last: () => viewer.jump(viewer.last),
    light: changeLight,
  };
  for (const [id, act] of Object.entries(ways)) byId(id).addEventListener("click", act);
  byId("at").addEventListener("input", ({ target }) => viewer.jump(Number(target.value)));
  const keys = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last", " ": "play", t: "light" };
  document.addEventListener("keydown", (event) => {
    const [way, focused] = [keys[event.key], document.activeElement];
    if (way === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    // A focused button, slider or list keeps the keys that it has itself.
    if (event.key === " " && focused?.matches("button, summary, input, label")) return;
    if (focused?.id === "at" && event.key !== "t") return;
    event.preventDefault();
    ways[way]();
  });
  let from;
  const board = byId("board");
  board.addEventListener("pointerdown", ({ clientX }) => (from = clientX));
  board.addEventListener("pointerup", ({ clientX }) => {
    const moved = clientX - from;
    if (Math.abs(moved) > SWIPE) viewer.jump(viewer.at + (moved < 0 ? 1 : -1));
  });
}

function changeLight() {
  const root = document.documentElement;
  const dark = getComputedStyle(root).colorScheme === "dark" ||
    (getComputedStyle(root).colorScheme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  root.style.colorScheme = dark ? "light" : "dark";
}

// The data of another page, or of nothing that this program wrote; its own code is never run.
function dataOf(text) {
  try {
    const page = new DOMParser().parseFromString(text, "text/html");
    return JSON.parse(page.getElementById("game").textContent);
  } catch {
    return undefined;
  }
}

function listenForFiles(viewer) {
  const take = async (file) => file && viewer.show(dataOf(await file.text()));
  byId("file").addEventListener("change", ({ target }) => take(target.files[0]));
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    take(event.dataTransfer.files[0]);
  });
}

const viewer = new Viewer(held("shell"));
globalThis.viewer = viewer;
listen(viewer);
listenForFiles(viewer);
const data = held("game");
if (data === null) document.body.classList.add("alone");
else viewer.show(data);
