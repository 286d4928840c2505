/** Encodes extensions of test certificates (RFC 5280, 4.2.1). They are written as openssl has them: `NAME=[critical,]VALUE,…`. */
import { createHash } from 'node:crypto';
import { isIPv4 } from 'node:net';
import { bits, der, oid, partsOf, sequence, Tag, text } from './der.ts';

interface Kind {
  readonly type: string;
  readonly encode: (values: readonly string[]) => Buffer;
}

const kinds: Readonly<Record<string, Kind>> = {
  keyUsage: { type: '2.5.29.15', encode: keyUsage },
  subjectAltName: { type: '2.5.29.17', encode: (names) => sequence(...names.map(alternativeName)) },
  basicConstraints: { type: '2.5.29.19', encode: basicConstraints },
  extendedKeyUsage: {
    type: '2.5.29.37',
    encode: (uses) => sequence(...uses.map((use) => oid(purposes[use] ?? use))),
  },
};

const purposes: Readonly<Record<string, string>> = {
  serverAuth: '1.3.6.1.5.5.7.3.1',
  clientAuth: '1.3.6.1.5.5.7.3.2',
};

/** Each is the bit of its place. */
const USAGES = [
  ...['digitalSignature', 'nonRepudiation', 'keyEncipherment', 'dataEncipherment', 'keyAgreement'],
  ...['keyCertSign', 'cRLSign'],
];
const nameTags: Readonly<Record<string, number>> = { email: 0x81, DNS: 0x82, URI: 0x86, IP: 0x87 };

/** Throws if the extension is unknown. */
export function extensionOf(line: string): Buffer {
  const [name = '', value = ''] = line.split(/=(.*)/s);
  const kind = kinds[name];
  if (kind === undefined)
    throw new Error(`the extension ${name} is unknown: use ${Object.keys(kinds).join(', ')}`);
  const values = value.split(',');
  const isCritical = values[0] === 'critical';
  const critical = isCritical ? [der(Tag.boolean, Buffer.of(0xff))] : [];
  const content = der(Tag.octets, kind.encode(isCritical ? values.slice(1) : values));
  return sequence(oid(kind.type), ...critical, content);
}

/** The identifier of a certificate's own key or of its issuer's, of which `spki` is the SubjectPublicKeyInfo. */
export function keyIdentifier(whose: 'own' | 'issuer', spki: Buffer): Buffer {
  const [, key = Buffer.alloc(0)] = partsOf(spki);
  // The bit string without its tag, length and number of unused bits.
  const content = key.subarray(key[1]! < 0x80 ? 3 : 3 + (key[1]! & 0x7f));
  const hash = createHash('sha1').update(content).digest();
  const value = whose === 'own' ? der(Tag.octets, hash) : sequence(der(0x80, hash));
  return sequence(oid(whose === 'own' ? '2.5.29.14' : '2.5.29.35'), der(Tag.octets, value));
}

function basicConstraints(values: readonly string[]): Buffer {
  return values.includes('CA:TRUE') ? sequence(der(Tag.boolean, Buffer.of(0xff))) : sequence();
}

function keyUsage(values: readonly string[]): Buffer {
  const places = values.map((value) => USAGES.indexOf(value));
  if (places.includes(-1)) throw new Error(`a key usage is unknown: use ${USAGES.join(', ')}`);
  const byte = places.reduce((sum, place) => sum | (0x80 >> place), 0);
  return bits(Buffer.of(byte), 7 - Math.max(...places));
}

/** `DNS:a.example`, `IP:::1` and so on. */
function alternativeName(name: string): Buffer {
  const [kind = '', value = ''] = name.split(/:(.*)/s);
  const tag = nameTags[kind];
  if (tag === undefined)
    throw new Error(`the kind of name ${kind} is unknown: use ${Object.keys(nameTags).join(', ')}`);
  return kind === 'IP' ? der(tag, addressBytes(value)) : text(tag, value);
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number));
  const [before = [], after = []] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}
