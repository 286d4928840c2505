/**
 * Makes the changes of a plan, one after the other.
 *
 * Invariant: a change that another request made after the plan is not overwritten.
 */
import type { VerbTable } from '@underpass/client/operations';
import { printableLine } from '../printable.ts';
import { verbOf } from './catalogue.ts';
import { resolveBody, resolveIn } from './lookup.ts';
import { changingSecrets, holdersOf, removalVerb, type Step } from './plan.ts';
import { PlannedResource } from './planned-resource.ts';
import type { Resources, Row } from './resources.ts';
import { isRefusal, refusalLines } from './session.ts';
import { isNotGiven } from './shape.ts';
import { ChangedMeanwhile } from './tagged-state.ts';
import { writeAll } from './write-all.ts';

/** Prints a line for each change. Resolves with the exit code: 1 after a refusal, which ends the changes. */
export async function perform(resources: Resources, steps: readonly Step[]): Promise<number> {
  const changing = steps.filter(({ action }) => action !== 'unchanged');
  for (const [at, step] of changing.entries()) {
    try {
      const text =
        step.item === null ? await create(resources, step) : await update(resources, step, step.item);
      await writeAll(process.stdout, `${printableLine(text)}\n`);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile) && !isRefusal(error)) throw error;
      const left = changing.slice(at).map(({ title }) => `  ${printableLine(title)}`);
      const lines = [
        ...refusalLines(error),
        `  in ${printableLine(step.document.place)}`,
        `${at} of ${changing.length} changes were made. Not made:`,
        ...left,
        error instanceof ChangedMeanwhile
          ? 'Apply again: the plan then shows the present state. What was made is found then.'
          : 'Mend the document and apply it again: what was made is found then.',
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
  const verb = needed(verbOf(document.resource, 'update'));
  const resolve = resolveIn(resources);
  const ids = [...(await holdersOf(document, resolve)), String(item.id)];
  const resource = new PlannedResource(resources, step, item, ids);
  for (const field of removals)
    await resource.remove(needed(verbOf(document.resource, removalVerb(field))), field);
  const names = new Set([...differences.map(({ field }) => field), ...changingSecrets(step)]);
  if (names.size === 0) return `changed ${title}`;
  const body = await resolveBody(resolve, verb.fields ?? [], only(document.body, [...names]));
  const changed = await resource.change(verb, body);
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
