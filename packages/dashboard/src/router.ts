/**
 * The address of the page as signals: its path, and its state in the query.
 * Invariant: a page shows the same after a reload, and after back and forward.
 */
import { computed, signal } from '@preact/signals';

/** All pages lie below it. */
export const BASE = '/ui/';

const address = signal(new URL(location.href));

/** The path below `/ui/`, without a slash at its ends; '' for Home. */
export const path = computed(() => pathOf(address.value));
export const query = computed<ReadonlyMap<string, string>>(() => new Map(address.value.searchParams));

/** Follows the browser's buttons and the links to pages. Call it once. */
export function followAddress(): void {
  addEventListener('popstate', read);
  document.addEventListener('click', followLink);
}

/** Opens a page. `to`: a path below `/ui/`, or an address of this origin. */
export function go(to: string): void {
  history.pushState(null, '', to.startsWith('/') ? to : `${BASE}${to}`);
  read();
  scrollTo(0, 0);
}

/** Opens a page in the place of the present one, which leaves the history. `to`: a path below `/ui/`. */
export function replace(to: string): void {
  history.replaceState(null, '', `${BASE}${to}`);
  read();
}

/** Changes the state of the page; null removes a value. A new state replaces the one before in the history. */
export function setQuery(changes: Readonly<Record<string, string | null>>): void {
  const next = new URL(address.value);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  history.replaceState(null, '', next);
  read();
}

/** The address of a page, with its state. Values are encoded. */
export function href(parts: readonly string[], state: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams(state);
  const tail = search.size === 0 ? '' : `?${search}`;
  return `${BASE}${parts.map(encodeURIComponent).join('/')}${tail}`;
}

function read(): void {
  address.value = new URL(location.href);
}

function pathOf({ pathname }: URL): string {
  return pathname.startsWith(BASE) ? pathname.slice(BASE.length).replace(/\/$/, '') : '';
}

/** Keys and buttons that open a link elsewhere stay with the browser, and so do links to a place in the page. */
function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link === null || link.getAttribute('href')?.startsWith('#')) return;
  if (link.target !== '' || link.hasAttribute('download')) return;
  if (link.origin !== location.origin || !link.pathname.startsWith(BASE)) return;
  event.preventDefault();
  go(link.href.slice(location.origin.length));
}
