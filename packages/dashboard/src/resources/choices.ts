/** Looks up resources that a field of a form can refer to. */
import { fillIn } from '@underpass/ui/form/examples.ts';
import type { Json, Operation } from '@underpass/ui/form/openapi.ts';
import type { Reference } from '@underpass/ui/form/reference.ts';
import type { Choice } from '@underpass/ui/form/state.ts';
import { send } from '../api/http.ts';
import { collectionPath, kindNamed, nameOf } from './kinds.ts';

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** The newest hundred of each kind. Never rejects. */
export async function choicesOf(reference: Reference, kinds: readonly string[]): Promise<readonly Choice[]> {
  const lists = await Promise.all(kinds.map((kind) => listOf(reference, kind).catch(() => [])));
  return lists.flat().map((row) => ({ id: row.id, name: nameOf(row) }));
}

/** The example of an operation with the ids of existing resources in it. Never rejects. */
export async function exampleOf(reference: Reference, { body }: Operation): Promise<Json> {
  const ids = body?.['x-example-ids'] ?? [];
  const kinds = [...new Set(ids.flatMap((id) => id['refers-to']))];
  const known = new Map<string, string>();
  for (const kind of kinds) {
    const [newest] = await choicesOf(reference, [kind]);
    if (newest !== undefined) known.set(kind, newest.id);
  }
  const idFor = (wanted: readonly string[]) =>
    wanted.map((kind) => known.get(kind)).find((id) => id !== undefined) ?? null;
  return fillIn(body?.example ?? {}, ids, idFor).body;
}

async function listOf(reference: Reference, name: string): Promise<readonly Row[]> {
  const kind = kindNamed(reference, name);
  if (kind?.list == null || kind.parent !== null) return [];
  const path = `${collectionPath(kind, '')}?limit=100`;
  const { data } = await send<Readonly<Record<string, unknown>>>({ method: 'GET', path });
  return (Object.values(data).find(Array.isArray) ?? []) as readonly Row[];
}
