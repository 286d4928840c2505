/** `underpass api apply`: makes the resources of a server as documents describe them. */
import { resolve as resolvePath } from 'node:path';
import { Prompt } from '@underpass/wire/prompt';
import { InvalidInput } from '../address.ts';
import { readText } from '../text-file.ts';
import { type Declared, readDocuments } from './documents.ts';
import { perform } from './perform.ts';
import { planOf } from './plan.ts';
import { planText } from './plan-text.ts';
import { Resources } from './resources.ts';
import { withApi } from './session.ts';
import type { ApiFlags } from './settings.ts';
import { writeAll } from './write-all.ts';

export interface ApplyFlags extends ApiFlags {
  readonly file?: readonly string[];
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly sendSecrets?: boolean;
}

/**
 * Shows the differences, requests a confirmation, and makes the changes. Resolves with the exit code. Throws
 * InvalidInput.
 */
export async function runApply(flags: ApplyFlags): Promise<number> {
  const { file: files = [] } = flags;
  if (files.length === 0) throw new InvalidInput('Give the documents with -f FILE, or -f - for stdin.');
  const documents = files.flatMap(documentsIn);
  return withApi(flags, async (client) => {
    const resources = new Resources(client);
    const steps = await planOf(resources, documents, flags.sendSecrets === true);
    await writeAll(process.stdout, planText(steps));
    if (flags.dryRun === true || steps.every(({ action }) => action === 'unchanged')) return 0;
    if (flags.yes !== true && !(await isAgreed())) return 1;
    return perform(resources, steps);
  });
}

function documentsIn(file: string): readonly Declared[] {
  if (file === '-') return readDocuments(readText(0, 'stdin'), 'stdin');
  return readDocuments(readText(resolvePath(file), 'The file'), file);
}

/** Prompts on the terminal; true for yes. Throws InvalidInput if there is no terminal; rejects with Cancelled. */
async function isAgreed(): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true)
    throw new InvalidInput(
      'Nothing was changed: without a terminal, changes cannot be confirmed. Give --yes to make the changes, or --dry-run to see them only.',
    );
  using prompt = new Prompt(process.stdin, process.stderr, InvalidInput);
  if (/^y(es)?$/i.test(await prompt.ask('Make these changes? [y/N] '))) return true;
  prompt.say('Nothing was changed.');
  return false;
}
