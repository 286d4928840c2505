/**
 * Writes the head of a request anew in HTTP/1.1 and in ASCII, if it came in HTTP/1.0 or with raw bytes in its target.
 *
 * Invariant: routes, guards and upstreams read the same bytes of the target.
 */
import { Field } from './fields.ts';
import type { Head } from './head.ts';

const RAW = /[\x80-\xff]/g;

export function needsRewriting(head: Head): boolean {
  return head.minorVersion === 0 || head.hasRawTarget;
}

/** The head and its empty line. `host` is for a request of HTTP/1.0 without a Host field; null: it stays without. */
export function rewrittenHead(head: Head, host: string | null): Buffer {
  const { bytes, start, methodEnd, targetEnd } = head;
  const target = encodedTarget(targetOf(head));
  const hostLine = host === null || head.has(Field.host) ? '' : `Host: ${host}\r\n`;
  const line = `${bytes.toString('latin1', start, methodEnd)} ${target} HTTP/1.1\r\n${hostLine}`;
  return Buffer.concat([Buffer.from(line, 'latin1'), bytes.subarray(targetEnd + VERSION_BYTES, head.end)]);
}

const VERSION_BYTES = ' HTTP/1.0\r\n'.length;

function targetOf({ bytes, targetStart, targetEnd }: Head): string {
  return bytes.toString('latin1', targetStart, targetEnd);
}

/** Percent-encodes each byte beyond ASCII, as browsers do. `target` has one character a byte. */
export function encodedTarget(target: string): string {
  return target.replace(RAW, (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`);
}
