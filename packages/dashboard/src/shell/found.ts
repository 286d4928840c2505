/** Resources whose names, addresses or ids have a text, found by the API. */
import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { COLLECTIONS } from '../api/collections.ts';
import { send } from '../api/http.ts';
import { useSettled } from '../api/settled.ts';
import { nameOf } from '../resources/kinds.ts';
import { href } from '../router.ts';
import type { Target } from './targets.ts';

/** Kinds that people look for by name; each costs a request. */
const KINDS = ['endpoint', 'https_edge', 'tls_edge', 'tcp_edge', 'reserved_domain', 'credential'] as const;
const EACH_MAX = 5;
const SHORTEST = 2;

interface Found {
  readonly targets: readonly Target[];
  readonly isSearching: boolean;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string };

/** A new text aborts the requests for the one before. */
export function useFound(text: string): ReadonlySignal<Found> {
  const found = useSignal<Found>({ targets: [], isSearching: false });
  const wanted = text.trim();
  const settled = useSettled(wanted);
  useEffect(() => {
    if (settled.length < SHORTEST) {
      found.value = { targets: [], isSearching: false };
      return;
    }
    const left = new AbortController();
    found.value = { targets: [], isSearching: true };
    void search(settled, left.signal).then((targets) => {
      if (!left.signal.aborted) found.value = { targets, isSearching: false };
    });
    return () => left.abort();
  }, [settled]);
  return found;
}

/** Never rejects: a list that the user may not see has nothing. */
async function search(text: string, signal: AbortSignal): Promise<readonly Target[]> {
  const lists = await Promise.all(KINDS.map((kind) => rowsOf(kind, text, signal).catch(() => [])));
  return lists.flatMap((rows, at) => {
    const kind = KINDS[at] ?? '';
    const about = kind.replaceAll('_', ' ');
    return rows.map((row) => ({
      to: href(['resources', kind, row.id]),
      title: nameOf(row) || row.id,
      about,
    }));
  });
}

async function rowsOf(kind: string, text: string, signal: AbortSignal): Promise<readonly Row[]> {
  const query = new URLSearchParams({ limit: String(EACH_MAX), q: text });
  const path = `${COLLECTIONS[kind]}?${query}`;
  const { data } = await send<Readonly<Record<string, unknown>>>({ method: 'GET', path, signal });
  return (Object.values(data).find(Array.isArray) ?? []) as readonly Row[];
}
