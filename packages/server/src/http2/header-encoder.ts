/**
 * Writes header blocks (RFC 7541) without a table of its own: no field of one message can be guessed by the length of another's, and
 * a connection keeps nothing.
 */
import { type HeaderField, STATIC_TABLE } from '@underpass/wire/http2';

/** One character a byte. */
const INDEXED = new Map<string, string>();
const NAMED = new Map<string, string>();
const SECRET_NAMED = new Map<string, string>();

for (const [at, { name, value }] of STATIC_TABLE.entries()) {
  const index = at + 1;
  if (value !== '') INDEXED.set(`${name}\0${value}`, String.fromCharCode(0x80 | index));
  if (NAMED.has(name)) continue;
  NAMED.set(name, integer(index, 4, 0));
  SECRET_NAMED.set(name, integer(index, 4, 0x10));
}

/** Fields that no intermediary may put into a table either (RFC 7541, section 7.1.3). */
const SECRETS: ReadonlySet<string> = new Set([
  'authorization',
  'cookie',
  'proxy-authorization',
  'set-cookie',
]);

/** Names in lower case, pseudo-header fields first. */
export function encodeHeaders(fields: Iterable<HeaderField>): Buffer {
  let block = '';
  for (const { name, value } of fields) {
    const indexed = name.charCodeAt(0) === COLON ? INDEXED.get(`${name}\0${value}`) : undefined;
    block += indexed ?? nameOf(name) + lengthOf(value) + value;
  }
  return Buffer.from(block, 'latin1');
}

const COLON = 0x3a;

function nameOf(name: string): string {
  const isSecret = SECRETS.has(name);
  const known = (isSecret ? SECRET_NAMED : NAMED).get(name);
  return known ?? (isSecret ? '\x10' : '\0') + lengthOf(name) + name;
}

/** Returns the length of a string that is sent without Huffman coding. */
function lengthOf({ length }: string): string {
  return length < 0x7f ? String.fromCharCode(length) : integer(length, 7, 0);
}

/** Encodes an integer with a prefix of `prefix` bits below `pattern`. */
function integer(value: number, prefix: number, pattern: number): string {
  const most = (1 << prefix) - 1;
  if (value < most) return String.fromCharCode(pattern | value);
  let text = String.fromCharCode(pattern | most);
  let rest = value - most;
  while (rest >= 0x80) {
    text += String.fromCharCode((rest & 0x7f) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return text + String.fromCharCode(rest);
}
