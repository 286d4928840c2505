/**
 * A profile: the names by which clients know things that were made for another name of this API. Which of its words are
 * possible is checked where the schemas are.
 */

import type { UserHeaders } from './user-headers.ts';

export interface Profile {
  /** Of the file, for messages to the operator. */
  readonly path: string;
  /** Requests that carry it are in these words, and so are their answers. As it is written in the file. */
  readonly versionHeader: string;
  /** Ends in an underscore. */
  readonly errorPrefix: string;
  /** Lower case. */
  readonly operationIdHeader: string;
  /** Lower case. */
  readonly errorCodeHeader: string;
  /** By which backends read who has logged in. */
  readonly userHeaders: UserHeaders;
  /** What the names of the edge's own cookies begin with; '' for the default. */
  readonly cookiePrefix: string;
  readonly words: readonly Word[];
}

/** What one field, or one value of a field, is called. */
export interface Word {
  /** The path of the collection: `/event_destinations`. */
  readonly collection: string;
  /** Where the field is in a resource, in our words: `['target', 'stream']`; `*` for every element of a list. */
  readonly field: readonly string[];
  /** Ours; null: it is the field's name. */
  readonly value: string | null;
  readonly theirs: string;
  /** Of the file, from 1. */
  readonly line: number;
}

/** A word of a profile that cannot be: the message says which one, where, and why. */
export class ProfileFault extends Error {
  override readonly name = 'ProfileFault';

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
  }
}
