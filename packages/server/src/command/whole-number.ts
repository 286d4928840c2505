/** Options that are whole numbers, or times. */
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

const SECONDS = { s: 1, m: 60, h: 3_600 } as const;

/** Returns seconds of a text such as `90`, `90s`, `10m` or `1h`. `range`: in seconds. Throws ConfigError. */
export function duration(
  values: Values,
  flag: string,
  fallback: number,
  { first, last }: NumberRange,
): number {
  const text = values.get(flag)?.[0];
  if (text === undefined) return fallback;
  const [, number, unit = 's'] = /^(\d{1,7})([smh]?)$/.exec(text) ?? [];
  const value = Number(number) * (SECONDS[unit as keyof typeof SECONDS] ?? 1);
  if (value >= first && value <= last) return value;
  throw new ConfigError(
    `--${flag} ${text}: must be a time from ${first} s to ${last} s, such as 90 (seconds), 10m or 1h`,
  );
}
