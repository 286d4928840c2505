/** Handles keys anywhere on the page except in fields. */
import { isTaken, neighbour, stepOf } from '@underpass/ui/keys.ts';
import { sendAgain, toggleEdit } from './details.tsx';
import { edited, listed, selected, view } from './state.ts';

export function onKey(event: KeyboardEvent): void {
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
  if (event.key === 'Escape' && isPlain) leave();
  else if (isTaken(event) || !act(event.key)) return;
  event.preventDefault();
}

function leave(): void {
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
  if (edited.value !== null) edited.value = null;
  else location.hash = '';
}

/** False: the key is the browser's. */
function act(key: string): boolean {
  const id = selected.value;
  const step = stepOf(key);
  if (step !== null && view.value === 'requests') move(step);
  else if (key === '/') document.querySelector<HTMLInputElement>('#path')?.focus();
  else if (key === 'r' && id !== null) void sendAgain(id);
  else if (key === 'e' && id !== null) toggleEdit(id);
  else return false;
  return true;
}

function move(step: number): void {
  const ids = listed.value.map(({ id }) => id);
  const next = neighbour(ids, selected.value, step);
  if (next === undefined) return;
  location.hash = String(next);
  document.querySelector(`#row-${next}`)?.scrollIntoView({ block: 'nearest' });
}
