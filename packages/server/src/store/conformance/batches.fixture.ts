/** Batches are atomic: random ones leave the model's documents, links, names, queues and change log. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { anyCharacter } from '../../../../../test/harness/any-character.ts';
import type {
  Change,
  Conflict,
  JsonObject,
  Link,
  NameClaim,
  Revision,
  Store,
  WriteOperation,
} from '../store.ts';
import {
  byId,
  changesUpTo,
  create,
  deletion,
  insert,
  type OpenStore,
  refusal,
  replacement,
  storeTest,
} from './harness.fixture.ts';
import { Model } from './model.fixture.ts';

/**
 * Documents are picked by number among all that ever existed, so that some are deleted, foreign, or of this very batch.
 */
const pick = fc.nat(30);
const links = fc.array(fc.record({ target: pick, binding: fc.boolean(), field: fc.constantFrom('a', 'b') }), {
  maxLength: 2,
});
const names = fc.array(fc.nat(4), { maxLength: 2 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      op: fc.constant('insert' as const),
      account: fc.nat(1),
      parent: fc.option(pick, { freq: 2 }),
      links,
      names,
      value: fc.nat(9),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      op: fc.constant('replace' as const),
      at: pick,
      stale: fc.boolean(),
      links,
      names,
      value: fc.nat(9),
      // Further names of the body, and names to drop; null drops all that are not given.
      named: fc.array(pick, { maxLength: 2 }),
      dropped: fc.option(fc.record({ links, names })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('rewrite' as const),
      at: pick,
      stale: fc.boolean(),
      value: fc.nat(9),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('delete' as const),
      at: pick,
      stale: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      op: fc.constant('enqueue' as const),
      account: fc.nat(1),
      parent: pick,
      value: fc.nat(9),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('dequeue' as const), which: fc.nat(2) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ op: fc.constant('clear' as const), most: fc.nat(3) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

export function batches(open: OpenStore): void {
  storeTest(
    'any sequence of batches leaves what the contract says, all of each or nothing',
    open,
    async ({ store }) => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { maxLength: 15 }),
          async (plan) => {
            run += 1;
            await new Trial(store, `kind${run}`).play(plan);
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  storeTest(
    'a writer who says what is gone leaves links and names that he does not know: a link while the body has its target',
    open,
    async ({ store }) => {
      const [one, other, gone] = [await insert(store), await insert(store), await insert(store)];
      const link = (field: string, to: string, binding = true) => ({ field, to, binding });
      const name = (value: string) => ({ kind: 'n', value: `is-${value}` });
      let document = await create(store, {
        body: { known: one, later: other, list: [gone] },
        links: [link('known', one), link('later', other), link('list.*', gone)],
        names: [name('known'), name('later')],
      });
      const replace = async (body: JsonObject, parts: object) => {
        await store.write(() => [replacement(document, { body, ...parts })]);
        document = (await store.get(document.id))!;
      };
      const from = async (id: string) => (await store.linksTo(id, 10)).map(({ field }) => field);
      await replace(
        { known: null, later: other, list: [] },
        { dropped: { links: [link('known', one)], names: [name('known')] }, names: [name('other')] },
      );
      assert.deepEqual([await from(one), await from(other), await from(gone)], [[], ['later'], []]);
      assert.deepEqual(
        (await store.names({ kind: 'n', prefix: 'is-', limit: 9 })).map(({ value }) => value),
        ['is-later', 'is-other'],
      );
      const target = (await store.get(other))!;
      const conflict = await refusal(store.write(() => [deletion(target)]));
      assert.equal(conflict.reason, 'in-use');
      // Replaces the document with this writer's state, whatever others wrote.
      await replace(
        { known: null, later: other, list: [] },
        { dropped: { links: [], names: [] }, links: [link('later', other, false)] },
      );
      await store.write(() => [deletion(target)]);
      await replace({ known: null }, {});
      assert.deepEqual(await store.names({ kind: 'n', prefix: 'is-', limit: 9 }), []);
    },
  );

  storeTest('a refused batch does not disturb those beside it', open, async ({ store }) => {
    const document = await create(store);
    const [first, refused, last] = await Promise.allSettled([
      create(store, { body: { place: 'first' } }),
      store.write((newId) => [
        { ...insertOf(newId('th')), names: [{ kind: 'n', value: 'x' }] },
        { ...replacement(document), revision: document.revision + 1000 } as WriteOperation,
      ]),
      create(store, { body: { place: 'last' }, names: [{ kind: 'n', value: 'x' }] }),
    ]);
    assert.equal(first.status, 'fulfilled');
    assert.equal(refused.status, 'rejected');
    assert.equal(last.status, 'fulfilled');
    assert.equal((await store.snapshot(['thing'])).documents.length, 3);
  });

  storeTest('a batch whose building fails is not written, and the store goes on', open, async ({ store }) => {
    const failure = new Error('no');
    await assert.rejects(
      store.write(() => {
        throw failure;
      }),
      failure,
    );
    await create(store);
  });

  storeTest('any JSON comes back as it was written', open, async ({ store }) => {
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string({ unit: anyCharacter }), fc.jsonValue()), async (value) => {
        const body = JSON.parse(JSON.stringify(value));
        assert.deepEqual((await create(store, { body })).body, body);
      }),
      { numRuns: 50 },
    );
    const body = JSON.parse('{"__proto__": {"admin": true}, "nul": "a\\u0000b", "half": "\\ud800"}');
    assert.deepEqual((await create(store, { body })).body, body);
  });
}

function insertOf(id: string): WriteOperation & { op: 'insert' } {
  return { op: 'insert', id, account: 'ac_1', kind: 'thing', parent: null, body: {}, links: [], names: [] };
}

/** One random sequence, in its own kind and name space, run on the store and on the model. */
class Trial {
  readonly #store: Store;
  readonly #kind: string;
  readonly #model = new Model();
  readonly #ids: string[] = [];
  /** Queue positions of the model, by those of the store. */
  readonly #positions = new Map<number, number>();

  constructor(store: Store, kind: string) {
    this.#store = store;
    this.#kind = kind;
  }

  async play(plan: readonly (readonly Step[])[]): Promise<void> {
    const from = (await this.#store.snapshot([])).revision;
    let last = from;
    // Queues are not in the log.
    let lastTold = from;
    for (const steps of plan) {
      const written = await this.#write(steps, last);
      if (written === null) continue;
      last = written;
      if (steps.some(({ op }) => !['enqueue', 'dequeue', 'clear'].includes(op))) lastTold = written;
    }
    await this.#compare(from, lastTold);
    while (await this.#store.hasDeletedQueues()) await this.#store.write(() => [{ op: 'clear', most: 2 }]);
    for (const id of this.#ids) await this.#compareQueue(id);
  }

  async #write(steps: readonly Step[], last: Revision): Promise<Revision | null> {
    const known = byId(this.#model.documents());
    if (steps.some(({ op }) => op === 'dequeue')) for (const id of this.#ids) await this.#compareQueue(id);
    let operations: readonly WriteOperation[] = [];
    const written = this.#store.write((newId) => {
      operations = steps.map((one) => this.#operation(one, newId, (id) => known.get(id)?.revision ?? 1));
      return operations;
    });
    const outcome: Revision | Conflict = await written.catch(() => refusal(written));
    const ofModel = operations.map((operation) => this.#ofModel(operation));
    const expected = this.#model.write(ofModel, typeof outcome === 'number' ? outcome : last + 1);
    if (typeof outcome !== 'number') {
      assert.deepEqual(outcome, expected);
      return null;
    }
    assert.equal(expected, null);
    assert.ok(outcome > last, `revision ${outcome} does not follow ${last}`);
    return outcome;
  }

  #operation(
    one: Step,
    newId: (prefix: string) => string,
    revisionOf: (id: string) => Revision,
  ): WriteOperation {
    if (one.op === 'insert') {
      const parent = one.parent === null ? null : this.#pick(one.parent);
      const id = newId('th');
      this.#ids.push(id);
      const account = `ac_${one.account}`;
      return {
        op: 'insert',
        id,
        account,
        kind: this.#kind,
        parent,
        body: { value: one.value },
        ...this.#attached(one),
      };
    }
    if (one.op === 'enqueue') {
      const { account, parent, value } = one;
      const text = JSON.stringify({ value });
      return { op: 'enqueue', account: `ac_${account}`, parent: this.#pick(parent), text };
    }
    if (one.op === 'dequeue') {
      const positions = [...this.#positions.keys()].filter((position) => position % 3 === one.which);
      return { op: 'dequeue', positions };
    }
    if (one.op === 'clear') return one;
    const id = this.#pick(one.at);
    const revision = revisionOf(id) + (one.stale ? 1 : 0);
    if (one.op === 'delete') return { op: 'delete', id, revision };
    const body = { value: one.value };
    if (one.op === 'rewrite') return { op: 'rewrite', id, revision, body };
    const named = one.named.map((each) => this.#pick(each));
    const dropped = one.dropped === null ? {} : { dropped: this.#attached(one.dropped) };
    return { op: 'replace', id, revision, body: { ...body, named }, ...this.#attached(one), ...dropped };
  }

  #ofModel(operation: WriteOperation): WriteOperation {
    if (operation.op !== 'dequeue') return operation;
    return {
      op: 'dequeue',
      positions: operation.positions.map((position) => this.#positions.get(position)!),
    };
  }

  #attached(one: Pick<Step & { op: 'insert' }, 'links' | 'names'>): { links: Link[]; names: NameClaim[] } {
    return {
      links: one.links.map(({ target, binding, field }) => ({ field, to: this.#pick(target), binding })),
      names: [...new Set(one.names)].map((name) => ({ kind: this.#kind, value: `name${name}` })),
    };
  }

  #pick(number: number): string {
    return this.#ids[number % (this.#ids.length + 1)] ?? `th_${'0'.repeat(27)}`;
  }

  async #compare(from: Revision, last: Revision): Promise<void> {
    const expected = byId(this.#model.documents());
    const { documents } = await this.#store.snapshot([this.#kind]);
    assert.deepEqual(byId(documents), expected);
    for (const id of this.#ids) {
      await this.#compareQueue(id);
      assert.deepEqual(await this.#store.get(id), expected.get(id) ?? null);
      assert.deepEqual(await this.#store.linksTo(id, 100), this.#model.linksTo(id));
    }
    for (let name = 0; name <= 4; name++) {
      const claim = { kind: this.#kind, value: `name${name}` };
      assert.deepEqual(await this.#store.findName(claim), this.#model.holder(claim));
    }
    assert.deepEqual(replay(await changesUpTo(this.#store, from, last, [this.#kind])), expected);
  }

  async #compareQueue(parent: string): Promise<void> {
    for (const account of ['ac_0', 'ac_1']) {
      const [waiting, expected] = [
        await this.#store.queue({ account, parent, limit: 1_000 }),
        this.#model.queued(account, parent),
      ];
      assert.deepEqual(
        waiting.map(({ body }) => body),
        expected.map(({ body }) => body),
      );
      for (const [at, { position }] of waiting.entries()) {
        this.#positions.set(position, expected[at]!.position);
      }
    }
  }
}

/** Returns the state of a follower that started empty and received some changes. */
function replay(changes: readonly Change[]) {
  const state = byId([]);
  let last = 0;
  for (const { id, revision, document } of changes) {
    assert.ok(revision >= last, 'changes come in revision order');
    last = revision;
    if (document === null) state.delete(id);
    else state.set(id, document);
  }
  return state;
}
