/** A page that is not there yet, with the command that answers its questions meanwhile. */
import { Empty } from '@underpass/ui/states.tsx';
import type { PageProps } from '../page.ts';

export default function Planned({ title }: PageProps) {
  return (
    <>
      <h1>{title}</h1>
      <Empty title={`The page "${title}" is not ready.`} command="underpass api --help" />
    </>
  );
}
