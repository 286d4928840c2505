/** The request that `underpass explain` describes, read from its flags. */
import { resolve } from 'node:path';
import type { ExplanationRequest } from '@underpass/client';
import { InvalidInput } from '../address.ts';
import { readServedCertificates } from '../certificate-files.ts';
import type { ApiFlags } from './settings.ts';

export interface ExplainFlags extends ApiFlags {
  readonly from: string;
  readonly request?: string;
  readonly header?: readonly string[];
  readonly clientCertificate?: string;
  /** Unchecked: the API refuses unknown ones. */
  readonly without?: NonNullable<ExplanationRequest['without']>;
  /** Unchecked. */
  readonly expect?: readonly string[];
  readonly json?: boolean;
}

/** A request for the API to explain. */
export interface DescribedRequest {
  readonly url: string;
  readonly client_ip: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly client_certificate?: string;
  readonly without?: NonNullable<ExplanationRequest['without']>;
}

/** Values of equal header names are joined with commas, as HTTP allows. Throws InvalidInput. */
export function describedRequest(url: string, flags: ExplainFlags, cwd: string): DescribedRequest {
  const { from, request, header = [], clientCertificate: file, without } = flags;
  const headers = new Map<string, string>();
  for (const line of header) {
    const colon = line.indexOf(':');
    if (colon < 1)
      throw new InvalidInput('A header has no name before a colon. Give "name: value".', 'header');
    const name = line.slice(0, colon).trim().toLowerCase();
    const value = line.slice(colon + 1).trim();
    const earlier = headers.get(name);
    headers.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return {
    ...{ url, client_ip: from },
    ...(request === undefined ? {} : { method: request }),
    ...(headers.size === 0 ? {} : { headers: Object.fromEntries(headers) }),
    ...(file === undefined ? {} : { client_certificate: readPem(resolve(cwd, file)) }),
    ...(without === undefined ? {} : { without }),
  };
}

function readPem(path: string): string {
  return readServedCertificates(path, 'The client certificate', 'client-certificate');
}
