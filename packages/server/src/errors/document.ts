/** `docs/build/errors.md`, from the catalogue. */
import { type CatalogueEntry, catalogue } from './catalogue.ts';

const OWN_NUMBERS_FROM = 60000;

/** The page on errors for users, in Markdown: a heading per code, made from the catalogue, in the order of the numbers. */
export function errorsMarkdown(): string {
  const entries = Object.entries<CatalogueEntry>(catalogue).flatMap(numbered);
  entries.sort((one, other) => one.number - other.number);
  return [
    '# Errors',
    '',
    'Made from `packages/server/src/errors/catalogue.ts`; do not edit.',
    '',
    'Every error of the API is a JSON object with `error_code`, `status_code`, `msg` and `details`. `details` always has the',
    '`operation_id` that the log of the service has, too, and may have `field` (JSON pointer or parameter), `allowed`, `limit`',
    'and `used_by`; all of them are text, lists have commas in between. `ERR_SERVICE_` is the default prefix of `error_code`; `--error-prefix` sets another one. Agents and visitors',
    'meet the same codes in the text of a refusal and in a header.',
    '',
    `Numbers from ${OWN_NUMBERS_FROM} up are this project's own. Words in braces stand for values.`,
    ...entries.flatMap(section),
    '',
  ].join('\n');
}

interface Numbered extends CatalogueEntry {
  readonly name: string;
  /** '' or behind a comma. */
  readonly where: string;
}

/** Returns one row for each number of the entry. */
function numbered([name, entry]: readonly [string, CatalogueEntry]): Numbered[] {
  const { inConfigurations } = entry;
  const usual = { ...entry, name, where: '' };
  if (inConfigurations === undefined) return [usual];
  return [usual, { ...usual, number: inConfigurations, where: ', in an endpoint configuration' }];
}

function section({ name, where, number, status, message }: Numbered): string[] {
  return ['', `## ERR_SERVICE_${number}`, '', `Status ${status}, \`${name}\`${where}`, '', escaped(message)];
}

/** Escapes the message, so that tags and emphasis in it stay text. */
function escaped(message: string): string {
  return message.replace(/[\\`*_<>[\]]/g, '\\$&');
}
