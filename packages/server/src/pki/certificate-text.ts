/** Reads certificates in the text of an X509Certificate element (xmldsig-core1, section 4.5.4), as providers and their users write it. */
import { type KeyObject, X509Certificate } from 'node:crypto';

/** Lines around base64 in PEM. They are no base64, so they can be left out. */
const armour = /-----(?:BEGIN|END) [A-Z0-9 ]+-----/;
/** White space of any kind, and characters without a width that pages add to copied text. */
const space = /[\s\u00ad\u200b-\u200d\u2060\ufeff]+/g;
/** Certificates of one element. */
const mostBlocks = 16;
/** Bits of an RSA modulus; shorter ones can be broken. */
const leastModulusBits = 2048;

/** The certificates that can verify a signature, and why each other one cannot. */
export interface ReadCertificates {
  readonly usable: readonly X509Certificate[];
  /** Each is a clause without an end. */
  readonly faults: readonly string[];
}

/** The bytes of each block of base64 in `text`, with or without PEM's lines. Other text between the lines is left out. */
export function derBlocksIn(text: string): readonly Buffer[] {
  return text
    .split(armour)
    .map((block) => block.replace(space, ''))
    .filter((block) => /^[A-Za-z0-9+/]+={0,2}$/.test(block))
    .slice(0, mostBlocks)
    .flatMap((block) => unwrapped(Buffer.from(block, 'base64')));
}

/** Some providers write the base64 of a whole PEM file. */
function unwrapped(bytes: Buffer): readonly Buffer[] {
  if (bytes[0] !== 0x2d) return [bytes];
  return bytes
    .toString('latin1')
    .split(armour)
    .map((block) => Buffer.from(block.replace(space, ''), 'base64'))
    .filter(({ length }) => length > 0)
    .slice(0, mostBlocks);
}

export function readCertificates(text: string): ReadCertificates {
  const read = derBlocksIn(text).map(judged);
  if (read.length === 0) return { usable: [], faults: [`an X509Certificate ${notBase64(text)}`] };
  return {
    usable: read.flatMap((one) => (typeof one === 'string' ? [] : one)),
    faults: read.flatMap((one) => (typeof one === 'string' ? one : [])),
  };
}

function notBase64(text: string): string {
  return text.trim() === '' ? 'is empty' : 'is not base64';
}

/** The certificate, or the reason why it cannot be used. */
function judged(der: Buffer): X509Certificate | string {
  let certificate: X509Certificate;
  let key: KeyObject;
  try {
    // The constructor would accept PEM as well.
    if (der[0] !== 0x30) throw new Error('no sequence');
    certificate = new X509Certificate(der);
    key = certificate.publicKey;
  } catch {
    return 'an X509Certificate is base64 of something else than a certificate';
  }
  const fault = faultOf(key);
  return fault === null
    ? certificate
    : `the certificate with the serial number ${certificate.serialNumber} has ${fault}`;
}

function faultOf({ asymmetricKeyType, asymmetricKeyDetails }: KeyObject): string | null {
  const { modulusLength = 0 } = asymmetricKeyDetails ?? {};
  if (asymmetricKeyType === 'ec') return null;
  if (asymmetricKeyType !== 'rsa')
    return `a key of the type ${asymmetricKeyType}, and RSA and EC keys are accepted`;
  if (modulusLength >= leastModulusBits) return null;
  return `an RSA key of ${modulusLength} bits, and ${leastModulusBits} are needed`;
}
