/**
 * `underpass api RESOURCE edit`: changes the fields of a resource in an editor.
 *
 * Invariant: the file that the editor gets is readable by this user alone, and stays only if its text was not accepted.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { VerbTable } from '@underpass/client/operations';
import { Prompt } from '@underpass/wire/prompt';
import { InvalidInput } from '../address.ts';
import { runEditor } from '../editor.ts';
import { printableMessage } from '../printable.ts';
import { writePrivateFile } from '../private-file.ts';
import { readText } from '../text-file.ts';
import { type KnownResource, verbOf } from './catalogue.ts';
import { changesIn, type Edit, parseEdit, textOf } from './edited.ts';
import { resolveArguments, resolveBody, resolveIn } from './lookup.ts';
import { kebab } from './names.ts';
import { removalVerb } from './plan.ts';
import { Resources } from './resources.ts';
import { isRefusal, refusalLines, withApi } from './session.ts';
import type { ApiFlags } from './settings.ts';
import { writableOf } from './shape.ts';
import { ChangedMeanwhile, isStateChanged, TaggedState } from './tagged-state.ts';

export interface EditFlags extends ApiFlags {
  readonly json?: boolean;
}

/** Resolves with the exit code: 0 if the change was made or there was none. Throws InvalidInput. */
export async function runEdit(
  resource: KnownResource,
  args: readonly string[],
  flags: EditFlags,
): Promise<number> {
  if (args.includes('')) throw new InvalidInput('An id is empty. Give the whole id.');
  return withApi(flags, async (client) => {
    const resources = new Resources(client);
    const [get, update] = [needed(resource, 'get'), needed(resource, 'update')];
    const ids = await resolveArguments(resources, get, args);
    const fields = (update.fields ?? []).filter((it) => it.isImmutable !== true);
    const state = new TaggedState();
    const shown = await resources.call(resource, get, ids, undefined, {}, state.readOptions());
    const before = writableOf(fields, shown ?? {});
    const text = textOf(fields, before, `${kebab(resource.name)} ${ids.at(-1)}`, flags.json === true);
    return inEditor(text, flags.json === true, async (edited) => {
      const change = changesIn(fields, before, parseEdit(edited, fields));
      return save(resources, resource, ids, change, state);
    });
  });
}

/** Opens the text until `use` accepts it or the user gives up. */
async function inEditor(
  text: string,
  isJson: boolean,
  use: (edited: string) => Promise<string>,
): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-edit-'));
  const path = join(folder, isJson ? 'resource.json' : 'resource.yaml');
  let isKept = false;
  const end = (signal: NodeJS.Signals): void => {
    rmSync(folder, { recursive: true, force: true });
    process.exit(signal === 'SIGTERM' ? 143 : 129);
  };
  process.on('SIGTERM', end).on('SIGHUP', end).on('SIGINT', leftToEditor);
  try {
    writePrivateFile(path, text);
    for (;;) {
      await runEditor(path, 'use "update"');
      const edited = readText(path, 'The file');
      const refusal = edited === text ? null : await refusalOf(edited, use);
      isKept = refusal !== null;
      if (refusal === null) {
        if (edited === text) console.log('Nothing was changed.');
        return 0;
      }
      console.error(refusal.text);
      if (refusal.isFinal || !(await isToGoOn())) {
        console.error(`The change was not completed. Your text is in ${path}`);
        return 1;
      }
    }
  } catch (error) {
    // The editor failed, or the question was left.
    if (isKept) console.error(`Your text is in ${path}`);
    throw error;
  } finally {
    if (!isKept) rmSync(folder, { recursive: true, force: true });
    process.off('SIGTERM', end).off('SIGHUP', end).off('SIGINT', leftToEditor);
  }
}

interface Refusal {
  readonly text: string;
  /** No further edit of the text can be saved. */
  readonly isFinal: boolean;
}

/** Prints what `use` made of the text; returns the refusal instead, if there was one. */
async function refusalOf(edited: string, use: (edited: string) => Promise<string>): Promise<Refusal | null> {
  try {
    console.log(await use(edited));
    return null;
  } catch (error) {
    if (error instanceof ChangedMeanwhile) return { text: `underpass: ${error.message}`, isFinal: true };
    if (isRefusal(error)) return { text: refusalLines(error).join('\n'), isFinal: false };
    if (error instanceof InvalidInput)
      return { text: `underpass: ${printableMessage(error.message)}`, isFinal: false };
    throw error;
  }
}

/** Ctrl-C is for the editor. */
function leftToEditor(): void {}

/** Sends the change. Resolves with a line about it. Rejects with ChangedMeanwhile, also after a part of it. */
async function save(
  resources: Resources,
  resource: KnownResource,
  ids: readonly string[],
  { body, removals }: Edit,
  state: TaggedState,
): Promise<string> {
  const update = needed(resource, 'update');
  const resolved = await resolveBody(resolveIn(resources), update.fields ?? [], body);
  const saved: string[] = [];
  const what = `${kebab(resource.name)} ${ids.at(-1)}`;
  const send = async (verb: VerbTable, names: readonly string[], sent?: object) => {
    try {
      await resources.call(resource, verb, ids, sent, {}, state.options());
    } catch (error) {
      throw isStateChanged(error) ? new ChangedMeanwhile(meanwhileText(what, resource, ids, saved)) : error;
    }
    saved.push(...names);
  };
  if (Object.keys(resolved).length > 0) await send(update, Object.keys(resolved), resolved);
  for (const field of removals) await send(needed(resource, removalVerb(field)), [field]);
  return saved.length === 0 ? 'Nothing was changed.' : `Changed ${saved.join(', ')} of ${what}.`;
}

function meanwhileText(
  what: string,
  resource: KnownResource,
  ids: readonly string[],
  saved: readonly string[],
): string {
  const part = saved.length === 0 ? 'Nothing of your change' : `Only your change of ${saved.join(', ')}`;
  const again = `underpass api ${kebab(resource.name)} edit ${ids.join(' ')}`;
  return printableMessage(
    `Another request changed ${what} while the editor was open. ${part} was saved. Run "${again}" to repeat it on the new state.`,
  );
}

/** There is no second attempt without a terminal. */
async function isToGoOn(): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) return false;
  using prompt = new Prompt(process.stdin, process.stderr, InvalidInput);
  return !/^k/i.test(await prompt.ask('Edit again, or keep the text in a file and end? [E/k] '));
}

function needed(resource: KnownResource, name: string): VerbTable {
  const verb = verbOf(resource, name);
  if (verb === null) throw new InvalidInput(`"${name}" cannot be done with ${kebab(resource.name)}.`);
  return verb;
}
