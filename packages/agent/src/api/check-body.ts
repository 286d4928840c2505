/** Checks the fields of a document against the table, before anything is sent. Pure. */
import type { FieldTable } from '@underpass/client/operations';
import { mostSimilar } from '@underpass/wire/similar';
import { fieldsIn } from './catalogue.ts';
import { isRow } from './lookup.ts';

/** The mistakes in a body, each with the path of its field. `also` are names that are no fields of the body. */
export function mistakesIn(
  fields: readonly FieldTable[],
  body: Readonly<Record<string, unknown>>,
  also: readonly string[] = [],
  at = '',
): readonly string[] {
  const known = [...fields.map(({ name }) => name), ...also];
  return Object.entries(body).flatMap(([name, value]) => {
    const field = fields.find((it) => it.name === name);
    if (field !== undefined) return mistakesInField(field, value, `${at}${name}`);
    if (also.includes(name)) return [];
    const near = mostSimilar(name, known);
    const advice = near === null ? `Known fields: ${known.join(', ')}.` : `Did you mean "${near}"?`;
    return [`"${at}${name}" is unknown. ${advice}`];
  });
}

function mistakesInField(field: FieldTable, value: unknown, path: string): readonly string[] {
  if (value === null || value === undefined) return [];
  const inner = fieldsIn(field);
  if (!isOfType(field, value)) return [`"${path}" must be ${SHAPES[field.type]}`];
  if (inner.length === 0) return [];
  if (isRow(value)) return mistakesIn(inner, value, [], `${path}.`);
  if (!Array.isArray(value)) return [];
  return value.flatMap((it, index) => (isRow(it) ? mistakesIn(inner, it, [], `${path}.${index}.`) : []));
}

const SHAPES = {
  string: 'a text. Put it in quotes.',
  integer: 'a whole number, without quotes.',
  number: 'a number, without quotes.',
  boolean: 'true or false, without quotes.',
  strings: 'a list of texts, such as ["one", "two"]. Put numbers in quotes.',
  map: 'a mapping of texts, such as {key: "value"}. Put numbers in quotes.',
  list: 'a list of mappings.',
  object: 'a mapping of its own fields.',
} as const satisfies Record<FieldTable['type'], string>;

function isOfType({ type }: FieldTable, value: unknown): boolean {
  const isText = (it: unknown): boolean => typeof it === 'string';
  switch (type) {
    case 'string':
      return isText(value);
    case 'integer':
      return Number.isSafeInteger(value);
    case 'number':
      return typeof value === 'number';
    case 'boolean':
      return typeof value === 'boolean';
    case 'strings':
      return Array.isArray(value) && value.every(isText);
    case 'map':
      return isRow(value) && Object.values(value).every(isText);
    case 'list':
      return Array.isArray(value);
    case 'object':
      return isRow(value);
  }
}
