/** Writes XML of definitions. */
import { InvalidInput } from '../address.ts';

/** Returns an element with a text. Throws InvalidInput for control characters. */
export function element(name: string, text: string | number | boolean): string {
  return `<${name}>${escaped(String(text))}</${name}>`;
}

function escaped(text: string): string {
  if (/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/u.test(text))
    throw new InvalidInput(
      `${JSON.stringify(text)} cannot be part of a service. Give a path without control characters.`,
    );
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
