/** `underpass api apply`: makes the resources of a server as documents describe them. */
import { resolve as resolvePath } from 'node:path';
import type { VerbTable } from '@underpass/client/operations';
import { Prompt } from '@underpass/wire/prompt';
import { InvalidInput } from '../address.ts';
import { printableLine } from '../printable.ts';
import { readText } from '../text-file.ts';
import { verbOf } from './catalogue.ts';
import { type Declared, readDocuments } from './documents.ts';
import { resolveBody, resolveIn } from './lookup.ts';
import { holdersOf, planOf, removalVerb, type Step } from './plan.ts';
import { planText } from './plan-text.ts';
import { Resources, type Row } from './resources.ts';
import { isRefusal, refusalLines, withApi } from './session.ts';
import type { ApiFlags } from './settings.ts';
import { isNotGiven } from './shape.ts';
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
    const plan = await planOf(resources, documents);
    const steps = flags.sendSecrets === true ? plan.map(withSecretsSent) : plan;
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

/** Secrets cannot be compared: they count as a change if they are to be sent anyway. */
function withSecretsSent(step: Step): Step {
  const isSent = step.action === 'unchanged' && changingSecrets(step).length > 0;
  return isSent ? { ...step, action: 'update' } : step;
}

/** The fields at the top of the body that hold secrets and can be changed. */
function changingSecrets({ document, secrets }: Step): readonly string[] {
  const changeable = (verbOf(document.resource, 'update')?.fields ?? [])
    .filter((it) => it.isImmutable !== true)
    .map(({ name }) => name);
  return secrets.map((path) => path.split('.')[0] ?? path).filter((name) => changeable.includes(name));
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

async function perform(resources: Resources, steps: readonly Step[]): Promise<number> {
  const changing = steps.filter(({ action }) => action !== 'unchanged');
  for (const [at, step] of changing.entries()) {
    try {
      const text =
        step.item === null ? await create(resources, step) : await update(resources, step, step.item);
      await writeAll(process.stdout, `${printableLine(text)}\n`);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const left = changing.slice(at).map(({ title }) => `  ${printableLine(title)}`);
      const lines = [
        ...refusalLines(error),
        `  in ${printableLine(step.document.place)}`,
        `${at} of ${changing.length} changes were made. Not made:`,
        ...left,
        'Mend the document and apply it again: what was made is found then.',
      ];
      await writeAll(process.stderr, `${lines.join('\n')}\n`);
      return 1;
    }
  }
  return 0;
}

async function create(resources: Resources, { document, title }: Step): Promise<string> {
  const { resource } = document;
  const verb = needed(verbOf(resource, 'create'));
  const resolve = resolveIn(resources);
  const holders = await holdersOf(document, resolve);
  const names = (verb.fields ?? []).map(({ name }) => name);
  const body = await resolveBody(resolve, verb.fields ?? [], only(document.body, names));
  const made = (await resources.call(resource, verb, holders, body)) ?? {};
  const id = String(made.id);
  resources.add(resource, made, holders[0]);
  const later = (verbOf(resource, 'update')?.fields ?? []).filter((it) => !names.includes(it.name));
  const rest = only(
    document.body,
    later.filter((it) => !isNotGiven(it, document.body[it.name])).map(({ name }) => name),
  );
  if (Object.keys(rest).length > 0) {
    const change = needed(verbOf(resource, 'update'));
    await resources.call(resource, change, [...holders, id], await resolveBody(resolve, later, rest));
  }
  const token = typeof made.token === 'string' ? `, token ${made.token} (shown only now)` : '';
  return `created ${title.replace(` (${id})`, '')} (${id})${token}`;
}

async function update(resources: Resources, step: Step, item: Row): Promise<string> {
  const { document, differences, removals, title } = step;
  const { resource } = document;
  const verb = needed(verbOf(resource, 'update'));
  const resolve = resolveIn(resources);
  const ids = [...(await holdersOf(document, resolve)), String(item.id)];
  for (const field of removals)
    await resources.call(resource, needed(verbOf(resource, removalVerb(field))), ids);
  const names = new Set([...differences.map(({ field }) => field), ...changingSecrets(step)]);
  if (names.size === 0) return `changed ${title}`;
  const body = await resolveBody(resolve, verb.fields ?? [], only(document.body, [...names]));
  const changed = (await resources.call(resource, verb, ids, body)) ?? {};
  const isSame = removals.length === 0 && JSON.stringify(changed) === JSON.stringify(item);
  return `${isSame ? 'unchanged' : 'changed'} ${title}`;
}

function only(body: Row, names: readonly string[]): Row {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

function needed(verb: VerbTable | null): VerbTable {
  if (verb === null) throw new Error('the table lacks a verb');
  return verb;
}
