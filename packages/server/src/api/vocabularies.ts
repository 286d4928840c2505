/**
 * Chooses the vocabulary of a request: ours, or the profile's if the request has the profile's version header.
 * Invariant: a request and its response always have the same vocabulary.
 */
import type { Profile } from '../core/profile.ts';
import type { Settings } from '../core/settings.ts';
import type { Headers } from '../http-server/request.ts';
import type { KindSurface } from '../resources/definition.ts';
import { OPERATION_ID_HEADER } from './operation-id.ts';
import { ProfileWords } from './profile-words.ts';

export interface Vocabulary {
  /** The header that a request names the version with, as it is documented. */
  readonly versionHeader: string;
  /** Ends in an underscore. */
  readonly errorPrefix: string;
  readonly operationIdHeader: string;
  /** Null: those of the resources themselves. */
  readonly words: ProfileWords | null;
}

type Names = Pick<Settings, 'versionHeaders' | 'errorPrefix' | 'profile'>;

export class Vocabularies {
  readonly own: Vocabulary;
  /** Every header that can contain the version, in lower case. */
  readonly versionHeaders: readonly string[];
  readonly #profile: Vocabulary | null;
  /** The profile's version header, in lower case. */
  readonly #profileHeader: string;

  /** Throws ProfileFault. */
  constructor({ versionHeaders, errorPrefix, profile }: Names, kinds: readonly KindSurface[]) {
    const [versionHeader = ''] = versionHeaders;
    this.own = { versionHeader, errorPrefix, operationIdHeader: OPERATION_ID_HEADER, words: null };
    this.#profile = profile === null ? null : inProfile(profile, kinds);
    this.#profileHeader = profile?.versionHeader.toLowerCase() ?? '';
    const others = profile === null ? [] : [this.#profileHeader];
    this.versionHeaders = [...versionHeaders.map((name) => name.toLowerCase()), ...others];
  }

  of(headers: Headers): Vocabulary {
    return this.#profile !== null && headers.has(this.#profileHeader) ? this.#profile : this.own;
  }
}

function inProfile(profile: Profile, kinds: readonly KindSurface[]): Vocabulary {
  const { versionHeader, errorPrefix, operationIdHeader } = profile;
  return { versionHeader, errorPrefix, operationIdHeader, words: new ProfileWords(profile, kinds) };
}
