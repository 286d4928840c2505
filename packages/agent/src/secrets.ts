/** Secrets that are better not on a command line, which everybody on the machine can read. */
import { resolve } from 'node:path';
import { InvalidInput } from './address.ts';
import { readText } from './text-file.ts';
import { settingsOf, type TunnelWords, wordOf } from './tunnel-settings.ts';

const secrets = settingsOf('http').filter(([, { kind }]) => kind === 'secret');

/**
 * Returns the content of the file for `@FILE`, without blanks around it; `@@` begins a secret that begins with an
 * `@`. Throws InvalidInput.
 */
export function openSecret(written: string, folder: string, flag: string): string {
  if (!written.startsWith('@')) return written;
  if (written.startsWith('@@')) return written.slice(1);
  const secret = readText(resolve(folder, written.slice(1)), `The file of ${flag}`, { flag }).trim();
  if (secret === '')
    throw new InvalidInput(`The file ${written.slice(1)} is empty. Put the secret there.`, flag);
  return secret;
}

/** Returns the files of secrets that were written as `@FILE`, relative to the folder. */
export function secretFiles(words: TunnelWords, folder: string): readonly string[] {
  const given = new Map<string, unknown>(Object.entries(words));
  return secrets.flatMap(([name]) => {
    const written = given.get(wordOf(name));
    const isFile = typeof written === 'string' && written.startsWith('@') && !written.startsWith('@@');
    return isFile ? [resolve(folder, written.slice(1))] : [];
  });
}

/** Returns the words of a command line with opened secrets, and with those of the environment. Throws InvalidInput. */
export function withSecrets(
  words: TunnelWords,
  environment: Readonly<Record<string, string | undefined>>,
  folder: string,
): TunnelWords {
  const given = new Map<string, unknown>(Object.entries(words));
  const opened = secrets.map(([name, { goesWith = '' }]) => {
    const written = given.get(wordOf(name));
    if (typeof written === 'string') return [wordOf(name), openSecret(written, folder, name)];
    // Variables may belong to other tunnels.
    const isMeant = given.get(wordOf(goesWith)) !== undefined;
    return [wordOf(name), isMeant ? environment[variableOf(name)] || undefined : undefined];
  });
  return { ...words, ...Object.fromEntries(opened) };
}

/** Returns the variable of a flag. */
function variableOf(flag: string): string {
  return `UNDERPASS_${flag.replaceAll('-', '_').toUpperCase()}`;
}
