/** What may stand in a request that somebody wrote. Never that one becomes two by what is in it. */

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** As the parser of what goes by takes them: in capitals. */
export function isMethod(text: string): boolean {
  return /^[A-Z][A-Z_-]{0,31}$/.test(text);
}

/** Of the form of a path, or `*`; no longer than the heads that are looked at. */
export function isTarget(text: string): boolean {
  return text === '*' || /^\/[^\s\p{Cc}]{0,32000}$/u.test(text);
}

export function isHeader(name: string, value: string): boolean {
  return TOKEN.test(name) && /^[^\r\n\0]*$/.test(value);
}
