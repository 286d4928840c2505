/** Loads the kind that the address names, and shows a page for it. */
import type { Reference } from '@underpass/ui/form/reference.ts';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import type { ComponentType } from 'preact';
import { loadReference, useReference } from '../api/reference.ts';
import type { Page, PageProps } from '../page.ts';
import { type KindOperations, kindNamed } from './kinds.ts';

export interface KindPageProps extends PageProps {
  readonly reference: Reference;
  readonly kind: KindOperations;
}

export function withKind(Inner: ComponentType<KindPageProps>): Page {
  return (props) => {
    const { reference, error } = useReference();
    if (error !== null) return <Failure error={error} retry={() => void loadReference()} />;
    if (reference === null) return <Loading what="the kinds of resources" />;
    const kind = kindNamed(reference, props.params.kind ?? '');
    if (kind === null) return <Empty title={`There is no kind of resource "${props.params.kind}".`} />;
    return <Inner key={location.pathname} {...props} reference={reference} kind={kind} />;
  };
}
