/**
 * The state of the page, as signals.
 * Invariant: the page keeps no exchange that the inspector has evicted.
 */
import { computed, effect, signal } from '@preact/signals';
import { attempt } from '@underpass/ui/attempt.ts';
import type { StreamEvent } from '@underpass/ui/event-stream.ts';
import type { ExchangeSummary, ExchangesEvent, StatusView } from '../api-types.ts';
import { type Filter, isListed, NO_FILTER } from '../filter.ts';
import { getJson, openEvents } from './api.ts';
import { isTokenEmbedded } from './token.ts';

export const status = signal<StatusView | null>(null);
/** The newest first. */
export const exchanges = signal<readonly ExchangeSummary[]>([]);
export const filter = signal<Filter>(NO_FILTER);
/** Search text for heads, bodies and messages; '' for none. */
export const searched = signal('');
/** Ids that have it; null: not searched for yet, or nothing is. */
const found = signal<ReadonlySet<number> | null>(null);
/** Id of the exchange that is shown; null if none. */
export const selected = signal<number | null>(null);
export const view = signal<'requests' | 'status'>('requests');
/** Id of the exchange that is edited; null if none. */
export const edited = signal<number | null>(null);
export const isLive = signal(false);
/** The page has no token that the agent takes. */
export const isShut = signal(false);

const LOOK_AGAIN_MS = 1_000;
/** Milliseconds since 1970; advances only while the filter limits the age of exchanges. */
const now = signal(0);

effect(() => {
  if (filter.value.minutes === 0) return;
  const look = () => {
    now.value = Date.now();
  };
  look();
  const timer = setInterval(look, LOOK_AGAIN_MS);
  return () => clearInterval(timer);
});

export const listed = computed(() => {
  const ids = found.value;
  return exchanges.value.filter(
    (it) => (ids === null || ids.has(it.id)) && isListed(it, filter.value, now.value),
  );
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

const SEARCH_AFTER_MS = 250;
/**
 * Share of the time that searching may take. Thus a search in many constant changes leaves the agent free for its
 * visitors.
 */
const SEARCH_SHARE = 0.2;

/** Searches again when something else is searched for, and in what came meanwhile, until the effect is disposed of. */
effect(() => {
  const text = searched.value;
  const gone = new AbortController();
  if (text === '') found.value = null;
  else void keepSearching(text, gone.signal);
  return () => gone.abort();
});

async function keepSearching(text: string, signal: AbortSignal): Promise<void> {
  let seen: readonly ExchangeSummary[] | null = null;
  for (let waitMs = SEARCH_AFTER_MS; ; ) {
    await new Promise((again) => setTimeout(again, waitMs));
    if (signal.aborted) return;
    if (seen === exchanges.value) continue;
    seen = exchanges.value;
    const began = performance.now();
    await attempt(() => search(text, signal));
    waitMs = Math.max(SEARCH_AFTER_MS, (performance.now() - began) / SEARCH_SHARE);
  }
}

async function search(text: string, signal: AbortSignal): Promise<void> {
  const answer = await getJson<ExchangesEvent>(`exchanges?search=${encodeURIComponent(text)}`, signal);
  found.value = new Set(answer.exchanges.map(({ id }) => id));
}

/** Sets the view from the page's address, so that the browser's back and forward buttons work. */
export function readAddress(): void {
  const hash = location.hash.slice(1);
  view.value = hash === 'status' ? 'status' : 'requests';
  selected.value = /^\d+$/.test(hash) ? Number(hash) : null;
  edited.value = null;
}
