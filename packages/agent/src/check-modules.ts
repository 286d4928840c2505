/**
 * Checks values of modules before they are sent, for the command and for programs.
 * Invariant: nothing is rejected that a service could accept.
 */
import { InvalidInput } from './address.ts';
import { checkAll } from './check-all.ts';
import { checkCidr } from './check-cidr.ts';
import { checkPattern } from './check-pattern.ts';

/** Names of a setting's two lists, as the user gives them. */
export interface ListNames {
  readonly allow: string;
  readonly deny: string;
}

/** Characters of a password. */
const PASSWORD = { least: 8, most: 128 };

/** Throws InvalidInput. `names`: of the lists, with `--` for flags in `remedy`. */
export function checkRanges(
  allow: readonly string[],
  deny: readonly string[],
  { names, remedy }: { readonly names: ListNames; readonly remedy: string },
): void {
  checkAll([
    ...allow.map((text) => () => checkCidr(text, names.allow)),
    ...deny.map((text) => () => checkCidr(text, names.deny)),
  ]);
  if (allow.length > 0 || deny.length === 0) return;
  throw new InvalidInput(
    `Ranges are denied and none is allowed, so that no visitor would get in. Give ${remedy}, too: 0.0.0.0/0 and ::/0 allow all.`,
    names.deny,
  );
}

/** Throws InvalidInput. */
export function checkPatterns(allow: readonly string[], deny: readonly string[], names: ListNames): void {
  checkAll([
    ...allow.map((text) => () => checkPattern(text, names.allow)),
    ...deny.map((text) => () => checkPattern(text, names.deny)),
  ]);
}

/** Returns the share of requests; `text`: as it was given. Throws InvalidInput. */
export function checkShare(value: number, text: string, flag: string): number {
  if (value >= 0 && value <= 1) return value;
  throw new InvalidInput(`"${text}" is no share of requests. Give a number from 0 to 1, such as 0.5.`, flag);
}

/** The message does not contain the password. Throws InvalidInput. */
export function checkPassword(username: string, { length }: string, flag: string): void {
  const { least, most } = PASSWORD;
  if (length < least || length > most)
    throw new InvalidInput(
      `The password of "${username}" has ${length} characters. Give one of ${least} to ${most}.`,
      flag,
    );
}

/** Throws InvalidInput. */
export function checkIssuer(text: string, flag: string): void {
  if (!isIssuer(text))
    throw new InvalidInput(
      `"${text.slice(0, 100)}" is not an issuer: an https URL without query, fragment and password. Give one such as https://accounts.example.com.`,
      flag,
    );
}

/** OpenID Connect Core, section 2. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  return url?.protocol === 'https:' && url.username === '' && url.password === '' && !/[?#]/.test(text);
}
