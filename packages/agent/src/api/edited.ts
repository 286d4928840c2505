/** The text that `edit` opens, and the change that an edited text means. Pure. */
import { createRequire } from 'node:module';
import type { FieldTable } from '@underpass/client/operations';
import { InvalidInput } from '../address.ts';
import { printableLine } from '../printable.ts';
import { reasonOf } from '../yaml-file.ts';
import { fieldsIn } from './catalogue.ts';
import { mistakesIn } from './check-body.ts';
import { jsonText } from './json.ts';
import { isRow } from './lookup.ts';
import type { Row } from './resources.ts';

/** Loads a package of many files that most commands do not need. */
const require = createRequire(import.meta.url);

export interface Edit {
  /** The fields that were changed. */
  readonly body: Row;
  /** The modules that are taken off. */
  readonly removals: readonly string[];
}

/** The fields as YAML or JSON, the YAML below a comment. Secrets are not in it. */
export function textOf(fields: readonly FieldTable[], values: Row, title: string, isJson: boolean): string {
  if (isJson) return jsonText(values);
  const { stringify }: typeof import('yaml') = require('yaml');
  const secrets = fields.some(hasSecret)
    ? ['Secrets are not shown; one that is left out stays as it is.']
    : [];
  const head = [`${printableLine(title)}: changed fields are sent when the editor ends.`, ...secrets];
  return `${head.map((line) => `# ${line}\n`).join('')}${stringify(values, { lineWidth: 0 })}`;
}

function hasSecret(field: FieldTable): boolean {
  return field.isSecret === true || fieldsIn(field).some(hasSecret);
}

/** Reads an edited text. Throws InvalidInput, which names the line or the field. */
export function parseEdit(text: string, fields: readonly FieldTable[]): Row {
  const { parseDocument, LineCounter }: typeof import('yaml') = require('yaml');
  const document = parseDocument(text, { lineCounter: new LineCounter() });
  const [error] = document.errors;
  if (error !== undefined)
    throw new InvalidInput(`Line ${error.linePos?.[0].line ?? 1} is not valid: ${reasonOf(error)}`);
  const value = readValue(() => document.toJS() as unknown);
  if (!isRow(value)) throw new InvalidInput('The text is no mapping of fields.');
  const mistakes = mistakesIn(fields, value);
  if (mistakes.length > 0) throw new InvalidInput(mistakes.join('\n  '));
  return value;
}

function readValue(read: () => unknown): unknown {
  try {
    return read() ?? {};
  } catch {
    throw new InvalidInput('An alias (*NAME) has no anchor, or there are too many. Write the values out.');
  }
}

/** The difference between the values that were shown and the edited ones. A field that was taken out stays as it is. */
export function changesIn(fields: readonly FieldTable[], before: Row, after: Row): Edit {
  const changed = Object.entries(after).filter(([name, value]) => !isSame(value, before[name] ?? null));
  const removals = changed
    .filter(([name, value]) => value === null && isRow(before[name]) && isModule(fields, name))
    .map(([name]) => name);
  const body = changed
    .filter(([name]) => !removals.includes(name))
    .map(([name, value]) => [name, value ?? emptyOf(fields, name)]);
  return { body: Object.fromEntries(body), removals };
}

function isModule(fields: readonly FieldTable[], name: string): boolean {
  return fields.some((it) => it.name === name && fieldsIn(it).some((inner) => inner.name === 'enabled'));
}

/** The API reads null as no value: a field is emptied with its empty value. */
function emptyOf(fields: readonly FieldTable[], name: string): unknown {
  const type = fields.find((it) => it.name === name)?.type;
  if (type === 'string') return '';
  if (type === 'strings' || type === 'list') return [];
  return type === 'map' ? {} : null;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one ?? null) === JSON.stringify(other ?? null);
}
