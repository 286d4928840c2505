/**
 * Recorded bodies of requests, in the memory of the daemon that served the visitor.
 * Invariant: an account, and all of them together, use a limited number of bytes; the oldest bodies go first.
 * Invariant: bodies are gone an hour after their request began, and with their recording.
 */
import { type BudgetShare, ByteBudget } from '@underpass/wire';
import type { BodyPlace, RecordedBodies, RecordedBody } from '../../edge/sites/body-recording.ts';
import type { JsonObject } from '../../store/store.ts';

export interface BodyLimits {
  /** Bytes of an account. */
  readonly account: number;
  /** Bytes of all accounts. */
  readonly total: number;
}

export const bodyLimits: BodyLimits = { account: 4 * 2 ** 20, total: 32 * 2 ** 20 };
/** Milliseconds after the begin of a request until its bodies are gone. */
export const BODIES_MS = 3_600_000;
/** Bytes of the objects of a request. */
const OBJECTS = 512;

/** A recording under way. */
export interface OpenRecording {
  readonly id: string;
  readonly account: string;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

export class BodyStore {
  readonly #now: () => number;
  readonly #limits: BodyLimits;
  readonly #all: ByteBudget;
  readonly #accounts = new Map<string, ByteBudget>();
  /** Places of requests that run or are kept, oldest first. */
  readonly #places = new Set<Place>();
  /** Kept ones, by account and id of the request. */
  readonly #kept = new Map<string, Place>();

  /** `now`: milliseconds since 1970. */
  constructor(now: () => number, limits: BodyLimits = bodyLimits) {
    this.#now = now;
    this.#limits = limits;
    this.#all = new ByteBudget(limits.total);
  }

  /** Bytes in use. */
  get bytes(): number {
    return this.#all.total;
  }

  /** Returns a place for the bodies of a request that begins. `isOpen`: the recording still runs. */
  begin(recording: OpenRecording, isOpen: () => boolean): BodyPlace {
    const budget = this.#accounts.get(recording.account) ?? new ByteBudget(this.#limits.account, this.#all);
    this.#accounts.set(recording.account, budget);
    const place = new Place(recording, this.#now(), isOpen, () => this.#remove(place));
    place.share = budget.open(() => this.#remove(place));
    this.#places.add(place);
    return place;
  }

  /** Keeps the bodies of a request that has ended. */
  keep(account: string, id: string, bodies: RecordedBodies): void {
    const { place } = bodies;
    if (!(place instanceof Place) || !this.#places.has(place)) return;
    if (bodies.request === null && bodies.response === null) {
      place.release();
      return;
    }
    const size = (bodies.request?.bytes.length ?? 0) + (bodies.response?.bytes.length ?? 0);
    if (!place.keep(size + OBJECTS)) return;
    place.key = keyOf(account, id);
    place.bodies = bodies;
    this.#kept.set(place.key, place);
  }

  has(account: string, id: string): boolean {
    return this.#find(account, id) !== undefined;
  }

  /** Returns the bodies of a request in the form of the API; null if there are none. */
  find(account: string, id: string): JsonObject | null {
    const place = this.#find(account, id);
    if (place?.bodies == null) return null;
    const { request, response } = place.bodies;
    return { recording_id: place.recording.id, request: shown(request), response: shown(response) };
  }

  /** Forgets the bodies of a recording, also of requests that run. */
  forget(recording: string): void {
    for (const place of this.#places) if (place.recording.id === recording) this.#remove(place);
  }

  /** Forgets what is too old. Called at intervals. */
  sweep(): void {
    for (const place of this.#places) if (this.#isOld(place)) this.#remove(place);
    for (const [account, { total }] of this.#accounts) if (total === 0) this.#accounts.delete(account);
  }

  #find(account: string, id: string): Place | undefined {
    const place = this.#kept.get(keyOf(account, id));
    return place === undefined || this.#isOld(place) ? undefined : place;
  }

  #isOld({ begunAt }: Place): boolean {
    return Math.abs(this.#now() - begunAt) >= BODIES_MS;
  }

  #remove(place: Place): void {
    this.#places.delete(place);
    this.#kept.delete(place.key);
    place.end();
  }
}

/** Memory of one request. */
class Place implements BodyPlace {
  readonly recording: OpenRecording;
  readonly begunAt: number;
  share: BudgetShare | null = null;
  key = '';
  bodies: RecordedBodies | null = null;
  readonly release: () => void;
  readonly #isRecording: () => boolean;

  constructor(recording: OpenRecording, begunAt: number, isRecording: () => boolean, release: () => void) {
    this.recording = recording;
    this.begunAt = begunAt;
    this.#isRecording = isRecording;
    this.release = release;
  }

  get isOpen(): boolean {
    return this.share !== null && this.#isRecording();
  }

  keep(bytes: number): boolean {
    this.share?.keep(bytes);
    // The budget may have taken it away.
    return this.share !== null;
  }

  end(): void {
    const { share } = this;
    this.share = null;
    this.bodies = null;
    share?.keep(0);
  }
}

function keyOf(account: string, id: string): string {
  return `${account} ${id}`;
}

/** Control characters would make several bytes of each in JSON. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: They are looked for.
const CONTROL = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/;

function shown(body: RecordedBody | null): JsonObject | null {
  if (body === null) return null;
  const { bytes, size, type, encoding } = body;
  const text = bytes.toString('utf8');
  const isText = !CONTROL.test(text) && Buffer.from(text).equals(bytes);
  return {
    content: isText ? text : bytes.toString('base64'),
    encoding: isText ? 'utf8' : 'base64',
    ...{ content_type: type, content_encoding: encoding, size, is_truncated: size > bytes.length },
  };
}
