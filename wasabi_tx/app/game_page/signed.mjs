// Hashes, envelopes and their signatures: page 2 of the protocol.

import { decode, Refused } from "./msgpack.mjs";

const P = 2n ** 255n - 19n;
const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const ORDER_8 = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const SMALL = [0n, 1n, P - 1n, ORDER_8, P - ORDER_8];
const MOST_OF_AN_ENVELOPE = 31960;
const MOST_OF_AN_ENTRY = 28000;
const SIGNATURE = 64;

const bytesOfText = (text) => new TextEncoder().encode(text);

export function joined(...parts) {
  const raw = parts.map((part) => (typeof part === "string" ? bytesOfText(part) : part));
  const whole = new Uint8Array(raw.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of raw) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

export const sha256 = async (...parts) => new Uint8Array(await crypto.subtle.digest("SHA-256", joined(...parts)));

export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const same = (one, other) =>
  one instanceof Uint8Array && other instanceof Uint8Array && one.length === other.length &&
  one.every((byte, at) => byte === other[at]);

export function number32(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

const little = (bytes) => BigInt(`0x${hex(Uint8Array.from(bytes).reverse())}`);

// WebCrypto alone accepts keys and nonces of small order and keys that are not canonical; the protocol refuses them.
function mayHold(key, signature) {
  const [y, r] = [key, signature.subarray(0, 32)].map((point) => little(point) & (2n ** 255n - 1n));
  return y < P && !SMALL.includes(y) && !SMALL.includes(r) && little(signature.subarray(32)) < L;
}

export async function holds(key, signature, message) {
  if (key.length !== 32 || signature.length !== SIGNATURE || !mayHold(key, signature)) return false;
  try {
    const imported = await crypto.subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
    return await crypto.subtle.verify("Ed25519", imported, signature, message);
  } catch {
    return false;
  }
}

// True if this browser can check anything at all.
export async function canCheck() {
  try {
    const pair = await crypto.subtle.generateKey("Ed25519", false, ["sign", "verify"]);
    return pair.publicKey.algorithm.name === "Ed25519";
  } catch {
    return false;
  }
}

// The signed body and its fields; sizes first, then the signature, and only then the content.
export async function open(key, envelope, most = MOST_OF_AN_ENVELOPE) {
  if (envelope.length > most) throw new Refused("too-long");
  if (envelope.length <= SIGNATURE) throw new Refused("too-short");
  const body = envelope.subarray(SIGNATURE);
  if (!(await holds(key, envelope.subarray(0, SIGNATURE), joined("wsb1 signed\0", body)))) {
    throw new Refused("bad-signature");
  }
  const fields = decode(body);
  if (typeof fields !== "object" || Array.isArray(fields) || fields instanceof Uint8Array) {
    throw new Refused("bad-field");
  }
  if (["slot", "base"].some((name) => name in fields) && envelope.length > MOST_OF_AN_ENTRY) {
    throw new Refused("too-long");
  }
  return { key, body, fields };
}
