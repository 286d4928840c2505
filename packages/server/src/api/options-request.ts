/** Answers OPTIONS requests: the methods of a path, without a key (RFC 9110, section 9.3.7). */
import type { Answer } from './answer.ts';

/** The methods of a document that anyone may read. */
export const DOCUMENT_METHODS: readonly string[] = ['GET', 'HEAD', 'OPTIONS'];

const ALL_METHODS: readonly string[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** 204 with the methods in `Allow`. */
export function optionsAnswer(methods: readonly string[]): Answer {
  return { status: 204, headers: [['allow', methods.join(', ')]], body: null };
}

/** The answer for the service as a whole (`*`) and for its root, where browsers are redirected; null for other paths. */
export function serviceOptions(pathname: string): Answer | null {
  if (pathname === '*') return optionsAnswer(ALL_METHODS);
  return pathname === '/' ? optionsAnswer(DOCUMENT_METHODS) : null;
}
