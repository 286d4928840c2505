/**
 * Checks that a text is a private key, and the one of its certificate.
 * Invariant: nothing is rejected that a service could accept.
 */
import { createPrivateKey, type KeyObject, X509Certificate } from 'node:crypto';
import { InvalidInput } from './address.ts';
import { shellWord } from './command-line.ts';

interface Pem {
  /** Name in messages, such as `key file key.pem`. */
  readonly what: string;
  /** Path in remedies. */
  readonly path: string;
  readonly text: string;
}

/** Throws InvalidInput. */
export function checkKeyOf(certificate: Pem, key: Pem): void {
  const read = readKey(key);
  const certificates = certificatesIn(certificate.text);
  if (certificates === null || certificates.some((one) => one.checkPrivateKey(read))) return;
  throw new InvalidInput(
    `The ${key.what} is not that of the ${certificate.what}. Give the key with which it was requested.`,
    'key',
  );
}

const MARKER = /-----BEGIN ([A-Z ]*)PRIVATE KEY-----([\s\S]*?)-----END/;

function readKey({ what, path, text }: Pem): KeyObject {
  const [, kind, content = ''] = MARKER.exec(text) ?? [];
  const file = shellWord(path);
  if (kind === undefined)
    throw wrong(what, 'holds no private key', 'Give PEM that has "-----BEGIN PRIVATE KEY-----".');
  if (kind.startsWith('OPENSSH'))
    throw wrong(what, 'is in the format of OpenSSH', `Convert it: "ssh-keygen -p -m PEM -f ${file}".`);
  if (kind.startsWith('ENCRYPTED') || content.includes('ENCRYPTED'))
    throw wrong(
      what,
      'is encrypted',
      `Decrypt it: "openssl pkey -in ${file} -out key.pem", and give key.pem.`,
    );
  const key = keyIn(content);
  if (key === null) throw wrong(what, 'cannot be read', `Check it: "openssl pkey -in ${file} -noout".`);
  return key;
}

function wrong(what: string, fault: string, remedy: string): InvalidInput {
  return new InvalidInput(`The ${what} ${fault}. ${remedy}`, 'key');
}

/** Null: it is none. Armour is often damaged by editors, and the service reads what is in it. */
function keyIn(content: string): KeyObject | null {
  const der = Buffer.from(content.replaceAll(/\\[rn]|\s/g, ''), 'base64');
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: der, format: 'der', type });
    } catch {
      // The next form.
    }
  }
  return null;
}

/** Null: there are none, or some in a form that only the service reads. */
function certificatesIn(text: string): readonly X509Certificate[] | null {
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[\s\S]*?-----END CERTIFICATE-----/g);
  try {
    return blocks === null ? null : blocks.map((block) => new X509Certificate(block));
  } catch {
    return null;
  }
}
