/** The form of an existing resource. It sends what was changed, and removes modules that were switched off. */
import { useSignal } from '@preact/signals';
import { announce } from '@underpass/ui/announce.tsx';
import { SchemaForm } from '@underpass/ui/form/form.tsx';
import type { Json, Schema } from '@underpass/ui/form/openapi.ts';
import type { Reference } from '@underpass/ui/form/reference.ts';
import { type FormState, newForm } from '@underpass/ui/form/state.ts';
import { type Change, changeOf, writableOf } from '@underpass/ui/form/writable.ts';
import { Json as JsonText } from '@underpass/ui/json.tsx';
import { useEffect, useMemo } from 'preact/hooks';
import { invalidate, put } from '../api/cache.ts';
import { ApiError, send } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';
import { choicesOf } from './choices.ts';
import type { KindOperations } from './kinds.ts';
import { Snippets } from './snippets.tsx';

interface EditParts {
  readonly reference: Reference;
  readonly kind: KindOperations;
  readonly parent: string;
  readonly id: string;
  readonly path: string;
  readonly row: Json;
  readonly etag: string | null;
}

export function Edit(parts: EditParts) {
  const { kind, row } = parts;
  const schema = kind.update?.body?.schema;
  if (schema === undefined || !mayWrite()) return <JsonText text={JSON.stringify(row, null, 2)} />;
  return <EditForm {...parts} schema={schema} />;
}

function EditForm(parts: EditParts & { readonly schema: Schema }) {
  const { reference, kind, parent, id, path, row, etag, schema } = parts;
  const isBusy = useSignal(false);
  /** The version that the form shows. */
  const version = useSignal({ row, etag });
  const { value: shown } = version;
  const form = useMemo(() => formOf(parts, shown.row), [shown]);
  const before = useMemo(() => writableOf(reference, schema, shown.row), [shown]);
  const change = changeOf(reference, schema, before, form.value.value ?? {});
  const isChanged = Object.keys(change.body).length > 0 || change.removals.length > 0;
  const isElsewhere = JSON.stringify(row) !== JSON.stringify(shown.row);
  const load = () => {
    version.value = { row, etag };
  };
  useEffect(() => {
    if (isElsewhere && !isChanged) load();
  }, [row]);
  const submit = async () => {
    isBusy.value = true;
    form.error.value = null;
    try {
      const saved = await save(path, change, shown.etag);
      version.value = saved;
      put(path, saved.row, saved.etag);
      invalidate(path, path.slice(0, path.lastIndexOf('/')));
      announce('Saved');
    } catch (error) {
      if (error instanceof ApiError) form.error.value = error;
      else throw error;
    } finally {
      isBusy.value = false;
    }
  };
  return (
    <>
      {isElsewhere && isChanged && (
        <p class="banner" role="status">
          It was changed elsewhere.{' '}
          <button type="button" onClick={load}>
            Load the new version
          </button>
        </p>
      )}
      <SchemaForm form={form} schema={schema} submit={() => void submit()} label={kind.update?.summary ?? ''}>
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy.value || !isChanged}>
            Save
          </button>
          <button type="button" disabled={!isChanged} onClick={load}>
            Discard
          </button>
        </div>
        {kind.update !== null && (
          <Snippets
            {...{ reference, path, operation: kind.update }}
            values={parent === '' ? [id] : [parent, id]}
            body={change.body}
          />
        )}
      </SchemaForm>
    </>
  );
}

function formOf(
  { reference, kind, schema, id }: EditParts & { readonly schema: Schema },
  row: Json,
): FormState {
  return newForm({
    ...{ reference, isEdit: true, id: `${kind.name}-${id}` },
    start: writableOf(reference, schema, row),
    choices: (kinds) => choicesOf(reference, kinds),
  });
}

/** Returns the new version. Rejects with ApiError. */
async function save(path: string, { body, removals }: Change, etag: string | null) {
  let ifMatch = etag;
  if (Object.keys(body).length > 0) {
    const reply = await send<Json>({ method: 'PATCH', path, body, ifMatch });
    ifMatch = reply.etag;
  }
  for (const module of removals) {
    const reply = await send({ method: 'DELETE', path: `${path}/${module}`, ifMatch });
    ifMatch = reply.etag;
  }
  const { data, etag: last } = await send<Json>({ method: 'GET', path });
  return { row: data, etag: last };
}
