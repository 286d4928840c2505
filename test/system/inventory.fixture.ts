/** One resource of every kind in an account, and one by each other name of a kind, and each path of the document with their ids in it. */
import assert from 'node:assert/strict';
import { resourceSurfaces } from '../../packages/server/src/resources/kinds/index.ts';
import { samples } from '../../packages/server/src/resources/samples/index.fixture.ts';
import { standaloneOperations } from '../../packages/server/src/resources/standalone/index.ts';
import type { Account, Operation } from './account.fixture.ts';

/** Key of the element in the samples of kinds with elements. */
export const ELEMENT = 'ip_policy_created.v0';
/** Prefixes of ids that belong to no kind, by the path before them. */
const PREFIXES: ReadonlyMap<string, string> = new Map(
  standaloneOperations.flatMap(({ path, prefixes = {} }) =>
    Object.entries(prefixes).map(
      ([name, prefix]) => [path.slice(0, path.indexOf(`/{${name}}`)), prefix] as const,
    ),
  ),
);
const LIVE = ['/tunnels', '/tunnel_sessions', '/endpoints'];

export class Inventory {
  /** Ids by the collection's path in the document. */
  readonly ids: ReadonlyMap<string, string>;
  readonly #operations: readonly Operation[];

  private constructor(ids: ReadonlyMap<string, string>, operations: readonly Operation[]) {
    this.ids = ids;
    this.#operations = operations;
  }

  /** Includes live kinds if an agent with a tunnel is online in the account. */
  static async make(account: Account, operations: readonly Operation[]): Promise<Inventory> {
    const ids = new Map<string, string>();
    for (const path of LIVE) {
      const { json } = await account.call('GET', path);
      const [first] = Object.values<readonly { readonly id: string }[]>(json).find(Array.isArray) ?? [];
      if (first !== undefined) ids.set(path, first.id);
    }
    for (const { kind, parent } of samples) {
      const { id, path } = await account.make(kind);
      const template = operations.find((one) => one.id === `${kind}_create`)?.path ?? '';
      ids.set(template, id);
      // Its parent is the one in the paths below it.
      if (parent !== undefined) ids.set(template.replace(/\/\{.*$/, ''), path.split('/').at(-3) ?? '');
    }
    for (const { aliasOf, name, path } of resourceSurfaces)
      if (aliasOf !== undefined) ids.set(path, (await account.make(name)).id);
    return new Inventory(ids, operations);
  }

  of(collection: string): string {
    const id = this.ids.get(collection);
    assert.ok(id, collection);
    return id;
  }

  /** A path of the document with what `choose` gives for each collection that an id is of. */
  fill(path: string, choose = (collection: string): string => this.of(collection)): string {
    const segments = path.split('/');
    return segments
      .map((segment, at) => {
        if (!segment.startsWith('{')) return segment;
        const collection = segments.slice(0, at).join('/');
        return this.ids.has(collection) ? choose(collection) : (unknownIn(collection) ?? ELEMENT);
      })
      .join('/');
  }

  /** Returns the text of every resource by its path. */
  async read(account: Account): Promise<ReadonlyMap<string, string>> {
    const texts = new Map<string, string>();
    for (const { id, path } of this.#operations) {
      if (!id.endsWith('_get') || !this.ids.has(path.replace(/\/\{\w+\}$/, ''))) continue;
      const { status, text } = await account.call('GET', this.fill(path));
      assert.equal(status, 200, path);
      texts.set(path, text);
    }
    return texts;
  }
}

/** Returns an id that nothing has, below a path of no kind; null for any other path. */
export function unknownIn(collection: string): string | null {
  const prefix = PREFIXES.get(collection);
  return prefix === undefined ? null : `${prefix}_0ujtsYcgvSTl8PAuAdqWYSMnLOv`;
}
