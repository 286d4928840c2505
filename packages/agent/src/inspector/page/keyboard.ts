/** Handles keys anywhere on the page except in fields. */
import { sendAgain, toggleEdit } from './details.tsx';
import { edited, listed, selected, view } from './state.ts';

/** Number of rows by which each key moves the selection. */
const STEPS: ReadonlyMap<string, number> = new Map([
  ['j', 1],
  ['ArrowDown', 1],
  ['k', -1],
  ['ArrowUp', -1],
]);

export function onKey(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === 'Escape') leave();
  else if (event.target instanceof Element && event.target.closest('input, textarea, select') !== null)
    return;
  else if (!act(event.key)) return;
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
  const step = STEPS.get(key);
  if (step !== undefined && view.value === 'requests') move(step);
  else if (key === '/') document.querySelector<HTMLInputElement>('#path')?.focus();
  else if (key === 'r' && id !== null) void sendAgain(id);
  else if (key === 'e' && id !== null) toggleEdit(id);
  else return false;
  return true;
}

function move(step: number): void {
  const ids = listed.value.map(({ id }) => id);
  const at = selected.value === null ? -1 : ids.indexOf(selected.value);
  const next = ids[at < 0 ? 0 : Math.min(Math.max(at + step, 0), ids.length - 1)];
  if (next === undefined) return;
  location.hash = String(next);
  document.querySelector(`#row-${next}`)?.scrollIntoView({ block: 'nearest' });
}
