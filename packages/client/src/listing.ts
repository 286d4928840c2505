/** A list of the API that fetches its pages as it is read. */
import type { CallOptions } from './options.ts';
import { queryText } from './query-text.ts';

export interface ListOptions extends CallOptions {
  /** The most items of a page: 1 to 100 (default 100). A list without pages has all by default. */
  readonly limit?: number | undefined;
  /** Lists what was created before this id; of a list whose items have no id, before this key. */
  readonly beforeId?: string | undefined;
}

export interface SelectOptions extends ListOptions {
  /** Lists only the resources that match all terms, such as `created_at >= 2026-01-31 and description contains "shop"`. */
  readonly filter?: string | undefined;
  /** Lists only the resources with this text in their ids, names, addresses or descriptions. */
  readonly q?: string | undefined;
}

/**
 * A list, newest first, that is read as it is iterated: `for await (const edge of client.tlsEdges.list())`. Each iteration
 * begins anew.
 */
export class Listing<Item, Page> implements AsyncIterable<Item> {
  readonly #key: string;
  readonly #query: string;
  readonly #fetch: (query: string) => Promise<Page>;

  /**
   * `key` is the field of a page that holds the items; `fetch` is handed a query, from its question mark on, or ''.
   * `names`: options that are parameters of the query, too.
   */
  constructor(
    key: string,
    options: ListOptions,
    fetch: (query: string) => Promise<Page>,
    names: readonly string[] = [],
  ) {
    const values = options as SelectOptions & Readonly<Record<string, string>>;
    const { limit, beforeId, filter, q } = values;
    const named = Object.fromEntries(names.map((name) => [name, values[name]]));
    this.#key = key;
    this.#query = queryText({ limit, before_id: beforeId, filter, q, ...named });
    this.#fetch = fetch;
  }

  /** Resolves with the first page as the API sends it. */
  page(): Promise<Page> {
    return this.#fetch(this.#query);
  }

  /** One page after the other. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let query: string | null = this.#query;
    while (query !== null) {
      const page: Page = await this.#fetch(query);
      yield page;
      query = nextQuery(page);
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* (page as Record<string, readonly Item[]>)[this.#key] ?? [];
  }
}

/** Only the query of the next page's address counts: the API key goes nowhere but to the base URL. */
function nextQuery(page: unknown): string | null {
  const { next_page_uri: next } = page as { readonly next_page_uri?: string | null };
  return next === undefined || next === null ? null : new URL(next).search;
}
