/**
 * Runs the operations on recordings of bodies.
 * Invariant: an account begins, sees and ends recordings of its own sites only.
 */
import { formatTime } from '../../core/time-text.ts';
import type { BodyRecordingDocument, DocumentStore, StoredDocument } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { OnlineFacts, OnlineTunnels, TunnelsWithoutTls } from '../../online/online.ts';
import { actorOf } from '../../resources/change-entry.ts';
import type { Principal } from '../../resources/definition.ts';
import type { StandaloneCall, StandaloneRuns } from '../../resources/standalone/definition.ts';
import { RECORDING_PREFIX } from '../../resources/standalone/traffic-recordings.ts';
import { ConflictError, type JsonObject, type Revision, type WriteOperation } from '../../store/store.ts';
import { pageUri } from '../list-page.ts';
import {
  beginWrites,
  endWrites,
  ofClock,
  PLACES,
  placeName,
  type RecordingActor,
} from './recording-changes.ts';

export interface RecordingRunsOptions {
  readonly store: Pick<DocumentStore, 'get' | 'page' | 'names' | 'write'>;
  readonly online: OnlineNames;
  readonly isActive: (recording: Recording) => boolean;
  /** Resolves when this daemon has applied a revision. */
  readonly reached: (revision: Revision) => Promise<unknown>;
  /** False: the operator allows no recordings. */
  readonly isAllowed: boolean;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

type Recording = StoredDocument<'body_recording'>;
/** Online tunnels, by account and by name. */
export type OnlineNames = Pick<OnlineFacts, 'tunnels'> &
  Pick<OnlineTunnels, 'byName'> &
  Pick<TunnelsWithoutTls, 'byPlainName'>;
type Place = Pick<BodyRecordingDocument, 'site' | 'endpoint'> & { readonly parent: string };

const KIND = 'body_recording';
const PATH = '/traffic/recordings';
/** Recordings of an account under way, and with those that have ended. */
const MOST_ACTIVE = 20;
const MOST = 100;
const MINUTE_MS = 60_000;

export function recordingRuns(options: RecordingRunsOptions): StandaloneRuns {
  return {
    traffic_recordings_list: (call) => list(options, call),
    traffic_recordings_create: (call) => begin(options, call),
    traffic_recordings_delete: (call) => end(options, call),
  };
}

async function list(options: RecordingRunsOptions, call: StandaloneCall): Promise<JsonObject> {
  const { query, baseUrl, principal } = call;
  const limit = Number(query.limit);
  const found = await options.store.page({
    ...{ account: principal.account, kind: KIND, limit: limit + 1 },
    ...(query.before_id === undefined ? {} : { before: String(query.before_id) }),
  });
  const page = found.slice(0, limit);
  const before_id = page.at(-1)?.id ?? '';
  return {
    recordings: page.map((recording) => shown(options.isActive, recording)),
    uri: pageUri(baseUrl, PATH, query),
    next_page_uri: found.length > limit ? pageUri(baseUrl, PATH, { ...query, before_id }) : null,
  };
}

/** Raises Problem. */
async function begin(options: RecordingRunsOptions, call: StandaloneCall): Promise<JsonObject> {
  if (!options.isAllowed) throw new Problem('bodyRecordingOff');
  const body = call.body as { readonly site_id: string; readonly minutes?: number };
  const { site_id: id, minutes = 15 } = body;
  for (;;) {
    try {
      const place = await placeOf(options, call.principal.account, id);
      const begun = await beginOnce(options, call.principal, place, minutes * MINUTE_MS);
      if (begun !== null) return begun;
    } catch (error) {
      // Another one has begun or ended in between, or the edge is gone.
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

/** Resolves with null if others take the last places. Rejects with Problem or ConflictError. */
async function beginOnce(
  { store, isActive, now, reached }: RecordingRunsOptions,
  principal: Principal,
  { parent, ...place }: Place,
  lengthMs: number,
): Promise<JsonObject | null> {
  const { account } = principal;
  const all = await store.page({ account, kind: KIND, limit: MOST });
  const {
    active = [],
    passed = [],
    ended = [],
  } = Object.groupBy(all, (one) => (one.body.ended_at !== 0 ? 'ended' : isActive(one) ? 'active' : 'passed'));
  requireRoom(active, place);
  const begun_at = now();
  if (passed.length > 0) {
    await store.write((newId) => passed.flatMap((one) => endWrites(newId, one, ofClock(one, begun_at))));
    return null;
  }
  const free = await freePlace(store, account);
  if (free === null) return null;
  const times = { begun_at, ends_at: begun_at + lengthMs, ended_at: 0 };
  const made = { account, parent, body: { ...place, owner_id: principal.owner, ...times } };
  let ownId = '';
  const revision = await store.write((newId) => {
    ownId = newId(RECORDING_PREFIX);
    return [
      ...deletionOf(all.length < MOST ? undefined : ended.at(-1)),
      ...beginWrites(newId, { id: ownId, ...made }, free, byOf(principal)),
    ];
  });
  await reached(revision);
  return shown(isActive, { id: ownId, kind: KIND, revision, ...made });
}

/** Raises Problem if the site is recorded already, or if too many others are. */
function requireRoom(active: readonly Recording[], { site, endpoint }: Omit<Place, 'parent'>): void {
  const wanted = endpoint || site;
  const same = active.find(({ body }) => (body.endpoint || body.site) === wanted);
  if (same !== undefined) {
    const ends = formatTime(new Date(same.body.ends_at));
    throw new Problem('recordingRuns', { id: site, ends, recording: same.id }, { field: '/site_id' });
  }
  if (active.length >= MOST_ACTIVE) throw new Problem('recordingsTooMany', { limit: MOST_ACTIVE });
}

/** Returns a random one, so that requests at once rarely choose the same. Null: there is none. */
async function freePlace(store: RecordingRunsOptions['store'], account: string): Promise<number | null> {
  const names = await store.names({ kind: PLACES, prefix: placeName(account, ''), limit: MOST });
  const taken = new Set(names.map(({ value }) => value));
  const free = Array.from({ length: MOST_ACTIVE }, (_, place) => place).filter(
    (place) => !taken.has(placeName(account, place)),
  );
  return free[Math.floor(Math.random() * free.length)] ?? null;
}

/** Raises Problem. */
async function end(options: RecordingRunsOptions, { principal, path, query }: StandaloneCall): Promise<null> {
  const { store, now, reached } = options;
  const discards = query.discard === true;
  for (;;) {
    const recording = await store.get(path.id ?? '');
    if (recording?.kind !== KIND || recording.account !== principal.account)
      throw new Problem('resourceNotFound');
    if (recording.body.ended_at !== 0 && !discards) return null;
    try {
      const by = byOf(principal);
      await reached(await store.write((newId) => endWrites(newId, recording, { at: now(), discards, by })));
      return null;
    } catch (error) {
      // It has changed in between.
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

/** Raises Problem if the account has no site by this id that carries HTTP. */
async function placeOf({ store, online }: RecordingRunsOptions, account: string, id: string): Promise<Place> {
  for (const { endpoint } of online.tunnels(account)) {
    const isHttp = endpoint?.proto === 'http' || endpoint?.proto === 'https';
    if (!isHttp) continue;
    const { hostname, isPlain, text } = endpoint;
    // Agents that share a name have one site, which may be named after one that is gone.
    const { pool } = (isPlain ? online.byPlainName(hostname) : online.byName(hostname)) ?? {};
    if (endpoint.id === id || pool?.id === id) return { site: id, endpoint: text, parent: account };
  }
  const edge = await store.get(id);
  if (edge?.kind !== 'https_edge' || edge.account !== account)
    throw new Problem('recordingSiteUnknown', { id }, { field: '/site_id' });
  return { site: id, endpoint: '', parent: id };
}

function deletionOf(document: Recording | undefined): readonly WriteOperation[] {
  return document === undefined ? [] : [{ op: 'delete', id: document.id, revision: document.revision }];
}

function byOf(principal: Principal): RecordingActor {
  const { operation = '', operationId = '' } = principal;
  return { actor: actorOf(principal), operation, operationId };
}

function shown(isActive: RecordingRunsOptions['isActive'], recording: Recording): JsonObject {
  const { id, body } = recording;
  const [begun, ends] = [new Date(body.begun_at), new Date(body.ends_at)];
  return {
    ...{ id, site_id: body.site, host: body.endpoint, owner_id: body.owner_id },
    ...{ begun_at: formatTime(begun), ends_at: formatTime(ends), is_active: isActive(recording) },
  };
}
