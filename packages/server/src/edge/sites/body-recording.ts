/** The interface between the HTTP engine and the recordings of bodies. Invariant: without a recording no byte is copied. */
import type { Site } from './site.ts';

/** Bytes that are kept of one body. */
export const MOST_RECORDED = 64 * 1024;

/** The beginning of a body, without its framing. */
export interface RecordedBody {
  readonly bytes: Buffer;
  /** Bytes of the whole body, as far as it was sent. */
  readonly size: number;
  /** Value of Content-Type; '' for none. */
  readonly type: string;
  /** Value of Content-Encoding; '' for none. */
  readonly encoding: string;
}

/** Memory for the bodies of one request. It may be taken away at any time. */
export interface BodyPlace {
  /** False: no further byte may be kept. */
  readonly isOpen: boolean;
  /** Sets the bytes of memory in use. Returns false if they must be released at once. */
  keep(bytes: number): boolean;
  /** Nothing of the request is kept. */
  release(): void;
}

/** Both bodies of a request that has ended. Null: there was none. */
export interface RecordedBodies {
  readonly place: BodyPlace;
  readonly request: RecordedBody | null;
  readonly response: RecordedBody | null;
}

export interface BodyRecordings {
  /** True if the bodies of any site are recorded. Read for each request. */
  readonly isOn: boolean;
  /** Returns a place for a request that begins; null if the bodies of its site are not recorded. */
  begin(site: Pick<Site, 'id' | 'account' | 'endpoint'>): BodyPlace | null;
}

export const noRecordings: BodyRecordings = { isOn: false, begin: () => null };
