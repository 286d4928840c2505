/** What the page shows, as signals. Never that it keeps an exchange which the inspector has forgotten. */
import { computed, signal } from '@preact/signals';
import type { ExchangeSummary, ExchangesEvent, StatusView } from '../api-types.ts';
import { type Filter, isListed, NO_FILTER } from '../filter.ts';
import { getJson, openEvents, type StreamEvent } from './api.ts';
import { isTokenEmbedded } from './token.ts';

export const status = signal<StatusView | null>(null);
/** The newest first. */
export const exchanges = signal<readonly ExchangeSummary[]>([]);
export const filter = signal<Filter>(NO_FILTER);
/** Ids that have the text which is searched for; null: none is. */
export const found = signal<ReadonlySet<number> | null>(null);
/** Of the exchange that is shown; null none. */
export const selected = signal<number | null>(null);
export const view = signal<'requests' | 'status'>('requests');
/** Of the exchange that is edited; null none. */
export const edited = signal<number | null>(null);
/** What went wrong last; '' nothing. */
export const problem = signal('');
export const isLive = signal(false);
/** The page has no token that the agent takes. */
export const isShut = signal(false);

export const listed = computed(() => {
  const now = Date.now();
  const ids = found.value;
  return exchanges.value.filter((it) => (ids === null || ids.has(it.id)) && isListed(it, filter.value, now));
});

/** Another object each time that it changes. */
export const selectedSummary = computed(
  () => exchanges.value.find(({ id }) => id === selected.value) ?? null,
);

const AGAIN_MS = 1_000;

/** Follows the events for as long as the page is open. */
export async function follow(): Promise<void> {
  for (let lastId = ''; ; await new Promise((again) => setTimeout(again, AGAIN_MS))) {
    try {
      const events = await openEvents(lastId);
      if (events === null) {
        if (isTokenEmbedded) location.reload();
        else isShut.value = true;
        return;
      }
      isLive.value = true;
      for await (const event of events) {
        take(event);
        lastId = event.id || lastId;
      }
    } catch {
      // The agent has ended, or begins anew.
    }
    isLive.value = false;
  }
}

function take({ event, data }: StreamEvent): void {
  if (event === 'status') status.value = data as StatusView;
  else if (event === 'exchanges') exchanges.value = merged(exchanges.value, data as ExchangesEvent);
}

function merged(known: readonly ExchangeSummary[], { oldest, exchanges }: ExchangesEvent) {
  const byId = new Map(known.map((it) => [it.id, it]));
  for (const exchange of exchanges) byId.set(exchange.id, exchange);
  return [...byId.values()].filter(({ id }) => id >= oldest).sort((a, b) => b.id - a.id);
}

let searching = new AbortController();

/** '' ends the search. */
export async function search(text: string): Promise<void> {
  searching.abort();
  searching = new AbortController();
  const { signal } = searching;
  if (text === '') {
    found.value = null;
    return;
  }
  await attempt(async () => {
    const answer = await getJson<ExchangesEvent>(`exchanges?search=${encodeURIComponent(text)}`, signal);
    found.value = new Set(answer.exchanges.map(({ id }) => id));
  });
}

/** Shows what goes wrong. */
export async function attempt(act: () => Promise<void>): Promise<void> {
  try {
    problem.value = '';
    await act();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return;
    problem.value = error instanceof Error ? error.message : String(error);
  }
}

/** The address of the page says what is shown, so that the browser's own buttons lead back. */
export function readAddress(): void {
  const hash = location.hash.slice(1);
  view.value = hash === 'status' ? 'status' : 'requests';
  selected.value = /^\d+$/.test(hash) ? Number(hash) : null;
  edited.value = null;
}
