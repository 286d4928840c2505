/** A button that deletes one row, after a dialog that shows what the deletion ends. */
import { useSignal } from '@preact/signals';
import { announce } from '@underpass/ui/announce.tsx';
import { attempt } from '@underpass/ui/attempt.ts';
import { Dialog } from '@underpass/ui/dialog.tsx';
import type { ComponentChildren } from 'preact';
import { invalidate } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';

interface DeleteParts {
  /** Name of the row for people. */
  readonly name: string;
  readonly path: string;
  /** `End` for what only lasts. */
  readonly verb?: 'Delete' | 'End';
  /** True if viewers may do it, too. */
  readonly isForViewers?: boolean;
  /** The things that end with it. Drawn when the dialog opens. */
  readonly children?: ComponentChildren;
}

export function DeleteRow({ name, path, verb = 'Delete', isForViewers = false, children }: DeleteParts) {
  const isOpen = useSignal(false);
  if (!isForViewers && !mayWrite()) return null;
  const remove = () =>
    attempt(async () => {
      isOpen.value = false;
      await send({ method: 'DELETE', path });
      invalidate(path.slice(0, path.lastIndexOf('/')), '/console/sessions');
      announce(`${verb === 'End' ? 'Ended' : 'Deleted'} ${name}`);
    });
  return (
    <>
      <button
        type="button"
        class="danger small above"
        aria-label={`${verb} ${name}`}
        onClick={() => (isOpen.value = true)}
      >
        {verb}
      </button>
      {isOpen.value && (
        <Dialog title={`${verb} ${name}?`} close={() => (isOpen.value = false)}>
          {children}
          <button type="button" class="danger" onClick={() => void remove()}>
            {verb} it
          </button>
        </Dialog>
      )}
    </>
  );
}
