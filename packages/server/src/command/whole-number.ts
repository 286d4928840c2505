/** Options that are whole numbers. */
import { ConfigError, type Values } from './options.ts';

/** Both belong to it. */
export interface NumberRange {
  readonly first: number;
  readonly last: number;
}

/** The fallback when the option was not given. Throws ConfigError. */
export function wholeNumber<Fallback extends number | null>(
  values: Values,
  flag: string,
  fallback: Fallback,
  { first, last }: NumberRange,
): number | Fallback {
  const text = values.get(flag)?.[0];
  if (text === undefined) return fallback;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= first && value <= last) return value;
  throw new ConfigError(`--${flag} ${text}: must be a whole number from ${first} to ${last}`);
}
