/** Makes X.509 certificates (RFC 5280) for tests, with Node alone. Names and extensions are written as openssl has them. */
import {
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { bits, der, integer, oid, partsOf, sequence, Tag, text } from './der.ts';
import { extensionOf, keyIdentifier } from './make-extension.ts';
import { type KeyKind, makeKey } from './make-key.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const attributes: Readonly<Record<string, readonly [type: string, tag: number]>> = {
  CN: ['2.5.4.3', Tag.utf8],
  C: ['2.5.4.6', Tag.printable],
  L: ['2.5.4.7', Tag.utf8],
  ST: ['2.5.4.8', Tag.utf8],
  O: ['2.5.4.10', Tag.utf8],
  OU: ['2.5.4.11', Tag.utf8],
};

/** A certificate and its key in PEM, the key as PKCS#8. */
export interface Made {
  readonly pem: string;
  readonly key: string;
}

export interface CertificateParts {
  /** Such as `/C=DE/CN=a.example.com`. */
  readonly subject: string;
  /** Default: `ec`. */
  readonly key?: KeyKind | undefined;
  /** Such as `keyUsage=critical,keyCertSign`, beside the identifiers of the keys. Default: none. */
  readonly extensions?: readonly string[] | undefined;
  /** True if it states the identifiers of its own key and of its issuer's key; default true. */
  readonly hasIdentifiers?: boolean | undefined;
  /** Days of validity from now on; default 2. A negative number makes an expired certificate. */
  readonly days?: number | undefined;
  /** Hexadecimal digits; default: 16 random bytes. */
  readonly serial?: string | undefined;
  /** Default: the certificate signs itself. */
  readonly signer?: Made | undefined;
}

export const isAuthority = ['basicConstraints=critical,CA:TRUE', 'keyUsage=keyCertSign,cRLSign'] as const;

/** Throws if a name or an extension is unknown. */
export function makeCertificate(parts: CertificateParts): Made {
  const { subject, days = 2, serial = `40${randomBytes(15).toString('hex')}` } = parts;
  const key = makeKey(parts.key ?? 'ec');
  const signer = parts.signer === undefined ? key : createPrivateKey(parts.signer.key);
  const name = nameOf(subject);
  const algorithm = signatureAlgorithm(signer);
  const identifiers = [
    keyIdentifier('own', publicKey(key)),
    ...(parts.signer === undefined ? [] : [keyIdentifier('issuer', publicKey(signer))]),
  ];
  const extensions = [
    ...(parts.extensions ?? []).map(extensionOf),
    ...((parts.hasIdentifiers ?? true) ? identifiers : []),
  ];
  const now = Date.now();
  const body = sequence(
    der(0xa0, integer('02')),
    integer(serial),
    algorithm,
    parts.signer === undefined ? name : subjectOf(parts.signer.pem),
    sequence(time(now), time(now + days * DAY_MS)),
    name,
    publicKey(key),
    ...(extensions.length === 0 ? [] : [der(0xa3, sequence(...extensions))]),
  );
  const digest = isEdwards(signer) ? null : 'sha256';
  const whole = sequence(body, algorithm, bits(sign(digest, body, signer)));
  return {
    pem: new X509Certificate(whole).toString(),
    key: key.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** A server's certificate for these names as `openssl req -x509` makes it: an authority, too. The first name is its common name. */
export function selfSigned(...names: readonly string[]): Made {
  const list = names.map((name) => `DNS:${name}`).join();
  const extensions = ['basicConstraints=critical,CA:TRUE', `subjectAltName=${list}`];
  return makeCertificate({ subject: `/CN=${names[0]}`, extensions });
}

/** Its SubjectPublicKeyInfo. */
function publicKey(key: KeyObject): Buffer {
  return createPublicKey(key).export({ type: 'spki', format: 'der' });
}

function nameOf(subject: string): Buffer {
  const parts = subject.split('/').slice(1);
  return sequence(
    ...parts.map((part) => {
      const [kind = '', value = ''] = part.split(/=(.*)/s);
      const [type, tag] = known(attributes, kind);
      return der(Tag.set, sequence(oid(type), text(tag, value)));
    }),
  );
}

/** Returns the subject byte by byte as in the certificate. */
function subjectOf(pem: string): Buffer {
  const [body = Buffer.alloc(0)] = partsOf(new X509Certificate(pem).raw);
  const [, , , , , subject = Buffer.alloc(0)] = partsOf(body);
  return subject;
}

function signatureAlgorithm(key: KeyObject): Buffer {
  if (key.asymmetricKeyType === 'rsa') return sequence(oid('1.2.840.113549.1.1.11'), der(Tag.null));
  if (key.asymmetricKeyType === 'ec') return sequence(oid('1.2.840.10045.4.3.2'));
  return sequence(oid(key.asymmetricKeyType === 'ed25519' ? '1.3.101.112' : '1.3.101.113'));
}

function isEdwards(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'ed25519' || key.asymmetricKeyType === 'ed448';
}

/** Whole seconds, until 2049. */
function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/\D/g, '');
  return text(Tag.utcTime, `${digits.slice(2, 14)}Z`);
}

function known<T>(table: Readonly<Record<string, T>>, name: string): T {
  const found = table[name];
  if (found === undefined)
    throw new Error(`the attribute ${name} is unknown: use ${Object.keys(table).join(', ')}`);
  return found;
}
