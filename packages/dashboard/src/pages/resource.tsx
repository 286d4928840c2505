/** One resource: its form, what uses it, what belongs to it, and its removal. */

import { Copy } from '@underpass/ui/copy.tsx';
import type { Json } from '@underpass/ui/form/openapi.ts';
import { Failure, Loading } from '@underpass/ui/states.tsx';
import { useGet } from '../api/cache.ts';
import { Edit } from '../resources/edit.tsx';
import { itemPath, nameOf } from '../resources/kinds.ts';
import { Children, UsedByOthers } from '../resources/related.tsx';
import { Remove } from '../resources/remove.tsx';
import { type KindPageProps, withKind } from '../resources/with-kind.tsx';
import { href, query } from '../router.ts';

export default withKind(({ reference, kind, params }: KindPageProps) => {
  const parent = query.value.get('parent') ?? '';
  const id = params.id ?? '';
  const path = itemPath(kind, parent, id);
  const entry = useGet<{ [key: string]: Json }>(path);
  const row = entry.data.value;
  const { value: error } = entry.error;
  if (error !== null && row === undefined)
    return <Failure error={error} retry={() => void entry.refresh()} />;
  if (row === undefined) return <Loading what={id} />;
  return (
    <>
      <p class="crumbs">
        <a href={href(['resources'])}>Resources</a> /{' '}
        <a href={href(['resources', kind.name])}>{kind.kind.tag}</a>
      </p>
      <header class="page-head">
        <h1>{nameOf(row) || id}</h1>
        <span class="remark">
          <code>{id}</code> <Copy what="id" text={id} />
        </span>
        <div class="actions">
          <Remove {...{ kind, parent, id, path }} />
        </div>
      </header>
      {error?.status === 404 && <Failure error={{ message: 'It was deleted meanwhile.' }} />}
      <Edit key={path} {...{ reference, kind, parent, id, path, row }} etag={entry.etag.value} />
      <Children {...{ reference, kind, row, id }} />
      <UsedByOthers {...{ reference, kind, path }} />
    </>
  );
});
