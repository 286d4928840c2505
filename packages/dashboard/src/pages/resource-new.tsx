/** Creates a resource of one kind by its form. */

import { useSignal } from '@preact/signals';
import { announce } from '@underpass/ui/announce.tsx';
import { SchemaForm } from '@underpass/ui/form/form.tsx';
import type { Json } from '@underpass/ui/form/openapi.ts';
import { newForm } from '@underpass/ui/form/state.ts';
import { Empty } from '@underpass/ui/states.tsx';
import { useMemo } from 'preact/hooks';
import { invalidate } from '../api/cache.ts';
import { ApiError, send } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';
import { choicesOf, exampleOf } from '../resources/choices.ts';
import { collectionPath, itemPath } from '../resources/kinds.ts';
import { Once, secretsShownOnce } from '../resources/once.tsx';
import { Snippets } from '../resources/snippets.tsx';
import { type KindPageProps, withKind } from '../resources/with-kind.tsx';
import { go, href, query } from '../router.ts';

type Row = Readonly<Record<string, Json>> & { readonly id: string };

export default withKind(({ reference, kind }: KindPageProps) => {
  const parent = query.value.get('parent') ?? '';
  const isBusy = useSignal(false);
  const created = useSignal<{ readonly row: Row; readonly secrets: Readonly<Record<string, string>> } | null>(
    null,
  );
  const form = useMemo(
    () =>
      newForm({
        ...{ reference, start: {}, isEdit: false, id: `new-${kind.name}` },
        choices: (kinds) => choicesOf(reference, kinds),
      }),
    [reference, kind.name],
  );
  const { create } = kind;
  if (create?.body == null || !mayWrite())
    return <Empty title="This page creates nothing that you may create." />;
  const path = collectionPath(kind, parent);
  const open = (row: Row) => go(href(['resources', kind.name, row.id], parent === '' ? {} : { parent }));
  const submit = async (body: Json) => {
    isBusy.value = true;
    form.error.value = null;
    try {
      const { data } = await send<Row>({ method: 'POST', path, body });
      invalidate(path, ...(parent === '' ? [] : [path.slice(0, path.lastIndexOf('/'))]));
      announce(`Created ${kind.kind.one}`);
      const secrets = await secretsShownOnce(data, itemPath(kind, parent, data.id));
      if (Object.keys(secrets).length === 0) open(data);
      else created.value = { row: data, secrets };
    } catch (error) {
      if (error instanceof ApiError) form.error.value = error;
      else throw error;
    } finally {
      isBusy.value = false;
    }
  };
  const fillExample = async () => {
    isBusy.value = true;
    form.value.value = await exampleOf(reference, create);
    isBusy.value = false;
    announce('The example is filled in');
  };
  if (created.value !== null) {
    const { row, secrets } = created.value;
    return <Once secrets={secrets} id={row.id} done={() => open(row)} />;
  }
  return (
    <>
      <h1>New: {kind.kind.one.replace(/^an? /, '')}</h1>
      <SchemaForm
        form={form}
        schema={create.body.schema}
        submit={(body) => void submit(body)}
        isBusy={isBusy.value}
        label={create.summary}
      >
        <div class="actions">
          <button type="submit" class="primary" disabled={isBusy.value}>
            Create
          </button>
          <button type="button" onClick={() => void fillExample()}>
            Fill in the example
          </button>
          <a class="button" href={href(['resources', kind.name])}>
            Cancel
          </a>
        </div>
        <Snippets
          {...{ reference, operation: create, path }}
          values={parent === '' ? [] : [parent]}
          body={form.value.value ?? {}}
        />
      </SchemaForm>
    </>
  );
});
