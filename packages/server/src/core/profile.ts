/**
 * A profile: names for clients that were made for another name of this API. The API layer checks its words against the
 * schemas.
 */

import type { UserHeaders } from './modules/user-headers.ts';

export interface Profile {
  /** Path of the file, for messages to the operator. */
  readonly path: string;
  /** The request header that selects the profile's words for request and response, spelled as in the file. */
  readonly versionHeader: string;
  /** Ends in an underscore. */
  readonly errorPrefix: string;
  /** Lower case. */
  readonly operationIdHeader: string;
  /** Lower case. */
  readonly errorCodeHeader: string;
  /** The request headers in which backends receive the logged-in user. */
  readonly userHeaders: UserHeaders;
  /** The prefix of the edge's own cookies; '' for the default. */
  readonly cookiePrefix: string;
  readonly words: readonly Word[];
}

/** Another name of one field, or of one value of a field. */
export interface Word {
  /** The path of the collection, such as `/event_destinations`. */
  readonly collection: string;
  /**
   * The place of the field in a resource, in this API's words: `['target', 'stream']`; `*` for every element of a list.
   */
  readonly field: readonly string[];
  /** This API's value; null if the word renames the field itself. */
  readonly value: string | null;
  readonly theirs: string;
  /** Line of the file, from 1. */
  readonly line: number;
}

/** An impossible word of a profile. The message names it, its line and the reason. */
export class ProfileFault extends Error {
  override readonly name = 'ProfileFault';

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
  }
}
