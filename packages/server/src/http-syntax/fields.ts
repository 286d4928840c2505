/**
 * The header fields that the edge acts on, each with a small number, so that a head is read without making a string per
 * header.
 */
import { FOLD } from './bytes.ts';

export const Field = {
  /** Anything that is passed on as it is. */
  other: 0,
  host: 1,
  connection: 2,
  contentLength: 3,
  transferEncoding: 4,
  te: 5,
  trailer: 6,
  upgrade: 7,
  expect: 8,
  keepAlive: 9,
  proxyConnection: 10,
  proxyAuthenticate: 11,
  proxyAuthorization: 12,
  http2Settings: 13,
  forwardedFor: 14,
  forwardedProto: 15,
  forwardedHost: 16,
  accept: 17,
  authorization: 18,
  /** `underpass-…` and the fields that a profile renames. Only this service may send them. */
  ours: 19,
  cdnLoop: 21,
  cookie: 22,
  /** Statements of proxies about the visitor, such as `X-Forwarded-…`. The edge writes its own or none. */
  aboutVisitor: 23,
  /** Spelled with `_` for `-`, what would be one of the above: an upstream may take the one for the other. */
  underscored: 20,
  /** Gives the request another path or method at some upstream, with `_` for `-` as well. */
  replacesTarget: 24,
  location: 25,
} as const;
export type Field = (typeof Field)[keyof typeof Field];

export const FIELD_COUNT = 26;

/**
 * Fields that never cross a hop unchanged (RFC 9110, section 7.6.1), in either direction. Includes the fields that
 * only this service may send.
 */
export const NOT_ACROSS: readonly Field[] = [
  Field.connection,
  Field.te,
  Field.upgrade,
  Field.keepAlive,
  Field.proxyConnection,
  Field.proxyAuthenticate,
  Field.proxyAuthorization,
  Field.http2Settings,
  Field.ours,
];

/**
 * Fields by which a proxy or client replaces parts of the request line. Frameworks and servers read them so.
 * `X-Forwarded-…` is below.
 */
const REPLACING_TARGET = [
  'x-original-url',
  'x-original-uri',
  'x-original-path',
  'x-original-method',
  'x-original-http-command',
  'x-orig-url',
  'x-rewrite-url',
  'x-rewrite-uri',
  'x-rewrite-path',
  'x-override-url',
  'x-override-uri',
  'x-override-path',
  'x-override-method',
  'x-request-uri',
  'x-request-path',
  'x-http-path-override',
  'x-path-override',
  'x-http-method-override',
  'x-http-method',
  'x-http-verb',
  'x-method',
  'x-method-override',
  'x-http-destinationurl',
  'x-envoy-original-path',
  'x-envoy-original-method',
  'x-waws-unencoded-url',
  'x-arr-original-url',
  'unencoded-url',
  'http-method-override',
  'method-override',
  'request-uri',
  // Gunicorn takes these from a proxy on its own machine, as an agent is.
  'script-name',
  'path-info',
  'x-script-name',
  'x-path-info',
];

const NAMES: readonly (readonly [string, Field])[] = [
  ['host', Field.host],
  ['connection', Field.connection],
  ['content-length', Field.contentLength],
  ['transfer-encoding', Field.transferEncoding],
  ['te', Field.te],
  ['trailer', Field.trailer],
  ['upgrade', Field.upgrade],
  ['expect', Field.expect],
  ['keep-alive', Field.keepAlive],
  ['proxy-connection', Field.proxyConnection],
  ['proxy-authenticate', Field.proxyAuthenticate],
  ['proxy-authorization', Field.proxyAuthorization],
  ['http2-settings', Field.http2Settings],
  ['x-forwarded-for', Field.forwardedFor],
  ['x-forwarded-proto', Field.forwardedProto],
  ['x-forwarded-host', Field.forwardedHost],
  ['accept', Field.accept],
  ['authorization', Field.authorization],
  ['cdn-loop', Field.cdnLoop],
  ['cookie', Field.cookie],
  ['location', Field.location],
  ['forwarded', Field.aboutVisitor],
  ['x-real-ip', Field.aboutVisitor],
  ['true-client-ip', Field.aboutVisitor],
  ...REPLACING_TARGET.map((name) => [name, Field.replacesTarget] as const),
];

/** Names that begin like this, unless they are among those above. */
const PREFIXES: readonly (readonly [Uint8Array, Field])[] = [
  [Buffer.from('underpass-'), Field.ours],
  [Buffer.from('x-forwarded-'), Field.aboutVisitor],
];

interface Candidate {
  readonly name: Uint8Array;
  readonly field: Field;
}

const LONGEST = Math.max(...NAMES.map(([name]) => name.length));
const BY_LENGTH: readonly (readonly Candidate[])[] = Array.from({ length: LONGEST + 1 }, (_, length) =>
  NAMES.filter(([name]) => name.length === length).map(([name, field]) => ({
    name: Buffer.from(name),
    field,
  })),
);
const UNDERSCORE = 0x5f;

/**
 * Returns the number of the field name between `start` and `end`, in upper or lower case. `own`: further names that
 * only this service may send, see `ownNames`.
 */
export function fieldAt(bytes: Uint8Array, start: number, end: number, own: readonly Uint8Array[]): Field {
  const length = end - start;
  const first = FOLD[bytes[start]!];
  for (let i = 0; i < own.length; i += 1) {
    const name = own[i]!;
    if (length === name.length && first === name[0] && foldsTo(bytes, start, name)) return Field.ours;
  }
  if (length <= LONGEST) {
    const candidates = BY_LENGTH[length]!;
    for (let i = 0; i < candidates.length; i += 1) {
      const { name, field } = candidates[i]!;
      if (name[0] === first && foldsTo(bytes, start, name)) {
        if (field === Field.replacesTarget) return field;
        return hasUnderscore(bytes, start, end) ? Field.underscored : field;
      }
    }
  }
  for (let i = 0; i < PREFIXES.length; i += 1) {
    const [prefix, field] = PREFIXES[i]!;
    if (prefix[0] === first && length >= prefix.length && foldsTo(bytes, start, prefix)) return field;
  }
  return Field.other;
}

/** Returns the names, in lower case, that the list above lacks. */
export function ownNames(names: readonly string[]): readonly Uint8Array[] {
  return names
    .map((name) => Buffer.from(name))
    .filter((bytes) => fieldAt(bytes, 0, bytes.length, []) !== Field.ours);
}

function foldsTo(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let i = 1; i < name.length; i += 1) if (FOLD[bytes[start + i]!] !== name[i]) return false;
  return true;
}

function hasUnderscore(bytes: Uint8Array, start: number, end: number): boolean {
  for (let i = start; i < end; i += 1) if (bytes[i] === UNDERSCORE) return true;
  return false;
}
