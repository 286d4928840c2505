/**
 * The JA4 fingerprint of a ClientHello, which identifies TLS libraries whatever the order of their lists.
 * Invariant: a fingerprint costs less than its handshake. A hello with unusually long lists has none.
 */
import { createHash } from 'node:crypto';

/**
 * The offer of a client, unparsed. It is kept as long as its connection, so each field has a bound. Lists of numbers
 * have two characters of latin1 each.
 */
export interface HelloOffer {
  /** The version of the hello itself. Newer versions are in `versions`. */
  readonly version: number;
  readonly ciphers: string;
  /** Their types, in their order. */
  readonly extensions: readonly number[];
  /** The first protocol of its list, as latin1; '' without one. */
  readonly firstAlpn: string;
  /** Empty without the extension. */
  readonly versions: string;
  readonly signatureAlgorithms: string;
}

/** Cipher suites, or extensions: honest clients send some dozens. */
const mostListed = 512;
const serverName = 0;
const alpnExtension = 16;
const empty = '0'.repeat(12);

const versionNames: ReadonlyMap<number, string> = new Map([
  [0x03_04, '13'],
  [0x03_03, '12'],
  [0x03_02, '11'],
  [0x03_01, '10'],
  [0x03_00, 's3'],
  [0x00_02, 's2'],
]);

export function listsTooMuch({ ciphers, extensions, versions, signatureAlgorithms }: HelloOffer): boolean {
  const longest = Math.max(ciphers.length, versions.length, signatureAlgorithms.length);
  return longest > 2 * mostListed || extensions.length > mostListed;
}

/** Takes about twelve microseconds, so it is computed only for events. */
export function ja4Of(offer: HelloOffer): string {
  const { ciphers: sent, extensions, signatureAlgorithms } = offer;
  const ciphers = numbersIn(sent);
  const meant = extensions.filter(isMeant);
  const hashed = meant.filter((type) => type !== serverName && type !== alpnExtension);
  const algorithms = numbersIn(signatureAlgorithms).map(hex);
  const second = [sortedText(hashed), ...(algorithms.length === 0 ? [] : [algorithms.join(',')])].join('_');
  const facts = `t${versionOf(offer)}${extensions.includes(serverName) ? 'd' : 'i'}${count(ciphers)}${count(meant)}${alpnOf(offer)}`;
  return `${facts}_${digest(sortedText(ciphers))}_${hashed.length === 0 ? empty : digest(second)}`;
}

/** The newest that is offered. */
function versionOf({ version, versions }: HelloOffer): string {
  const offered = numbersIn(versions);
  return versionNames.get(offered.length === 0 ? version : Math.max(...offered)) ?? '00';
}

/** The ends of the first protocol, of what it is in hexadecimal where they are no letters or digits. */
function alpnOf({ firstAlpn: first }: HelloOffer): string {
  if (first === '') return '00';
  const shown = /^[a-z\d](?:.*[a-z\d])?$/is.test(first)
    ? first
    : Buffer.from(first, 'latin1').toString('hex');
  return `${shown[0]}${shown.at(-1)}`;
}

function numbersIn(list: string): readonly number[] {
  const numbers: number[] = [];
  for (let at = 0; at + 1 < list.length; at += 2)
    numbers.push(list.charCodeAt(at) * 256 + list.charCodeAt(at + 1));
  return numbers.filter(isMeant);
}

/** Returns false for reserved values that clients send so that servers accept unknown ones (RFC 8701). */
function isMeant(value: number): boolean {
  return (value & 0x0f_0f) !== 0x0a_0a || value >> 8 !== (value & 0xff);
}

function sortedText(values: readonly number[]): string {
  return values
    .toSorted((a, b) => a - b)
    .map(hex)
    .join(',');
}

function hex(value: number): string {
  return value.toString(16).padStart(4, '0');
}

function count({ length }: readonly number[]): string {
  return String(Math.min(length, 99)).padStart(2, '0');
}

function digest(text: string): string {
  return text === '' ? empty : createHash('sha256').update(text).digest('hex').slice(0, 12);
}
