/** One of the stores that live through the same history, with the engine on it. */
import type { JsonObject } from '../../store/store.ts';
import type { Principal, ResourceEngine } from '../definition.ts';
import type { EngineDependencies } from '../engine/contexts.ts';

export type AnyStore = EngineDependencies['store'];

/** An engine on one store, and what the history made there. */
export class Subject {
  readonly name: string;
  readonly engine: ResourceEngine;
  readonly callers: readonly Principal[];
  /** The created resources in their order, as the response to their creation showed them. */
  readonly resources: JsonObject[] = [];
  /** Ids and addresses of this store, with what they are called in the answers that are compared. */
  readonly #known = new Map<string, string>();

  private constructor(name: string, engine: ResourceEngine, callers: readonly Principal[]) {
    this.name = name;
    this.engine = engine;
    this.callers = callers;
  }

  static async create(name: string, store: AnyStore, engine: ResourceEngine): Promise<Subject> {
    const callers: Principal[] = [];
    await store.write((newId) => {
      const [home, abroad] = [newId('ac'), newId('ac')];
      for (const [account, role] of [
        [home, 'admin'],
        [home, 'member'],
        [abroad, 'admin'],
      ] as const) {
        const owner = newId('usr');
        callers.push({ account, owner, role, subject: '', key: 'ak_0', address: '127.0.0.1' });
      }
      return callers.map(({ account, owner: id, role }) => {
        const body = { name: role, email: '', role, active: true };
        return { op: 'insert', id, account, kind: 'user', parent: null, body, links: [], names: [] };
      });
    });
    return new Subject(name, engine, callers);
  }

  /** An answer as text in which ids and addresses are numbered in the order in which they appear, and tokens are hidden. */
  normalise(answer: unknown): string {
    return JSON.stringify(answer, null, 1)
      .replace(/"token": "[^"]+"/g, '"token": "…"')
      .replace(/[0-9a-f]{20}\.(cname|acme)\./g, '….$1.')
      .replace(/\d\.tcp(?:\.[a-z]{2})?\.underpass\.localhost:\d{5}/g, (found) => this.#number(found, 'addr'))
      .replace(/([a-z]+)_([0-9A-Za-z]{27})/g, (found, prefix) => this.#number(found, prefix));
  }

  #number(found: string, as: string): string {
    const known = this.#known.get(found) ?? `${as}#${this.#known.size}`;
    this.#known.set(found, known);
    return known;
  }
}
