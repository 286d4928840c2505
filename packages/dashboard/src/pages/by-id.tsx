/** Leads from an id to the page of its resource. */
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { useEffect } from 'preact/hooks';
import { loadReference, useReference } from '../api/reference.ts';
import type { PageProps } from '../page.ts';
import { go, href, query } from '../router.ts';

export default function ById({ params }: PageProps) {
  const { reference, error } = useReference();
  const id = params.id ?? '';
  const kind = reference?.kindOfId(id) ?? null;
  useEffect(() => {
    const parent = query.value.get('parent') ?? '';
    if (kind !== null) go(href(['resources', kind.name, id], parent === '' ? {} : { parent }));
  }, [kind?.name, id]);
  if (error !== null) return <Failure error={error} retry={() => void loadReference()} />;
  if (reference === null || kind !== null) return <Loading what={id} />;
  return <Empty title={`No kind of resource has ids like "${id}".`} />;
}
