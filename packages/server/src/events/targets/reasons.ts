/** What went wrong at a target, in a sentence for the owner of the destination. Never that a secret is in it. Pure. */
import { printableLine } from '../../errors/printable.ts';
import type { Answer } from './post.ts';

/** The daemon lacks something without which it cannot bring events there; the message is for the owner of the destination. */
export class TargetUnavailable extends Error {}

const SHOWN = 300;

/** Nothing came back, or no whole answer. */
export function reasonOfError(error: unknown, host: string): string {
  const { name, code, message } = error as { name?: string; code?: string | number; message?: string };
  // The clients of the cloud give this name to connections that were cut, too, which have a code in letters.
  if (name === 'TimeoutError' && typeof code !== 'string') return `${host} did not answer in time`;
  if (name === 'InsideError') return String(message);
  if (code === 'ENOTFOUND') return `the name ${host} leads to no address`;
  if (code === 'ECONNREFUSED') return `${host} refuses connections`;
  return `the connection to ${host} failed: ${words(message ?? String(code))}`;
}

/** What came back was no success. */
export function reasonOfAnswer({ status, text }: Answer, host: string, secret: string): string {
  const own = words(secret === '' ? text : text.replaceAll(secret, '…'));
  return `${host} answered ${status}${own === '' ? '' : `: ${own}`}`;
}

/** How long the target asks to wait; undefined when it does not say. Longer than a day is not believed. */
export function waitOf({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const seconds = headers['retry-after'] ?? headers['x-ratelimit-reset'];
  if (typeof seconds !== 'string' || !/^\d{1,5}$/.test(seconds)) return undefined;
  return Math.min(Number(seconds), 86_400) * 1000;
}

/** On one line, and not long. */
export function words(text: string): string {
  return printableLine(text.replace(/\s+/g, ' ').trim().slice(0, SHOWN));
}
