/** Calls operations by their names in the table, and keeps the lists that were fetched for look-ups. */
import type { CallOptions, Client } from '@underpass/client';
import type { ResourceTable, VerbTable } from '@underpass/client/operations';
import { type KnownResource, resourceOf, verbOf } from './catalogue.ts';

export type Row = Readonly<Record<string, unknown>>;

interface Listing {
  pages(): AsyncIterable<Row>;
}

/** A client whose methods go by the names of the table. */
type NamedClient = Readonly<
  Record<string, Readonly<Record<string, (...args: readonly unknown[]) => unknown>>>
>;

const PAGE = 100;

export class Resources {
  readonly #client: Client;
  readonly #kept = new Map<string, Promise<readonly Row[]>>();
  #requests = 0;

  constructor(client: Client) {
    this.#client = client;
  }

  /** Requests so far, without repeated ones. */
  get requests(): number {
    return this.#requests;
  }

  /** Forgets what was fetched for look-ups. */
  forget(): void {
    this.#kept.clear();
  }

  /** Calls one operation that is no list. Rejects with a ClientError. */
  async call(
    resource: ResourceTable,
    verb: VerbTable,
    ids: readonly string[],
    body?: object,
    query: object = {},
    options: CallOptions = {},
  ): Promise<Row | undefined> {
    this.#requests++;
    const given = [
      ...(verb.query === undefined ? [] : [query]),
      ...(verb.fields === null ? [] : [body]),
      options,
    ];
    return (await this.#method(resource, verb)(...ids, ...given)) as Row | undefined;
  }

  /** The newest `limit` items of a list, 0 for all of them. Rejects with a ClientError. */
  async list(
    resource: ResourceTable,
    verb: VerbTable,
    ids: readonly string[],
    limit: number,
    query: object = {},
  ): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
    const isPaged = verb.list?.isPaged === true;
    const paging = isPaged ? [{ ...query, limit: limit === 0 ? PAGE : Math.min(limit, PAGE) }] : [];
    const listing = this.#method(resource, verb)(...ids, ...paging) as Listing;
    const rows: Row[] = [];
    let isMore = false;
    for await (const page of listing.pages()) {
      this.#requests++;
      rows.push(...(page[verb.list?.key ?? ''] as readonly Row[]));
      isMore = typeof page.next_page_uri === 'string' || rows.length > limit;
      if (limit !== 0 && rows.length >= limit) break;
    }
    const isCut = limit !== 0 && isMore && isPaged;
    return { rows: isCut ? rows.slice(0, limit) : rows, isCut };
  }

  /** All resources of a kind, fetched once. Resources inside of another one need its id. Rejects with a ClientError. */
  all(resource: KnownResource, holder = ''): Promise<readonly Row[]> {
    const key = `${resource.name} ${holder}`;
    const kept = this.#kept.get(key) ?? this.#all(resource, holder);
    this.#kept.set(key, kept);
    return kept;
  }

  /** Adds a resource that was created to the list that is kept. */
  add(resource: KnownResource, item: Row, holder = ''): void {
    const key = `${resource.name} ${holder}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined)
      this.#kept.set(
        key,
        kept.then((items) => [item, ...items]),
      );
  }

  async #all(resource: KnownResource, holder: string): Promise<readonly Row[]> {
    const { within } = resource.kind;
    if (within === undefined) {
      const verb = verbOf(resource, 'list');
      return verb === null ? [] : (await this.list(resource, verb, [], 0)).rows;
    }
    const outer = resourceOf(within.kind);
    const verb = verbOf(outer, 'get');
    const item = verb === null ? undefined : await this.call(outer, verb, [holder]);
    return (item?.[within.key] ?? []) as readonly Row[];
  }

  #method(resource: ResourceTable, verb: VerbTable): (...args: readonly unknown[]) => unknown {
    const methods = (this.#client as unknown as NamedClient)[resource.name];
    const method = methods?.[verb.name]?.bind(methods);
    if (method === undefined) throw new Error(`the client has no ${resource.name}.${verb.name}`);
    return method;
  }
}
