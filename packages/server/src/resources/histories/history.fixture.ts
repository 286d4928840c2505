/** One history of calls, lived through on several stores at once, with every answer compared. */
import assert from 'node:assert/strict';
import { Problem } from '../../errors/problem.ts';
import type { JsonObject, JsonValue } from '../../store/store.ts';
import type { Collection } from '../definition.ts';
import { createEngine } from '../engine/engine.ts';
import { collection, kindNamed, type Platform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';
import { JUNK, type Reference } from './references.fixture.ts';
import type { Step } from './steps.fixture.ts';
import { type AnyStore, Subject } from './subject.fixture.ts';

/** A resource of the history, the same on every store but for its id. */
interface Made {
  readonly kind: string;
  /** The place of the parent among all that was made. */
  readonly parent: number | null;
}

export class History {
  readonly #subjects: readonly Subject[];
  readonly #run: number;
  readonly #made: Made[] = [];

  private constructor(subjects: readonly Subject[], run: number) {
    this.#subjects = subjects;
    this.#run = run;
  }

  /** `run` sets the names of this history apart from those that other ones left in the stores. */
  static async begin(
    stores: Readonly<Record<string, AnyStore>>,
    { settings, online, sealer }: Platform,
    now: () => number,
    run: number,
  ): Promise<History> {
    const subjects = Object.entries(stores).map(([name, store]) =>
      Subject.create(name, store, createEngine({ store, settings, online, sealer, now })),
    );
    return new History(await Promise.all(subjects), run);
  }

  /** Takes the step everywhere; whether it succeeded. */
  async take(step: Step): Promise<boolean> {
    const answers = await this.#everywhere(step, (subject) => this.#call(subject, step));
    const done = answers.every((answer) => 'value' in answer);
    if (done && step.verb === 'create') {
      this.#made.push({ kind: step.kind, parent: step.parent && this.#find(step.parent) });
      answers.forEach((answer, at) => {
        this.#subjects[at]!.resources.push(answer.value as JsonObject);
      });
    }
    return done;
  }

  /** Every page of a kind, for every caller. */
  async compareLists(kind: string): Promise<void> {
    if (!kindNamed(kind).operations.includes('list')) return;
    for (const as of [0, 1, 2]) {
      await this.#everywhere({ list: kind, as }, async ({ engine, callers }) => {
        const pages: unknown[] = [];
        let before: string | null = null;
        do {
          const page = { limit: 3, ...(before === null ? {} : { before }) };
          const found = await engine.list(collection(kind), callers[as]!, page);
          pages.push(found);
          before = found.next;
        } while (before !== null);
        return pages;
      });
    }
  }

  async #everywhere(what: unknown, call: (subject: Subject) => Promise<unknown>): Promise<readonly Answer[]> {
    const answers = await Promise.all(
      this.#subjects.map((subject) => answerOf(call(subject), subject, what)),
    );
    const [expected, ...others] = this.#subjects.map((subject, at) => subject.normalise(answers[at]));
    others.forEach((actual, at) => {
      const { name } = this.#subjects[at + 1]!;
      assert.equal(actual, expected, `${name} answers ${JSON.stringify(what)} otherwise than the model`);
    });
    return answers;
  }

  async #call(subject: Subject, step: Step): Promise<unknown> {
    const { engine, callers } = subject;
    const { verb, name, page } = step;
    const caller = callers[step.as]!;
    const of = this.#collection(subject, step);
    const id = this.#id(subject, step.target);
    const body = this.#body(subject, step.body);
    switch (verb) {
      case 'create':
        return engine.create(of, caller, body);
      case 'list': {
        const before = page.before === null ? {} : { before: this.#id(subject, page.before) };
        return engine.list(of, caller, { limit: page.limit, ...before });
      }
      case 'get':
      case 'remove':
        return engine[verb](of, caller, id);
      case 'listElements':
        return engine.listElements(of, caller, id, { limit: page.limit });
      case 'update':
      case 'addElement':
        return engine[verb](of, caller, id, body);
      case 'putModule':
      case 'updateElement':
        return engine[verb](of, caller, id, name, body);
      case 'getModule':
      case 'removeModule':
      case 'detach':
      case 'getElement':
      case 'removeElement':
        return engine[verb](of, caller, id, name);
    }
  }

  /** A resource is mostly looked for below its own parent. */
  #collection(subject: Subject, { verb, kind, target, parent }: Step): Collection {
    if (parent === null) return collection(kind);
    const child = verb === 'create' || verb === 'list' ? null : this.#find(target);
    const own = child === null ? null : this.#made[child]!.parent;
    if (own !== null && parent.at > 4) return collection(kind, subject.resources[own]!.id as string);
    return collection(kind, this.#id(subject, parent));
  }

  /** The place of what a reference means among all that was made; null when it means nothing. */
  #find({ of, at }: Reference): number | null {
    if (at >= JUNK) return null;
    const places = this.#made.flatMap(({ kind }, place) => (of.includes(kind) ? [place] : []));
    return places.length === 0 ? null : places.at(-1 - (at % places.length))!;
  }

  #id(subject: Subject, reference: Reference): string {
    const place = this.#find(reference);
    if (place !== null) return subject.resources[place]!.id as string;
    const { prefix } = kindNamed(reference.of[0]!);
    if (reference.at === JUNK + 1) return `usr_${nobody}`;
    return reference.at === JUNK + 2 ? `${prefix}_\0` : `${prefix}_${nobody}`;
  }

  #body(subject: Subject, value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll('%', String(this.#run));
    if (Array.isArray(value)) return value.map((item) => this.#body(subject, item));
    if (typeof value !== 'object' || value === null) return value;
    const { $id, $addr, $map } = value as { $id?: Reference; $addr?: Reference; $map?: [unknown, unknown][] };
    if ($id !== undefined) return this.#id(subject, $id);
    if ($addr !== undefined) {
      const place = this.#find($addr);
      return place === null ? '0.tcp.underpass.localhost:2' : subject.resources[place]!.addr;
    }
    return Object.fromEntries(
      ($map ?? Object.entries(value)).map(([key, item]) => [
        this.#body(subject, key) as string,
        this.#body(subject, item),
      ]),
    );
  }
}

interface Answer {
  readonly value?: JsonValue | undefined;
  readonly problem?: object;
}

/** Returns the response for a user. Rejects with errors that are not for users. */
async function answerOf(call: Promise<unknown>, { name }: Subject, what: unknown): Promise<Answer> {
  try {
    return { value: (await call) as JsonValue | undefined };
  } catch (error) {
    if (!(error instanceof Problem)) throw new Error(`${name}: ${JSON.stringify(what)}`, { cause: error });
    const { code, message, details } = error;
    return { problem: { code, message, details } };
  }
}
