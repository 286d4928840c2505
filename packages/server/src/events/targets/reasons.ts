/**
 * Describes failures of a target for the owner of the destination. Pure.
 * Invariant: the text contains no secret.
 */
import { printableLine } from '../../errors/printable.ts';
import type { Answer } from './post.ts';

/** The daemon lacks a part that it needs for this target. The message is for the owner of the destination. */
export class TargetUnavailable extends Error {}

const SHOWN = 300;

/** Describes a request without a whole response. */
export function reasonOfError(error: unknown, host: string): string {
  const { name, code, message } = error as { name?: string; code?: string | number; message?: string };
  // The clients of the cloud also use this name for cut connections, whose code is a text.
  if (name === 'TimeoutError' && typeof code !== 'string') return `${host} did not answer in time`;
  if (name === 'InsideError') return String(message);
  if (code === 'ENOTFOUND') return `the name ${host} leads to no address`;
  if (code === 'ECONNREFUSED') return `${host} refuses connections`;
  return `the connection to ${host} failed: ${words(message ?? String(code))}`;
}

/** Describes a response that is no success. */
export function reasonOfAnswer({ status, text }: Answer, host: string, secret: string): string {
  const own = words(secret === '' ? text : text.replaceAll(secret, '…'));
  return `${host} answered ${status}${own === '' ? '' : `: ${own}`}`;
}

/** Returns the milliseconds that the target wants to wait; undefined if it names none. More than a day is ignored. */
export function waitOf({ headers }: Pick<Answer, 'headers'>): number | undefined {
  const seconds = headers['retry-after'] ?? headers['x-ratelimit-reset'];
  if (typeof seconds !== 'string' || !/^\d{1,5}$/.test(seconds)) return undefined;
  return Math.min(Number(seconds), 86_400) * 1000;
}

/** Returns the text on one line, shortened. */
export function words(text: string): string {
  return printableLine(text.replace(/\s+/g, ' ').trim().slice(0, SHOWN));
}
