/**
 * Checks the parts of a request that a user wrote.
 * Invariant: the content of a part never turns one request into two.
 */

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** True for capitals only, like the parser of captured requests. */
export function isMethod(text: string): boolean {
  return /^[A-Z][A-Z_-]{0,31}$/.test(text);
}

/** True for a path or `*`, no longer than the heads that are captured. */
export function isTarget(text: string): boolean {
  return text === '*' || /^\/[^\s\p{Cc}]{0,32000}$/u.test(text);
}

export function isHeader(name: string, value: string): boolean {
  return TOKEN.test(name) && /^[^\r\n\0]*$/.test(value);
}
