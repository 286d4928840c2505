/** The keys of all pages. */
import { Dialog } from '@underpass/ui/dialog.tsx';
import { dialog, KEYS } from './keys.ts';

export function Help() {
  return (
    <Dialog title="Keys" close={() => (dialog.value = 'none')}>
      <dl class="keys">
        {KEYS.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
