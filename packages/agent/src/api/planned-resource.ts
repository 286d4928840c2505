/** Changes one resource, if it is still as the plan shows it. */
import { ApiError } from '@underpass/client';
import type { VerbTable } from '@underpass/client/operations';
import { verbOf } from './catalogue.ts';
import { applicableFields } from './documents.ts';
import { changingSecrets, type Step } from './plan.ts';
import type { Resources, Row } from './resources.ts';
import { writableOf } from './shape.ts';
import { ChangedMeanwhile, isStateChanged, TaggedState } from './tagged-state.ts';

/** Attempts of one change while other requests write the resource again without a change of its fields. */
const ATTEMPTS = 5;

export class PlannedResource {
  readonly #resources: Resources;
  readonly #step: Step;
  readonly #ids: readonly string[];
  readonly #state: TaggedState;
  /** The fields as the plan shows them, without the modules that were taken off since. */
  #expected: Row;
  readonly #removed: string[] = [];

  constructor(resources: Resources, step: Step, item: Row, ids: readonly string[]) {
    this.#resources = resources;
    this.#step = step;
    this.#ids = ids;
    this.#state = new TaggedState(step.etag);
    this.#expected = this.#fieldsOf(item);
  }

  /** Takes a module off. Rejects with ChangedMeanwhile or a ClientError. */
  async remove(verb: VerbTable, field: string): Promise<void> {
    await this.#send(verb);
    this.#removed.push(field);
    this.#expected = { ...this.#expected, [field]: null };
  }

  /** Resolves with the changed resource. Rejects with ChangedMeanwhile or a ClientError. */
  async change(verb: VerbTable, body: Row): Promise<Row> {
    return (await this.#send(verb, body)) ?? {};
  }

  async #send(verb: VerbTable, body?: Row): Promise<Row | undefined> {
    for (let attempt = 1; ; attempt++) {
      try {
        const options = this.#state.options();
        return await this.#resources.call(this.#step.document.resource, verb, this.#ids, body, {}, options);
      } catch (error) {
        if (isMissing(error)) throw await this.#missing(error);
        if (!isStateChanged(error)) throw error;
        if (attempt === ATTEMPTS || !(await this.#isAsPlanned())) throw this.#meanwhile('changed');
      }
    }
  }

  /**
   * Reads the next state. A change of another resource, and the daemon itself, can write a resource without a change
   * of its fields. Secrets cannot be compared: they count as changed.
   */
  async #isAsPlanned(): Promise<boolean> {
    if (changingSecrets(this.#step).length > 0) return false;
    const present = await this.#read();
    return present !== null && JSON.stringify(this.#fieldsOf(present)) === JSON.stringify(this.#expected);
  }

  /** Returns null if the resource was deleted. */
  async #read(): Promise<Row | null> {
    const { resource } = this.#step.document;
    const verb = verbOf(resource, 'get');
    if (verb === null) throw new Error(`${resource.name} cannot be read`);
    try {
      const options = this.#state.readOptions();
      return (await this.#resources.call(resource, verb, this.#ids, undefined, {}, options)) ?? {};
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  async #missing(error: unknown): Promise<unknown> {
    return (await this.#read()) === null ? this.#meanwhile('deleted') : error;
  }

  #fieldsOf(item: Row): Row {
    return writableOf(applicableFields(this.#step.document.resource), item);
  }

  #meanwhile(what: 'changed' | 'deleted'): ChangedMeanwhile {
    const removed = this.#removed.join(', ');
    const part = removed === '' ? 'Nothing of it was changed here.' : `Only ${removed} was taken off here.`;
    return new ChangedMeanwhile(
      `Another request ${what} ${this.#step.title} after the plan was shown. ${part}`,
    );
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}
