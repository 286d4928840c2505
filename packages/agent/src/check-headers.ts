/** Checks headers that a service is to add or remove, before they are sent. */
import { InvalidInput } from './address.ts';

/** A token of RFC 9110, section 5.6.2. */
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const VALUE = /^[\t\x20-\x7e]{0,4096}$/;
const MOST = 10;

/** `name:value` lines. The messages do not repeat a value, which may be a secret. Throws InvalidInput. `flag`: what has given them. */
export function checkAddedHeaders(lines: readonly string[], flag: string): void {
  checkCount(lines, flag);
  const names = new Set<string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    if (colon < 1) throw new InvalidInput('A header lacks its name or its value. Give NAME:VALUE.', flag);
    const name = line.slice(0, colon).trim().toLowerCase();
    checkName(name, flag);
    if (names.has(name)) throw new InvalidInput(`The header "${name}" is given twice. Give it once.`, flag);
    names.add(name);
    if (!VALUE.test(line.slice(colon + 1).trim()))
      throw new InvalidInput(
        `The value of "${name}" is not possible. Give up to 4096 printable ASCII characters.`,
        flag,
      );
  }
}

/** Throws InvalidInput. `flag`: what has given them. */
export function checkRemovedHeaders(names: readonly string[], flag: string): void {
  checkCount(names, flag);
  for (const name of names) checkName(name.trim(), flag);
}

function checkCount({ length }: readonly string[], flag: string): void {
  if (length > MOST) throw new InvalidInput(`There are ${length} headers. Give at most ${MOST}.`, flag);
}

function checkName(name: string, flag: string): void {
  if (NAME.test(name)) return;
  throw new InvalidInput(
    `"${name.slice(0, 100)}" is not the name of a header. Give 1 to 128 letters, digits and hyphens.`,
    flag,
  );
}
