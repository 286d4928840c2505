/** The flag that stands for a field of a body. */
import type { FieldTable } from '@underpass/client/operations';
import { Option } from 'commander';
import { flagOf } from './names.ts';

/** Notations of a field's value in help texts, by its type. */
const SHAPES = {
  string: '<text>',
  integer: '<number>',
  number: '<number>',
  boolean: '[true|false]',
  strings: '<text>',
  map: '<key=value>',
  list: '<json>',
  object: '<json>',
} as const satisfies Record<FieldTable['type'], string>;

/** The flag of a field of a body; lists and maps are given one by one. */
export function fieldOption({ name, type, required, description, values }: FieldTable): Option {
  const notes = [
    description,
    values === undefined ? '' : `One of: ${values.map((value) => value || '""').join(', ')}.`,
    required ? 'Required.' : '',
  ];
  const option = new Option(
    `--${flagOf(name)} ${SHAPES[type]}`,
    notes.filter((note) => note !== '').join(' '),
  );
  const isRepeatable = type === 'strings' || type === 'map' || type === 'list';
  return isRepeatable ? option.argParser(collect) : option;
}

function collect(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}
