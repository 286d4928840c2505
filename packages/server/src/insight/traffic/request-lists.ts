/**
 * Runs the operations of the list of requests, over all daemons.
 * Invariant: every entry in a response belongs to the account of the caller.
 */
import { parseId } from '../../core/id.ts';
import { Problem } from '../../errors/problem.ts';
import type { Questions } from '../../link/questions.ts';
import { Selection, selectedFields } from '../../resources/selection.ts';
import type { StandaloneCall, StandaloneRuns } from '../../resources/standalone/definition.ts';
import { REQUEST_PREFIX, TrafficRequest } from '../../resources/standalone/traffic-requests.ts';
import type { JsonObject } from '../../store/store.ts';
import type { RequestLog, Wanted } from './request-log.ts';

/** The names of the questions to other daemons, with their versions. */
export const LIST = 'traffic_requests.1';
const FIND = 'traffic_request.1';

export interface AskedList extends Omit<Wanted, 'has'> {
  readonly account: string;
  readonly filter?: string;
  readonly watchMs: number;
}

interface AskedEntry {
  readonly account: string;
  readonly id: string;
  /** True if the caller may see bodies. Absent in questions of older daemons. */
  readonly hasBodies?: boolean;
}

/** `questions`: to the other daemons. Answers theirs, too. */
export function requestRuns(log: RequestLog, questions: Questions, uri: string): StandaloneRuns {
  questions.answer(LIST, (body) => ({ entries: list(log, body as AskedList) }));
  questions.answer(FIND, (body) => {
    return { entry: find(log, body as AskedEntry) };
  });
  const requireOn = (): void => {
    if (log.choice === 'off') throw new Problem('requestLogOff');
  };

  async function listAll({ principal, query, missing }: StandaloneCall): Promise<JsonObject> {
    requireOn();
    const asked = askedOf(principal.account, query);
    // One more than wanted shows that there is a next page.
    const body = { ...asked, limit: asked.limit + 1 };
    const own = list(log, body);
    const others = await questions.ask({ name: LIST, body, read: readEntries });
    missing(others.missing);
    const all = [own, ...others.values].flat().sort((one, two) => (idOf(one) < idOf(two) ? 1 : -1));
    const requests = all.slice(0, asked.limit);
    return {
      requests,
      uri,
      next_page_uri: all.length > asked.limit ? nextPage(uri, asked, idOf(requests.at(-1)!)) : null,
    };
  }

  async function getOne({ principal, path: { id = '' }, missing }: StandaloneCall): Promise<JsonObject> {
    requireOn();
    // An id of another form is one that nothing has.
    if (!isRequestId(id)) throw new Problem('resourceNotFound');
    const asked = { account: principal.account, id, hasBodies: principal.role !== 'viewer' };
    const own = find(log, asked);
    if (own !== null) return own;
    const others = await questions.ask({ name: FIND, body: asked, read: readEntry });
    missing(others.missing);
    const [found] = others.values.flat();
    if (found === undefined) throw new Problem('resourceNotFound');
    return { bodies: null, ...found };
  }

  return { traffic_requests_list: listAll, traffic_requests_get: getOne };
}

/** Returns the entry of this daemon with its bodies; null if it has none. */
function find(log: RequestLog, { account, id, hasBodies = false }: AskedEntry): JsonObject | null {
  const entry = log.find(account, id);
  return entry === null ? null : { ...entry, bodies: hasBodies ? log.bodiesOf(account, id) : null };
}

/** Returns the entries of this daemon. Raises Problem for a wrong filter. */
function list(log: RequestLog, { account, watchMs, filter, ...page }: AskedList): JsonObject[] {
  const selection = new Selection(filter === undefined ? {} : { filter }, selectedFields(TrafficRequest));
  log.watch(account, watchMs);
  return log.list(account, { ...page, has: (entry) => selection.has(entry) });
}

function askedOf(account: string, query: StandaloneCall['query']): AskedList {
  const { limit = 100, before_id: before, filter, watch_seconds: seconds = 0 } = query;
  return {
    ...{ account, limit: Number(limit), watchMs: Number(seconds) * 1000 },
    ...(before === undefined ? {} : { before: String(before) }),
    ...(filter === undefined ? {} : { filter: String(filter) }),
  };
}

function isRequestId(text: string): boolean {
  return parseId(text)?.prefix === REQUEST_PREFIX;
}

function nextPage(uri: string, { limit, filter }: AskedList, before: string): string {
  const more = filter === undefined ? {} : { filter };
  return `${uri}?${new URLSearchParams({ before_id: before, limit: String(limit), ...more })}`;
}

/** Entries of a newer daemon may have more fields, and the schema of responses does not forbid them. */
export function readEntries(answer: unknown): readonly JsonObject[] | null {
  const { entries } = Object(answer) as { readonly entries?: unknown };
  return Array.isArray(entries) && entries.every(isEntry) ? entries : null;
}

function readEntry(answer: unknown): readonly JsonObject[] | null {
  const { entry } = Object(answer) as { readonly entry?: unknown };
  if (entry === null) return [];
  return isEntry(entry) ? [entry] : null;
}

function isEntry(value: unknown): value is JsonObject {
  return typeof (Object(value) as { readonly id?: unknown }).id === 'string';
}

function idOf({ id }: JsonObject): string {
  return String(id);
}
