/**
 * `underpass completion`, and the requests of its scripts.
 * Invariant: errors elsewhere print nothing while the user types.
 */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { InvalidInput } from '../address.ts';
import { candidates } from '../completion/candidates.ts';
import { scripts, shells } from '../completion/scripts.ts';
import { defaultConfigPath } from '../config-file.ts';
import { tunnelNamesIn } from '../tunnels-file.ts';

/** Throws InvalidInput. */
export function printScript(name: string): void {
  const shell = shells.find((one) => one === name);
  if (shell === undefined)
    throw new InvalidInput(`There is no script for "${name}". Give ${shells.join(', ')}.`);
  process.stdout.write(scripts[shell]);
}

export function printCandidates(program: Command, words: readonly string[]): void {
  const found = candidates(program, words, tunnelNames);
  if (found === 'files') console.log(':files');
  else for (const { word, description } of found) console.log(`${word}\t${description}`);
}

function tunnelNames(config: string | null): readonly string[] {
  const path = config ?? defaultConfigPath(process.env);
  try {
    return existsSync(path) ? tunnelNamesIn(path) : [];
  } catch (error) {
    if (error instanceof InvalidInput) return [];
    throw error;
  }
}
