// A strict reader of canonical msgpack: page 1 of the protocol.

const DEPTH = 6;
const ITEMS = 512;
const KEYS = 24;
const PARTS = 256;

export class Refused extends Error {
  constructor(code, about = "") {
    super(code);
    this.code = code;
    this.about = about;
  }
}

const bad = () => new Refused("bad-encoding");
const sources = new WeakMap();

// The bytes that a list or map was read from.
export const bytesOf = (value) => sources.get(value);

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.at = 0;
    this.parts = 0;
  }

  take(count) {
    if (this.at + count > this.bytes.length) throw bad();
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  // A number that would not have fitted into fewer bytes.
  number(size, kind, fits) {
    const start = this.at;
    this.take(size);
    const found = this.view[`get${kind}`](start);
    if (!fits(found)) throw bad();
    return Number(found);
  }

  unsigned(size, least) {
    const kind = { 1: "Uint8", 2: "Uint16", 4: "Uint32", 8: "BigUint64" }[size];
    return this.number(size, kind, (found) => found >= least);
  }

  negative(size, above) {
    const kind = { 1: "Int8", 2: "Int16", 4: "Int32", 8: "BigInt64" }[size];
    return this.number(size, kind, (found) => found < above);
  }

  text(length) {
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(this.take(length));
    } catch {
      throw bad();
    }
  }

  // Lists and maps cost more than the byte that they take.
  part(length, most) {
    if (length > most || ++this.parts > PARTS) throw bad();
  }

  list(length, depth) {
    this.part(length, ITEMS);
    return Array.from({ length }, () => this.value(depth + 1));
  }

  map(length, depth) {
    this.part(length, KEYS);
    const fields = new Map();
    for (let n = 0; n < length; n++) {
      const name = this.value(depth + 1);
      if (typeof name !== "string" || fields.has(name)) throw bad();
      fields.set(name, this.value(depth + 1));
    }
    return Object.fromEntries(fields);
  }

  value(depth) {
    const start = this.at;
    const found = this.read(depth);
    if (typeof found === "object" && !(found instanceof Uint8Array)) {
      sources.set(found, this.bytes.subarray(start, this.at));
    }
    return found;
  }

  read(depth) {
    if (depth > DEPTH) throw bad();
    const head = this.take(1)[0];
    if (head <= 0x7f) return head;
    if (head >= 0xe0) return head - 256;
    if (head <= 0x8f) return this.map(head & 15, depth);
    if (head <= 0x9f) return this.list(head & 15, depth);
    if (head <= 0xbf) return this.text(head & 31);
    switch (head) {
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: return this.take(this.unsigned(1, 0));
      case 0xc5: return this.take(this.unsigned(2, 0x100));
      case 0xc6: return this.take(this.unsigned(4, 0x10000));
      case 0xcc: return this.unsigned(1, 0x80);
      case 0xcd: return this.unsigned(2, 0x100);
      case 0xce: return this.unsigned(4, 0x10000);
      case 0xcf: return this.unsigned(8, 0x100000000n);
      case 0xd0: return this.negative(1, -0x20);
      case 0xd1: return this.negative(2, -0x80);
      case 0xd2: return this.negative(4, -0x8000);
      case 0xd3: return this.negative(8, -0x80000000n);
      case 0xd9: return this.text(this.unsigned(1, 0x20));
      case 0xda: return this.text(this.unsigned(2, 0x100));
      case 0xdb: return this.text(this.unsigned(4, 0x10000));
      case 0xdc: return this.list(this.unsigned(2, 0x10), depth);
      case 0xdd: return this.list(this.unsigned(4, 0x10000), depth);
      case 0xde: return this.map(this.unsigned(2, 0x10), depth);
      case 0xdf: return this.map(this.unsigned(4, 0x10000), depth);
      default: throw bad();
    }
  }
}

// The value of canonical bytes: maps as objects, bytes as Uint8Array.
export function decode(bytes) {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw bad();
  return value;
}
