/** Deletes a resource, after a question. */
import { useSignal } from '@preact/signals';
import { announce } from '@underpass/ui/announce.tsx';
import { attempt } from '@underpass/ui/attempt.ts';
import { Dialog } from '@underpass/ui/dialog.tsx';
import { invalidate } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';
import { go, href } from '../router.ts';
import type { KindOperations } from './kinds.ts';

interface RemoveParts {
  readonly kind: KindOperations;
  readonly parent: string;
  readonly id: string;
  readonly path: string;
}

export function Remove({ kind, parent, id, path }: RemoveParts) {
  const isOpen = useSignal(false);
  if (kind.remove === null || !mayWrite()) return null;
  const remove = () =>
    attempt(async () => {
      isOpen.value = false;
      await send({ method: 'DELETE', path });
      const collection = path.slice(0, path.lastIndexOf('/'));
      invalidate(collection);
      announce(`Deleted ${id}`);
      go(parent === '' ? href(['resources', kind.name]) : href(['id', parent]));
    });
  return (
    <>
      <button type="button" class="danger" onClick={() => (isOpen.value = true)}>
        Delete
      </button>
      {isOpen.value && (
        <Dialog title="Delete it?" close={() => (isOpen.value = false)}>
          <p>
            <code>{id}</code> is deleted with what belongs to it.
          </p>
          <button type="button" class="danger" onClick={() => void remove()}>
            Delete {kind.kind.one.replace(/^an? /, '')}
          </button>
        </Dialog>
      )}
    </>
  );
}
