/**
 * Responses on the host of identity providers.
 * Invariant: they are never cached, and send no referrer to other sites.
 */
import type { Answer } from '../http-server/answer.ts';
import type { Visit } from './visit.ts';

/** A part of that name. */
export interface ProviderEndpoint {
  serves(path: string): boolean;
  /** Throws LoginFault, or rejects with it. */
  answer(visit: Visit): Answer | Promise<Answer>;
}

const common: Answer['headers'] = [
  ['cache-control', 'no-store'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
];

export function sentTo(status: 302 | 303, location: string): Answer {
  return { status, headers: [['location', location], ...common], body: null };
}

export function text(status: number, body: string): Answer {
  return { status, headers: [['content-type', 'text/plain; charset=utf-8'], ...common], body };
}

/** `script`: the source of the one script that it may run; 'none' for none. */
export function page(
  status: number,
  html: string,
  script = "'none'",
  fields: Answer['headers'] = [],
): Answer {
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src ${script}; frame-ancestors 'none'; base-uri 'none'`;
  return {
    status,
    headers: [
      ['content-type', 'text/html; charset=utf-8'],
      ['content-security-policy', policy],
      ...common,
      ...fields,
    ],
    body: html,
  };
}
