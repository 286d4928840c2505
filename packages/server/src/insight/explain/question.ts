/** The request that an explanation is about, read from the body of the operation. */
import type { X509Certificate } from 'node:crypto';
import { formatIpAddress, parseIpAddress } from '../../core/ip/ip-address.ts';
import { Problem } from '../../errors/problem.ts';
import { readCertificates } from '../../pki/certificate-texts.ts';
import type { ExplainFields } from '../../resources/standalone/explain.ts';
import { parseTarget, type Target } from './target.ts';

export interface Question {
  readonly target: Target;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Canonical, without a port. */
  readonly clientIp: string;
  /** The certificate of the client first; empty for none. */
  readonly certificates: readonly X509Certificate[];
  /** Names of modules that count as passed. */
  readonly without: ReadonlySet<string>;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const BROKEN = /[\r\n\0]/;

/** Throws Problem. */
export function readQuestion(fields: ExplainFields): Question {
  const { url, method = 'GET', headers = {}, client_ip, client_certificate = '', without = [] } = fields;
  if (!TOKEN.test(method)) throw unsendable('method', method, '/method');
  const all = Object.entries(headers);
  for (const [name, value] of all) {
    if (!TOKEN.test(name)) throw unsendable('header name', name, '/headers');
    // The value may be a secret.
    if (BROKEN.test(value)) throw unsendable('value of the header', name, '/headers');
  }
  const address = parseIpAddress(client_ip);
  if (address === null)
    throw new Problem('explainAddressInvalid', { value: client_ip }, { field: '/client_ip' });
  return {
    target: parseTarget(url),
    ...{ method, headers: all, clientIp: formatIpAddress(address) },
    certificates: client_certificate === '' ? [] : certificatesIn(client_certificate),
    without: new Set(without),
  };
}

function unsendable(part: string, value: string, field: string): Problem {
  return new Problem('explainHeadInvalid', { part, value }, { field });
}

function certificatesIn(text: string): readonly X509Certificate[] {
  const read = readCertificates(text);
  if (typeof read !== 'string') return read.certificates;
  throw new Problem('explainCertificateInvalid', {}, { field: '/client_certificate' });
}
