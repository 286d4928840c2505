/** Calls that are made at once, and what may come of them. */
import assert from 'node:assert/strict';
import { resourceKinds } from '../../packages/server/src/resources/kinds/index.ts';
import {
  type ReferenceSample,
  referenceSamples,
} from '../../packages/server/src/resources/samples/references.fixture.ts';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import type { Answer } from '../harness/index.ts';
import { type Account, sampleOf } from './account.fixture.ts';

/** Each call answers with one of these; anything else is a fault. */
export async function answersOf(calls: readonly Promise<Answer>[], ...statuses: number[]): Promise<Answer[]> {
  const answers = await Promise.all(calls);
  for (const { status, text } of answers) assert.ok(statuses.includes(status), `${status}: ${text}`);
  return answers;
}

export const won = (answers: readonly Answer[]): Answer[] => answers.filter(({ status }) => status === 201);

/** Exactly one of concurrent creations succeeds; returns it. */
export async function oneOf(
  calls: readonly Promise<Answer>[],
  code: string,
): Promise<JsonObject & { id: string }> {
  const answers = await answersOf(calls, 201, 409);
  assert.equal(won(answers).length, 1);
  for (const { status, json } of answers)
    if (status === 409) assert.match(json.error_code, new RegExp(`_(${code})$`));
  return won(answers)[0]?.json;
}

export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at));

let names = 0;
/** A name that no other test has reserved. */
export const label = (): string => `writers-${++names}`;

export interface BindingSample extends ReferenceSample {
  readonly binding: boolean;
}

export const references: readonly BindingSample[] = referenceSamples.map((sample) => {
  const kind = resourceKinds.find(({ name }) => name === sample.kind);
  const stored = kind?.source === 'stored' ? kind.references : [];
  return { ...sample, binding: stored.some(({ field, binding }) => field === sample.field && binding) };
});

/** Returns a function that creates a resource with a reference to an id. */
export async function referrer(account: Account, { kind, body, patch }: ReferenceSample) {
  const parent = await sampleOf(kind).parent?.(account);
  if (patch === true) {
    const own = await account.make(kind);
    const refer = (id: string) => account.call('PATCH', own.path, body(id));
    return { refer, path: () => own.path, done: 200 };
  }
  const collection = account.path(kind, parent);
  const refer = (id: string) => account.call('POST', collection, body(id));
  return { refer, path: (id: string) => `${collection}/${id}`, done: 201 };
}
