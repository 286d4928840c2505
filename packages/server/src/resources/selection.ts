/** Selects resources of a list by the `filter` and the `q` of its request. */
import { type Branch, fieldsOf } from '../core/filter/fields.ts';
import type { Filter } from '../core/filter/filter.ts';
import { matches } from '../core/filter/match.ts';
import { hasText, searchedFields } from '../core/filter/search.ts';
import { parseId } from '../core/id.ts';
import type { TObject } from '../core/type.ts';
import { Problem } from '../errors/problem.ts';
import type { JsonObject } from '../store/store.ts';
import { readFilter } from './filter.ts';

/** Bytes of the text of a search as UTF-8, at most. */
export const MOST_SEARCH_BYTES = 200;

/** Fields with long texts for machines, in which a short text is found by chance, and addresses of the API. */
const UNSEARCHED = /^(?:uri|body|certificate|public_key|idp_metadata|traffic_policy|.*_pem)$/;

/** Parameters of a list, as the request has them. */
export interface SelectionText {
  readonly filter?: string;
  readonly q?: string;
}

/** The fields of a resource as a request names them. */
export interface SelectedFields {
  readonly fields: Branch;
  readonly searched: Branch;
}

const known = new WeakMap<TObject, SelectedFields>();

/** Returns the fields of responses with this schema. */
export function selectedFields(read: TObject): SelectedFields {
  const made = known.get(read) ?? selectedIn(fieldsOf(read));
  known.set(read, made);
  return made;
}

export function selectedIn(fields: Branch): SelectedFields {
  return { fields, searched: searchedFields(fields, (name) => !UNSEARCHED.test(name)) };
}

export class Selection {
  readonly text: SelectionText;
  readonly #filter: Filter;
  readonly #searched: Branch;
  readonly #search: ((text: string) => boolean) | null;
  readonly #view: (shown: JsonObject) => JsonObject;

  /** `view` returns a resource in the words of `fields`. Raises Problem. */
  constructor(
    text: SelectionText,
    { fields, searched }: SelectedFields,
    view: (shown: JsonObject) => JsonObject = (shown) => shown,
  ) {
    const { filter, q } = text;
    this.text = text;
    this.#filter = filter === undefined ? [] : readFilter(filter, fields);
    this.#searched = searched;
    this.#search = q === undefined ? null : searchFor(q);
    this.#view = view;
  }

  /** `shown` is the resource as the API shows it. */
  has(shown: JsonObject): boolean {
    const seen = this.#view(shown);
    if (!matches(this.#filter, seen)) return false;
    return this.#search === null || hasText(this.#searched, this.#search, seen);
  }
}

/** Returns the test of a text. Case counts in whole ids only, because some differ by nothing else. Raises Problem. */
function searchFor(q: string): (text: string) => boolean {
  const [actual, limit] = [Buffer.byteLength(q), MOST_SEARCH_BYTES];
  if (actual > limit) throw new Problem('searchTooLong', { actual, limit }, { field: 'q', limit });
  if (parseId(q) !== null) return (text) => text.includes(q);
  const wanted = q.toLowerCase();
  return (text) => text.toLowerCase().includes(wanted);
}
