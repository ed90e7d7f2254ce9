// A strict reader of canonical msgpack, written from the specification alone (protocol/01-encoding.md).

const DEPTH = 6;
const ITEMS = 512;
const KEYS = 24;
const PARTS = 256;

export class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

const bad = () => new Refused("bad-encoding");

class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
    this.parts = 0;
  }

  take(count) {
    if (this.at + count > this.bytes.length) throw bad();
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  // An unsigned number of so many bytes that would not have fitted into fewer.
  unsigned(size, least) {
    const number = BigInt("0x" + this.take(size).toString("hex"));
    if (number < least) throw bad();
    return number;
  }

  negative(size, above) {
    const number = BigInt.asIntN(8 * size, BigInt("0x" + this.take(size).toString("hex")));
    if (number >= above) throw bad();
    return number;
  }

  text(length) {
    const raw = this.take(Number(length));
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
    } catch {
      throw bad();
    }
  }

  // Lists and maps cost more than the byte that they take.
  part() {
    if (++this.parts > PARTS) throw bad();
  }

  list(length, depth) {
    if (length > ITEMS) throw bad();
    this.part();
    return Array.from({ length: Number(length) }, () => this.value(depth + 1));
  }

  map(length, depth) {
    if (length > KEYS) throw bad();
    this.part();
    const fields = new Map();
    for (let n = 0; n < Number(length); n++) {
      const name = this.value(depth + 1);
      if (typeof name !== "string" || fields.has(name)) throw bad();
      fields.set(name, this.value(depth + 1));
    }
    return fields;
  }

  value(depth) {
    if (depth > DEPTH) throw bad();
    const head = this.take(1)[0];
    if (head <= 0x7f) return BigInt(head);
    if (head >= 0xe0) return BigInt(head) - 256n;
    if (head <= 0x8f) return this.map(head & 15, depth);
    if (head <= 0x9f) return this.list(head & 15, depth);
    if (head <= 0xbf) return this.text(head & 31);
    switch (head) {
      case 0xc2: return false;
      case 0xc3: return true;
      case 0xc4: return this.take(Number(this.unsigned(1, 0n)));
      case 0xc5: return this.take(Number(this.unsigned(2, 0x100n)));
      case 0xc6: return this.take(Number(this.unsigned(4, 0x10000n)));
      case 0xcc: return this.unsigned(1, 0x80n);
      case 0xcd: return this.unsigned(2, 0x100n);
      case 0xce: return this.unsigned(4, 0x10000n);
      case 0xcf: return this.unsigned(8, 0x100000000n);
      case 0xd0: return this.negative(1, -0x20n);
      case 0xd1: return this.negative(2, -0x80n);
      case 0xd2: return this.negative(4, -0x8000n);
      case 0xd3: return this.negative(8, -0x80000000n);
      case 0xd9: return this.text(this.unsigned(1, 0x20n));
      case 0xda: return this.text(this.unsigned(2, 0x100n));
      case 0xdb: return this.text(this.unsigned(4, 0x10000n));
      case 0xdc: return this.list(this.unsigned(2, 0x10n), depth);
      case 0xdd: return this.list(this.unsigned(4, 0x10000n), depth);
      case 0xde: return this.map(this.unsigned(2, 0x10n), depth);
      case 0xdf: return this.map(this.unsigned(4, 0x10000n), depth);
      default: throw bad();
    }
  }
}

// The value of canonical bytes: integers as BigInt, bytes as Buffer, maps as Map.
export function decode(bytes) {
  const reader = new Reader(bytes);
  const value = reader.value(0);
  if (reader.at !== bytes.length) throw bad();
  return value;
}
