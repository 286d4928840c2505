/** Keys of every page: / to search, ? for help, Ctrl-K for the palette, g and a letter for a page. */

import { signal } from '@preact/signals';
import { isTaken } from '@underpass/ui/keys.ts';

/** The dialog that is open. */
export const dialog = signal<'none' | 'palette' | 'help'>('none');

/** The keys, for the help. Pages add their own. */
export const KEYS: readonly (readonly [keys: string, does: string])[] = [
  ['/', 'search in this page'],
  ['j  k', 'next and previous row'],
  ['Enter', 'open the row'],
  ['Ctrl K', 'go to a page or a resource'],
  ['?', 'show these keys'],
  ['Esc', 'close, or leave a field'],
];

/** Call it once. */
export function followKeys(): void {
  addEventListener('keydown', onKey);
}

function onKey(event: KeyboardEvent): void {
  if (event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) open(event, 'palette');
  else if (event.key === 'Escape') leaveField();
  else if (isTaken(event) || dialog.value !== 'none') return;
  else if (event.key === '?') open(event, 'help');
  else if (event.key === '/') focusSearch(event);
  else if (event.key === 'j' || event.key === 'k') focusRows(event);
}

function open(event: KeyboardEvent, name: 'palette' | 'help'): void {
  event.preventDefault();
  dialog.value = name;
}

/** The search of the page; without one, the palette. */
function focusSearch(event: KeyboardEvent): void {
  event.preventDefault();
  const field = document.querySelector<HTMLInputElement>('main input[type=search]');
  if (field === null) dialog.value = 'palette';
  else field.focus();
}

/** Enters the list of the page; from there on its own keys act. */
function focusRows(event: KeyboardEvent): void {
  const row = document.querySelector<HTMLElement>('main tbody a[tabindex="0"]');
  if (row === null) return;
  event.preventDefault();
  row.focus();
}

function leaveField(): void {
  if (dialog.value === 'none' && document.activeElement instanceof HTMLElement) document.activeElement.blur();
}
