// The game that a page holds, as moments to look at: each a move and the position after it.

import { Refused } from "./msgpack.mjs";
import { unpack } from "./pictures.mjs";
import { readPosition } from "./position.mjs";
import { readRecord } from "./record.mjs";
import { canCheck, hex, joined, same, sha256 } from "./signed.mjs";

const MOVES = ["bundle", "leave"];

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

// One text for the same bytes: spare bits at its end are refused.
function fromBase64(text) {
  if (!BASE64.test(text)) throw new Refused("bad-file");
  const last = text.slice(-4);
  if (btoa(atob(last)) !== last) throw new Refused("bad-file");
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
}

const steps = (fields) => (fields.t === "leave" ? ["leave"] : fields.steps);

// The moves of a signed game; a vote has no picture of its own, because nobody signed one.
async function signedMoments(game, pictures) {
  const moments = [];
  let shown = 0;
  for (const { number, out, entries } of game.slots) {
    if (out !== undefined && game.order.includes(out)) {
      moments.push({ slot: number, place: game.order.indexOf(out), steps: ["exclude"], raw: pictures[shown - 1] });
    }
    for (const { fields } of entries.filter(({ fields: { t } }) => MOVES.includes(t))) {
      const raw = pictures[shown++];
      if (raw === undefined || !same(await sha256(raw), fields.digest)) throw new Refused("other-picture", number);
      moments.push({ slot: number, place: game.order.indexOf(fields.seat), steps: steps(fields), raw, signed: true });
    }
  }
  if (shown !== pictures.length) throw new Refused("other-picture");
  if (game.end !== undefined && !same(await sha256(pictures.at(-1)), game.end.digest)) {
    throw new Refused("other-picture");
  }
  return { moments: moments.filter(({ raw }) => raw !== undefined), shown };
}

// How many of the other seats have signed something that rests on a move.
function countSignedPast(moments, slots) {
  for (const moment of moments) {
    const later = slots.filter(({ number }) => number > moment.slot);
    moment.signedPast = new Set(later.flatMap(({ entries }) => entries.map(({ fields }) => fields.seat))).size;
  }
}

async function signedGame(held, edition, hash) {
  const record = await readRecord(fromBase64(held.record));
  if (hash !== hex(record.terms.edition_hash)) throw new Refused("other-edition");
  const { moments, shown } = await signedMoments(record, unpack(fromBase64(held.pictures)));
  countSignedPast(moments, record.slots);
  const players = record.order.map((seat) => record.seats[seat]);
  return { ...record, players, moments, shown, signed: true, edition, hash };
}

// A game on one machine: nobody signed it, so nothing is claimed.
function localGame(held, edition, hash) {
  const lines = held.record.split("\n");
  const players = lines.flatMap((line) => {
    const found = /^seat [1-4]: (person|bot \S+) ?(.*)$/.exec(line);
    return found ? [{ name: found[2], bot: found[1] !== "person" }] : [];
  });
  const pictures = unpack(fromBase64(held.pictures));
  const moves = lines.flatMap((line) => {
    const found = /^> ([1-4]|dealer): (.+)$/.exec(line);
    return found ? [{ place: Number(found[1]) - 1 || 0, dealer: found[1] === "dealer", steps: found[2].split("; ") }] : [];
  });
  if (pictures.length !== moves.length + 1) throw new Refused("other-picture");
  const moments = [{ place: 0, steps: [], dealer: true }, ...moves].map((move, n) => ({ ...move, raw: pictures[n] }));
  return { players, moments, shown: moments.length, signed: false, checked: false, edition, hash };
}

// What a page holds, checked as far as a page can; it throws a Refused that names what is wrong.
export async function readGame(held) {
  if (held?.format !== 1 || typeof held.edition !== "string") throw new Refused("bad-file");
  if (!globalThis.crypto?.subtle || (held.kind === "online" && !(await canCheck()))) throw new Refused("no-crypto");
  const hash = hex(await sha256(joined("wasabi edition 1\n", held.edition)));
  const edition = JSON.parse(held.edition);
  const game = await (held.kind === "online" ? signedGame : localGame)(held, edition, hash);
  for (const moment of game.moments) {
    moment.position = readPosition(moment.raw, edition, hash, game.players.length);
  }
  return game;
}
