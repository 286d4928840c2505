/** Names and resources that have a text in their names, addresses, descriptions or ids, found by the API. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { COLLECTIONS } from '../api/collections.ts';
import { send } from '../api/http.ts';
import { useSettled } from '../api/settled.ts';
import { nameOf } from '../resources/kinds.ts';
import { href } from '../router.ts';
import { type Hit, type SearchPage, type SearchState, searchLists } from './search-lists.ts';
import { isId, type Target } from './targets.ts';

type Row = Readonly<Record<string, unknown>>;

/** Lists of a search. Each costs a request for each text. */
const LISTS = [
  { kind: '', path: '/names' },
  ...[
    ...['https_edge', 'tls_edge', 'tcp_edge', 'reserved_domain', 'reserved_addr', 'endpoint'],
    ...['credential', 'api_key', 'user', 'ip_policy', 'tls_certificate', 'tunnel_group_backend'],
    'event_destination',
  ].map((kind) => ({ kind, path: COLLECTIONS[kind] ?? '' })),
] as const;
/** Rows of a page: one more than those that are shown. */
const LIMIT = 6;
const SHORTEST = 2;
/** Kinds whose resources a name shows. */
const BEHIND_NAMES: ReadonlySet<string> = new Set(['reserved_domain', 'reserved_addr', 'endpoint']);

interface Found {
  readonly text: string;
  readonly targets: readonly Target[];
  readonly isSearching: boolean;
}

const NOTHING: Found = { text: '', targets: [], isSearching: false };

/**
 * A new text aborts the requests for the one before, and drops its targets at once. A whole id is a target by itself, so
 * that only first pages are searched for it.
 */
export function useFound(text: string): Found {
  const found = useSignal(NOTHING);
  const wanted = text.trim();
  const settled = useSettled(wanted);
  useEffect(() => {
    if (settled.length < SHORTEST) return;
    const left = new AbortController();
    void searchLists<Row>(
      LISTS.length,
      (list, next) => pageOf(LISTS[list]?.path ?? '', settled, next, left.signal),
      (state) => {
        found.value = {
          text: settled,
          targets: targetsOf(state, settled),
          isSearching: state.isSearching,
        };
      },
      left.signal,
      !isId(settled),
    );
    return () => left.abort();
  }, [settled]);
  if (wanted.length < SHORTEST) return NOTHING;
  return found.value.text === wanted ? found.value : { ...NOTHING, isSearching: true };
}

async function pageOf(
  path: string,
  q: string,
  next: string | null,
  signal: AbortSignal,
): Promise<SearchPage<Row>> {
  const first = `${path}?${new URLSearchParams({ limit: String(LIMIT), q })}`;
  const { data } = await send<Row>({ method: 'GET', path: next ?? first, signal });
  const rows = (Object.values(data).find(Array.isArray) ?? []) as readonly Row[];
  const after = typeof data.next_page_uri === 'string' ? new URL(data.next_page_uri) : null;
  return { rows, next: after && `${after.pathname}${after.search}` };
}

/**
 * Hits, then lists that may have more. A name is not repeated by its reservation or endpoint, unless that was shown before
 * the name came.
 */
function targetsOf({ hits, unfinished, isSearching }: SearchState<Row>, q: string): readonly Target[] {
  const named = new Set<unknown>();
  const distinct = hits.filter(({ list, row }) => {
    const kind = LISTS[list]?.kind ?? '';
    if (kind === '') for (const id of idsOf(row)) named.add(id);
    return !BEHIND_NAMES.has(kind) || !named.has(row.id);
  });
  const lists = isSearching ? [] : unfinished.map((list) => listTarget(LISTS[list]?.kind ?? '', q));
  return [...distinct.map(targetOf), ...lists];
}

/** Ids of what is behind a name. */
function idsOf({ resource, reservation }: Row): readonly unknown[] {
  return [resource, reservation].map((ref) => (ref as Row | null)?.id);
}

function targetOf({ list, row }: Hit<Row>): Target {
  const kind = LISTS[list]?.kind ?? '';
  if (kind === '') {
    const name = String(row.name);
    return { to: href(['names', name]), title: name, about: 'name' };
  }
  const id = String(row.id);
  const title = nameOf(row) || id;
  const { description } = row;
  const isOther = typeof description === 'string' && description !== '' && description !== title;
  const about = isOther ? `${wordsOf(kind)}: ${description}` : wordsOf(kind);
  return { to: href(['resources', kind, id]), title, about };
}

function listTarget(kind: string, q: string): Target {
  const to = kind === '' ? href(['names'], { q }) : href(['resources', kind], { q });
  return {
    to,
    title: `More ${kind === '' ? 'names' : `${wordsOf(kind).replace(/y$/, 'ie')}s`}`,
    about: 'list',
  };
}

function wordsOf(kind: string): string {
  return kind.replaceAll('_', ' ');
}
