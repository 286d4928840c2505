/** Goes to a page or a resource by its name or id. */

import { useSignal } from '@preact/signals';
import { announce } from '@underpass/ui/announce.tsx';
import { Dialog } from '@underpass/ui/dialog.tsx';
import { neighbour } from '@underpass/ui/keys.ts';
import { go } from '../router.ts';
import { useFound } from './found.ts';
import { dialog } from './keys.ts';
import { targetsFor } from './targets.ts';

/** Scrolls the list to the chosen target. */
function inSight(link: HTMLAnchorElement | null): void {
  link?.scrollIntoView({ block: 'nearest' });
}

export function Palette() {
  const text = useSignal('');
  const chosen = useSignal(0);
  const found = useFound(text.value);
  const targets = [...targetsFor(text.value), ...found.targets];
  const at = Math.min(chosen.value, targets.length - 1);
  const close = () => {
    dialog.value = 'none';
  };
  const open = (to: string) => {
    close();
    go(to);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    chosen.value = neighbour([...targets.keys()], at, step) ?? 0;
    announce(targets[chosen.value]?.title ?? '');
  };
  const submit = (event: Event) => {
    event.preventDefault();
    const target = targets[at];
    if (target !== undefined) open(target.to);
  };
  return (
    <Dialog title="Go to" close={close}>
      <form class="palette" onSubmit={submit}>
        <input
          type="search"
          aria-label="Page, name or id"
          placeholder="Page, name or id"
          autocomplete="off"
          autofocus
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
            chosen.value = 0;
          }}
          onKeyDown={onKey}
        />
        <ul>
          {targets.map(({ to, title, about }, index) => (
            <li key={to}>
              <a href={to} ref={index === at ? inSight : null} aria-current={index === at} onClick={close}>
                {title} <span class="remark">{about}</span>
              </a>
            </li>
          ))}
        </ul>
        <p class="nothing" role="status">
          {found.isSearching ? 'Searching…' : targets.length === 0 ? 'Nothing has this name.' : ''}
        </p>
      </form>
    </Dialog>
  );
}
