/** Trailers, between the lines of HTTP/1.1 and the fields of HTTP/2. */
import type { HeaderField, HeaderList } from '@underpass/wire/http2';

/** Returns the fields of a section that was validated already: well-formed lines and the empty one. */
export function trailerFields(section: Buffer): HeaderField[] {
  const lines = section.toString('latin1').split('\r\n');
  return lines
    .filter((line) => line !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return {
        name: line.slice(0, colon).toLowerCase(),
        value: line.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, ''),
      };
    });
}

/** The lines, and the empty one; null where a field cannot be in trailers, or in a message at all. */
export function trailerSection({ fields, isTooLarge }: HeaderList): string | null {
  if (isTooLarge) return null;
  let section = '';
  for (const { name, value, isSound } of fields) {
    if (!isSound || name.startsWith(':')) return null;
    section += `${name}: ${value}\r\n`;
  }
  return `${section}\r\n`;
}
