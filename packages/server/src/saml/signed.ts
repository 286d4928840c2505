/**
 * Opens what an identity provider has signed (W3C, xmldsig-core1), in the one form that SAML has it in (saml-core-2.0-os, section 5.4).
 * Invariant: nothing is returned but what is read anew from the verified bytes.
 */
import { createHash, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { Element } from '@xmldom/xmldom';
import { derBlocksIn } from '../pki/certificate-text.ts';
import { children, elementsIn } from '../pki/xml.ts';
import { base64Bytes, listIn } from '../pki/xml-types.ts';
import { canonical } from './canonical.ts';
import { readMessage } from './message.ts';
import { enveloped, exclusive, rsaSha256, sha256, signature } from './names.ts';
import { quoted, refused } from './refused.ts';

const more = 'http://www.w3.org/2001/04/xmldsig-more#';

type Hash = 'sha256' | 'sha384' | 'sha512';

export interface SignatureMethod {
  readonly hash: Hash;
  readonly keys: 'rsa' | 'ec';
}

/** Never one with SHA-1, or with a secret in the place of a key pair. */
export const signatureMethods: ReadonlyMap<string, SignatureMethod> = new Map([
  [rsaSha256, { hash: 'sha256', keys: 'rsa' }],
  [`${more}rsa-sha384`, { hash: 'sha384', keys: 'rsa' }],
  [`${more}rsa-sha512`, { hash: 'sha512', keys: 'rsa' }],
  [`${more}ecdsa-sha256`, { hash: 'sha256', keys: 'ec' }],
  [`${more}ecdsa-sha384`, { hash: 'sha384', keys: 'ec' }],
  [`${more}ecdsa-sha512`, { hash: 'sha512', keys: 'ec' }],
]);

const digestMethods: ReadonlyMap<string, Hash> = new Map([
  [sha256, 'sha256'],
  [`${more}sha384`, 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
]);

/** Comments are in no message that is read, so that it does not matter whether they are kept. */
const canonicalMethods: ReadonlySet<string> = new Set([exclusive, `${exclusive}WithComments`]);

/** The list is searched for each element, before its author is verified. */
const mostPrefixes = 32;

export interface Opened<Key> {
  /** Read anew from the verified bytes, and in no document but its own. */
  readonly element: Element;
  /** Key that has signed it. */
  readonly key: Key;
}

/** A key that may have signed, and whatever it is known by. */
export interface VerificationKey {
  readonly publicKey: KeyObject;
  /** SHA-256 of the certificate in DER, in hex. Absent: the key is found by trying it alone. */
  readonly certificateDigest?: string;
}

/** Certificates of one KeyInfo that are compared. */
const mostNamed = 8;

/** `signed`: an element of `readMessage` with a signature of its own. Throws LoginFault. */
export function open<Key extends VerificationKey>(signed: Element, keys: readonly Key[]): Opened<Key> {
  const own = children(signed, signature, 'Signature');
  const [sign] = own;
  if (sign === undefined) throw refused('unsigned', 'it has no signature of its own');
  if (own.length > 1) throw refused('signature form', 'it has several signatures');
  const [info, value, ...others] = elementsIn(sign);
  const [keyInfo] = others;
  const isKnown = (element: Element | undefined, name: string): element is Element =>
    element !== undefined && element.namespaceURI === signature && element.localName === name;
  const isWhole = isKnown(info, 'SignedInfo') && isKnown(value, 'SignatureValue');
  if (!isWhole || others.length > 1 || others.some((other) => !isKnown(other, 'KeyInfo')))
    throw refused('signature form', 'the signature is not made of SignedInfo, SignatureValue and KeyInfo');
  const infoBytes = canonical(info, { inclusive: prefixesIn(canonicalMethodOf(info)) });
  const reading = readMessage(infoBytes.toString('utf8'));
  const method = methodCalled(algorithmOf(only(reading, 'SignatureMethod')));
  const signatureBytes = bytesOf(value);
  // A digest costs far less than a key: what does not fit is refused before any key is tried.
  const bytes = referencedBytes(reading, signed, sign);
  const key = keyThatSigned(infoBytes, signatureBytes, method, namedFirst(keys, keyInfo));
  return { element: readMessage(bytes.toString('utf8')), key };
}

/** The method of this URI. Throws LoginFault. */
export function methodCalled(uri: string): SignatureMethod {
  const method = signatureMethods.get(uri);
  if (method !== undefined) return method;
  throw refused('signature algorithm', `the algorithm ${quoted(uri)} of the signature is not taken`);
}

/** The first of the keys that has signed the bytes. All are tried; the size of the metadata bounds their number. Throws LoginFault. */
export function keyThatSigned<Key extends VerificationKey>(
  bytes: Buffer,
  value: Buffer,
  method: SignatureMethod,
  keys: readonly Key[],
): Key {
  const fitting = keys.filter(({ publicKey }) => publicKey.asymmetricKeyType === method.keys);
  const key = fitting.find((one) => isSignedBy(one.publicKey, method, bytes, value));
  if (key !== undefined) return key;
  throw refused('signature', 'no certificate of the metadata has made the signature');
}

/** The keys whose certificates the KeyInfo has, and behind them the others: providers send none, or another one of the same key. */
function namedFirst<Key extends VerificationKey>(
  keys: readonly Key[],
  keyInfo: Element | undefined,
): readonly Key[] {
  if (keyInfo === undefined || keys.length < 2) return keys;
  const named = new Set(
    children(keyInfo, signature, 'X509Data')
      .flatMap((data) => children(data, signature, 'X509Certificate'))
      .slice(0, mostNamed)
      .flatMap((element) => derBlocksIn(element.textContent ?? '').slice(0, mostNamed))
      .map(certificateDigestOf),
  );
  const isNamed = ({ certificateDigest = '' }: VerificationKey): boolean => named.has(certificateDigest);
  return [...keys.filter(isNamed), ...keys.filter((key) => !isNamed(key))];
}

/** Returns the SHA-256 digest of a certificate in hexadecimal, as VerificationKey has it. */
export function certificateDigestOf(der: Buffer): string {
  return createHash('sha256').update(der).digest('hex');
}

/** The two numbers of ECDSA as XML Signature writes them (section 6.4.3), and as OpenSAML does in queries. */
const dsaEncodings = ['ieee-p1363', 'der'] as const;

function isSignedBy(key: KeyObject, { hash, keys }: SignatureMethod, bytes: Buffer, value: Buffer): boolean {
  if (key.asymmetricKeyType !== keys) return false;
  if (keys === 'rsa') return verify(hash, bytes, key, value);
  return dsaEncodings.some((dsaEncoding) => verify(hash, bytes, { key, dsaEncoding }, value));
}

/**
 * Returns the canonical bytes of the element around the signature, if their digest equals that of `info`. Throws
 * LoginFault.
 */
function referencedBytes(info: Element, signed: Element, sign: Element): Buffer {
  const reference = only(info, 'Reference');
  const id = signed.getAttribute('ID') ?? '';
  if (id === '' || reference.getAttribute('URI') !== `#${id}`)
    throw refused('signature reference', 'the signature refers to another element than its parent');
  const transforms = children(only(reference, 'Transforms'), signature, 'Transform');
  const [first, second, ...others] = transforms;
  if (first === undefined || second === undefined || others.length > 0 || algorithmOf(first) !== enveloped)
    throw refused(
      'signature transform',
      'the signature is not enveloped and of the exclusive canonical form',
    );
  const bytes = canonical(signed, { without: sign, inclusive: prefixesIn(second) });
  const uri = algorithmOf(only(reference, 'DigestMethod'));
  const hash = digestMethods.get(uri);
  if (hash === undefined)
    throw refused('digest algorithm', `the algorithm ${quoted(uri)} of the digest is not taken`);
  const expected = bytesOf(only(reference, 'DigestValue'));
  const actual = createHash(hash).update(bytes).digest();
  if (actual.length !== expected.length || !timingSafeEqual(actual, expected))
    throw refused('digest', 'it was changed after it was signed');
  return bytes;
}

function canonicalMethodOf(info: Element): Element {
  return only(info, 'CanonicalizationMethod');
}

/** Returns the prefixes of the only accepted canonicalization. */
function prefixesIn(method: Element): readonly string[] {
  const uri = algorithmOf(method);
  if (!canonicalMethods.has(uri))
    throw refused('signature transform', `the canonical form ${quoted(uri)} is not taken`);
  const [list] = children(method, exclusive, 'InclusiveNamespaces');
  const prefixes = listIn(list?.getAttribute('PrefixList') ?? '');
  if (prefixes.length > mostPrefixes) throw refused('complexity', 'the signature names too many namespaces');
  return prefixes.map((prefix) => (prefix === '#default' ? '' : prefix));
}

function algorithmOf(element: Element): string {
  return element.getAttribute('Algorithm') ?? '';
}

function bytesOf(element: Element): Buffer {
  if (elementsIn(element).length > 0) throw refused('signature form', 'a value of the signature has parts');
  const bytes = base64Bytes(element.textContent ?? '');
  if (bytes === null) throw refused('signature form', `the ${element.localName} is not base64`);
  return bytes;
}

function only(parent: Element, name: string): Element {
  const [first, ...others] = children(parent, signature, name);
  if (first === undefined || others.length > 0)
    throw refused('signature form', `the signature has not exactly one ${name}`);
  return first;
}
