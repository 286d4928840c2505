/** Options that are given or not. */
import { ConfigError, type Values } from './options.ts';

/** An option without an argument, which a variable or the file may also turn off. */
export function isOn(flag: string, values: Values): boolean {
  const text = values.get(flag)?.[0] ?? 'false';
  if (text === 'true' || text === 'false') return text === 'true';
  throw new ConfigError(`--${flag} ${text}: must be true or false`);
}
