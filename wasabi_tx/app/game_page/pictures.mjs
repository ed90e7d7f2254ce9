// Positions one after another, each as what is copied from the one before and what is new.

import { Refused } from "./msgpack.mjs";
import { joined } from "./signed.mjs";

const MOST_OF_A_PICTURE = 4096;

export function unpack(packed) {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const found = [];
  let before = new Uint8Array();
  let at = 0;
  try {
    while (at < packed.length) {
      const parts = [];
      const count = view.getUint16(at);
      at += 2;
      for (let n = 0; n < count; n++) {
        const [from, length, fresh] = [view.getUint16(at), view.getUint16(at + 2), view.getUint8(at + 4)];
        if (from + length > before.length || at + 5 + fresh > packed.length) throw new Refused("bad-picture");
        parts.push(before.subarray(from, from + length), packed.subarray(at + 5, at + 5 + fresh));
        at += 5 + fresh;
      }
      before = joined(...parts);
      if (before.length > MOST_OF_A_PICTURE) throw new Refused("bad-picture");
      found.push(before);
    }
  } catch {
    throw new Refused("bad-picture");
  }
  return found;
}
