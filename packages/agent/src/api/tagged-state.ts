/** The state of a resource that a change is for. Each change requires it, and the response has the next one. */
import { ApiError, type CallOptions } from '@underpass/client';

export class TaggedState {
  #etag: string | undefined;

  /** `etag`: absent until a response has one. */
  constructor(etag?: string) {
    this.#etag = etag;
  }

  get etag(): string | undefined {
    return this.#etag;
  }

  /** The options of a change that requires the state. */
  options(): CallOptions {
    return { ifMatch: this.#etag, onEtag: (etag) => (this.#etag = etag) };
  }

  /** The options of a read, which shows the next state. */
  readOptions(): CallOptions {
    return { onEtag: (etag) => (this.#etag = etag) };
  }
}

/** Returns true for the refusal of a change whose required state is no longer the current one. */
export function isStateChanged(error: unknown): boolean {
  return error instanceof ApiError && error.is('stateChanged');
}

/** The resource is no longer in the state that the change is for: the change cannot be made. */
export class ChangedMeanwhile extends Error {
  override readonly name = 'ChangedMeanwhile';
}
