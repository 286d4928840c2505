/** A button whose action a dialog confirms first. */
import { useSignal } from '@preact/signals';
import { announce } from '@underpass/ui/announce.tsx';
import { attempt } from '@underpass/ui/attempt.ts';
import { Dialog } from '@underpass/ui/dialog.tsx';
import type { ComponentChildren } from 'preact';

interface ConfirmParts {
  /** The text of the button. */
  readonly label: string;
  /** The title of the dialog. */
  readonly question: string;
  /** The text of the button that starts the action. */
  readonly confirm: string;
  /** Announced after the action. */
  readonly done: string;
  readonly isDanger?: boolean;
  readonly act: () => Promise<void>;
  /** The effect of the action. */
  readonly children: ComponentChildren;
}

export function Confirm({ label, question, confirm, done, isDanger = false, act, children }: ConfirmParts) {
  const isOpen = useSignal(false);
  const kind = isDanger ? 'danger' : '';
  const run = () =>
    attempt(async () => {
      isOpen.value = false;
      await act();
      announce(done);
    });
  return (
    <>
      <button type="button" class={kind} onClick={() => (isOpen.value = true)}>
        {label}
      </button>
      {isOpen.value && (
        <Dialog title={question} close={() => (isOpen.value = false)}>
          {children}
          <button type="button" class={kind || 'primary'} onClick={() => void run()}>
            {confirm}
          </button>
        </Dialog>
      )}
    </>
  );
}
