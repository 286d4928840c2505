/** An engine that records its calls and returns them. It has no rules of resources. */
import { Problem } from '../errors/problem.ts';
import type { Collection, Principal, ResourceEngine } from '../resources/definition.ts';
import type { RequestState } from '../resources/request-state.ts';
import type { JsonObject } from '../store/store.ts';
import { gadgets, WIDGET, widgets } from './samples.fixture.ts';

/** Returns the call that it received; nothing before `blockedUntil` resolves. */
export class FakeEngine implements ResourceEngine {
  readonly kinds = [widgets, gadgets];
  readonly asked: string[] = [];
  blockedUntil: Promise<void> = Promise.resolve();
  failure: Error | null = null;
  next: string | null = null;
  /** Revision of all resources. */
  revision = 7;

  async #note(...parts: unknown[]): Promise<JsonObject> {
    const asked = parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join(' ');
    this.asked.push(asked);
    if (this.failure !== null) throw this.failure;
    await this.blockedUntil;
    return { asked };
  }
  #state(state: RequestState | undefined): void {
    state?.require({ revision: this.revision, body: {} });
    state?.show({ revision: this.revision, body: {} });
  }
  async create(
    { kind, parent }: Collection,
    _: Principal,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    this.#state(state);
    return this.#note('create', kind.name, ...(parent === undefined ? [] : [parent]), body);
  }
  async get({ kind }: Collection, _: Principal, id: string, state?: RequestState): Promise<JsonObject> {
    if (kind.source === 'stored') this.#state(state);
    if (!id.startsWith(`${kind.prefix}_`))
      throw new Problem('idPrefixWrong', { value: id, prefix: kind.prefix });
    if (id.endsWith('_gone')) throw new Problem('resourceNotFound');
    return this.#note('get', kind.name, id);
  }
  async list({ kind }: Collection, principal: Principal, page: { limit: number; before?: string }) {
    await this.#note('list', kind.name, principal.account, page);
    return { items: [{ id: WIDGET }], next: this.next };
  }
  async usedBy({ kind }: Collection, _: Principal, id: string, page: object) {
    await this.#note('usedBy', kind.name, id, page);
    return { items: [{ id: WIDGET }], next: this.next };
  }
  async update(
    { kind }: Collection,
    _: Principal,
    id: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    this.#state(state);
    return this.#note('update', kind.name, id, body);
  }
  async remove({ kind }: Collection, _: Principal, id: string, state?: RequestState): Promise<void> {
    state?.require({ revision: this.revision, body: {} });
    await this.#note('remove', kind.name, id);
  }
  async putModule(
    { kind }: Collection,
    _: Principal,
    id: string,
    module: string,
    body: unknown,
    state?: RequestState,
  ): Promise<JsonObject> {
    this.#state(state);
    return this.#note('putModule', kind.name, id, module, body);
  }
  async getModule(
    { kind }: Collection,
    _: Principal,
    id: string,
    module: string,
    state?: RequestState,
  ): Promise<JsonObject> {
    this.#state(state);
    return this.#note('getModule', kind.name, id, module);
  }
  async removeModule(
    { kind }: Collection,
    _: Principal,
    id: string,
    module: string,
    state?: RequestState,
  ): Promise<void> {
    this.#state(state);
    await this.#note('removeModule', kind.name, id, module);
  }
  async detach(
    { kind }: Collection,
    _: Principal,
    id: string,
    name: string,
    state?: RequestState,
  ): Promise<void> {
    this.#state(state);
    await this.#note('detach', kind.name, id, name);
  }
  async view({ kind }: Collection, _: Principal, id: string, name: string): Promise<JsonObject> {
    return this.#note('view', kind.name, id, name);
  }
  async act({ kind }: Collection, _: Principal, id: string, name: string): Promise<JsonObject | null> {
    return this.#note('act', kind.name, id, name);
  }
  async addElement({ kind }: Collection, _: Principal, id: string, body: unknown): Promise<JsonObject> {
    return this.#note('addElement', kind.name, id, body);
  }
  async listElements(
    { kind }: Collection,
    _: Principal,
    id: string,
    page: object,
  ): Promise<readonly JsonObject[]> {
    return [await this.#note('listElements', kind.name, id, page)];
  }
  async getElement({ kind }: Collection, _: Principal, id: string, key: string): Promise<JsonObject> {
    return this.#note('getElement', kind.name, id, key);
  }
  async updateElement(
    { kind }: Collection,
    _: Principal,
    id: string,
    key: string,
    body: unknown,
  ): Promise<JsonObject> {
    return this.#note('updateElement', kind.name, id, key, body);
  }
  async removeElement({ kind }: Collection, _: Principal, id: string, key: string): Promise<void> {
    await this.#note('removeElement', kind.name, id, key);
  }
}
