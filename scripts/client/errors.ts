interface Numbers {
  readonly number: number;
  readonly inConfigurations?: number;
}

/** Writes the table of the API's errors by name. */
export function writeErrors(catalogue: Readonly<Record<string, Numbers>>): string {
  const entries = Object.entries(catalogue);
  const rows = entries.map(([name, { number }]) => `${name}: ${number},`);
  const ofConfigurations = entries.flatMap(([name, { inConfigurations }]) =>
    inConfigurations === undefined ? [] : `['${name}', ${inConfigurations}],`,
  );
  return [
    '/** The number at the end of `error_code`, by the name of the condition; docs/build/errors.md explains each. */',
    'export const errorNumbers = {',
    ...rows,
    '} as const;',
    '',
    'export type ErrorName = keyof typeof errorNumbers;',
    '',
    '/** Other numbers of the same conditions, for modules of an endpoint configuration. */',
    'export const configurationErrorNumbers: ReadonlyMap<ErrorName, number> = new Map([',
    ...ofConfigurations,
    ']);',
  ].join('\n');
}
