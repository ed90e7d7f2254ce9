// The slots of a game, each standing on the one before: pages 3 and 4 of the protocol.

import { Refused } from "./msgpack.mjs";
import { joined, number32, same, sha256 } from "./signed.mjs";

const NOBODY = 4;

export const link = (bodies) =>
  sha256("wsb1 slot\0", ...bodies.flatMap((body) => [number32(body.length), body]));

const cutLink = (prev, out) => sha256("wsb1 cut\0", prev, new Uint8Array([out]));

const choiceOf = ({ base, prev, round, out }) => `${base} ${round} ${out} ${prev.join()}`;

// What an epoch decided: the choice that all of its seats but one pledged, of several the one of the latest round.
function decided(pledges, epoch, seats) {
  const choices = new Map();
  for (const { fields } of pledges) {
    if (fields.epoch !== epoch || !seats.includes(fields.seat)) continue;
    const choice = choiceOf(fields);
    choices.set(choice, { fields, said: (choices.get(choice)?.said ?? new Set()).add(fields.seat) });
  }
  const [last] = [...choices.values()]
    .filter(({ said }) => said.size >= seats.length - 1)
    .map(({ fields }) => fields)
    .sort((one, other) =>
      other.round - one.round || (other.out === NOBODY) - (one.out === NOBODY) || one.base - other.base);
  return last === undefined || last.out === NOBODY ? undefined : last;
}

// Every slot with its entries or with the seat that was voted out; and the messages that belong to none of them.
export async function follow(genesis, messages, count) {
  const slots = [];
  let seats = Array.from({ length: count }, (_, seat) => seat);
  let head = await link([genesis.body]);
  let epoch = 0;
  const words = messages.filter(({ fields }) => ["ballot", "pledge"].includes(fields.t));
  const entries = messages.filter(({ fields }) => "slot" in fields);
  const pledges = words.filter(({ fields }) => fields.t === "pledge");
  const used = new Set();
  for (;;) {
    const number = slots.length + 1;
    const vote = seats.length > 2 ? decided(pledges, epoch, seats) : undefined;
    if (vote !== undefined && vote.base === number - 1 && same(vote.prev, head) && seats.includes(vote.out)) {
      const said = words.filter(({ fields }) => fields.epoch === epoch && fields.base === vote.base);
      said.forEach((one) => used.add(one));
      slots.push({ number, out: vote.out, epoch, entries: [] });
      head = await cutLink(head, vote.out);
      seats = seats.filter((seat) => seat !== vote.out);
      epoch = 4 * number + vote.out;
      continue;
    }
    const chosen = entries.filter(({ fields }) => fields.slot === number && same(fields.prev, head));
    if (chosen.length === 0) break;
    chosen.sort((one, other) => one.fields.seat - other.fields.seat);
    for (const { fields } of chosen) {
      if (fields.epoch !== epoch || !seats.includes(fields.seat)) throw new Refused("not-owed");
    }
    if (new Set(chosen.map(({ fields }) => fields.seat)).size < chosen.length) throw new Refused("equivocation");
    chosen.forEach((one) => used.add(one));
    if (chosen[0].fields.t === "leave") seats = seats.filter((seat) => seat !== chosen[0].fields.seat);
    head = await link(chosen.map(({ body }) => body));
    slots.push({ number, epoch, entries: chosen });
  }
  return { slots, head, beside: messages.filter((one) => !used.has(one)) };
}
