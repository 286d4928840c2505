/** A member name as a step of a JSON pointer (RFC 6901, section 3). */
export function pointerStep(name: string): string {
  return shorten(name).replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Keeps a message readable when a client sends a novel where a name belongs. */
export function shorten(text: string): string {
  return text.length > 260 ? `${text.slice(0, 260)}…` : text;
}
