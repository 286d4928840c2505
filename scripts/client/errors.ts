/** Writes the table of the API's errors by name. */
export function writeErrors(catalogue: Readonly<Record<string, { readonly number: number }>>): string {
  const rows = Object.entries(catalogue).map(([name, { number }]) => `${name}: ${number},`);
  return [
    '/** The number at the end of `error_code`, by the name of the condition; docs/errors.md explains each. */',
    'export const errorNumbers = {',
    ...rows,
    '} as const;',
    '',
    'export type ErrorName = keyof typeof errorNumbers;',
  ].join('\n');
}
