/**
 * The options of automatic certificates.
 * Invariant: none of them is accepted without a certificate authority, and no secret is shown.
 */
import { accessSync, constants } from 'node:fs';
import { resolve } from 'node:path';
import type { AcmeConfig } from '../acme/acme-config.ts';
import { readCertificates } from '../pki/certificate-texts.ts';
import { readNamedFile } from '../system/named-file.ts';
import { isOn } from './on-off.ts';
import { ConfigError, type Values } from './options.ts';
import { wholeNumber } from './whole-number.ts';

const DEPENDENT = [
  'acme-ca',
  'acme-email',
  'acme-eab-kid',
  'acme-eab-hmac-key',
  'acme-orders-per-hour',
  'acme-service-names',
  'dns-hook',
];

/** Null: no certificates are got. Throws ConfigError. */
export function toAcme(values: Values): AcmeConfig | null {
  const one = (flag: string): string | undefined => values.get(flag)?.[0];
  const directory = one('acme-directory');
  if (directory === undefined) {
    const given = DEPENDENT.find((flag) => values.has(flag));
    if (given === undefined) return null;
    throw new ConfigError(`--${given}: needs --acme-directory, the URL of a certificate authority`);
  }
  return {
    directory: directoryUrl(directory),
    authorities: authorities(one('acme-ca')),
    email: email(one('acme-email')),
    externalAccount: externalAccount(one('acme-eab-kid'), one('acme-eab-hmac-key')),
    ordersPerHour: wholeNumber(values, 'acme-orders-per-hour', 50, { first: 0, last: 1000 }),
    serviceNames: isOn('acme-service-names', values),
    dnsHook: command(one('dns-hook')),
  };
}

function directoryUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === 'https:' && url.username === '' && url.hash === '') return url.href;
  throw new ConfigError(
    `--acme-directory ${text}: must be the https:// URL of a directory, for example https://acme.example.com/directory`,
  );
}

/** A relative path is seen from where the program was started. */
function authorities(file: string | undefined): readonly string[] {
  if (file === undefined) return [];
  const read = readCertificates(readText(resolve(file)));
  if (typeof read !== 'string') return read.certificates.map(String);
  throw new ConfigError(`--acme-ca ${file}: must be certificates in PEM, and nothing else`);
}

function readText(path: string): string {
  try {
    return readNamedFile(path);
  } catch (error) {
    throw new ConfigError(`--acme-ca ${path}: ${(error as Error).message}`);
  }
}

function email(text: string | undefined): string | null {
  if (text === undefined) return null;
  // A comma or a question mark would be more than one address (RFC 8555, section 7.3).
  if (/^[^\s\p{C}@,?]+@[^\s\p{C}@,?]+$/u.test(text)) return text;
  throw new ConfigError(`--acme-email ${text}: must be an address such as ops@example.com`);
}

function externalAccount(
  kid: string | undefined,
  hmacKey: string | undefined,
): AcmeConfig['externalAccount'] {
  if (kid === undefined && hmacKey === undefined) return null;
  if (kid === undefined || hmacKey === undefined)
    throw new ConfigError(
      '--acme-eab-kid and --acme-eab-hmac-key: give both, as the certificate authority did',
    );
  if (/^[\w-]{16,}$/.test(hmacKey)) return { kid, hmacKey };
  throw new ConfigError(
    '--acme-eab-hmac-key: must be a key in base64url, as the certificate authority gave it',
  );
}

/** A relative path is seen from where the program was started. */
function command(file: string | undefined): string | null {
  if (file === undefined) return null;
  const path = resolve(file);
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    throw new ConfigError(
      `--dns-hook ${file}: must be the path of a command that can be run; it is called with "add NAME VALUE" and "remove NAME"`,
    );
  }
}
