import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Postgres, postgresMissing } from '../../../../test/harness/index.ts';
import { documentsIn } from '../documents/store.ts';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import { openPostgresStore } from '../store/postgres/store.ts';
import type { JsonObject } from '../store/store.ts';
import { onBothStores } from './both-stores.fixture.ts';
import type { ResourceEngine } from './definition.ts';
import { createEngine } from './engine/engine.ts';
import { collection, type Platform, refused, startPlatform } from './engine.fixture.ts';
import { RequestState, tagOf } from './request-state.ts';
import { samples } from './samples/index.fixture.ts';

test('a tag depends on the revision and on the content', () => {
  const tags = [
    tagOf({ revision: 1, body: { a: 1 } }),
    tagOf({ revision: 2, body: { a: 1 } }),
    // Another history assigned the revision again.
    tagOf({ revision: 1, body: { a: 2 } }),
  ];
  assert.equal(new Set(tags).size, 3);
  assert.equal(tagOf({ revision: 1, body: JSON.parse('{"a":1}') as JsonObject }), tags[0]);
});

/** A request with a condition, and the tag in its response. */
async function tagged(
  expected: string | null,
  call: (state: RequestState) => Promise<unknown>,
): Promise<string> {
  const state = new RequestState(expected === null ? '*' : [expected]);
  await call(state);
  return state.tag ?? '';
}

onBothStores((open: OpenStore) => {
  let on: Platform;
  before(async () => {
    on = await startPlatform(open);
  });
  after(() => on.close());

  test('each kind has tags of its states, and a change requires the one that it names', async () => {
    for (const { kind, body, parent: parentOf, patches } of samples) {
      const parent = await parentOf?.(on);
      const of = collection(kind, parent);
      const { admin, engine } = on;
      let id = '';
      const made = await tagged(null, async (state) => {
        id = String((await engine.create(of, admin, await body(on), state)).id);
      });
      const read = () => tagged(null, (state) => engine.get(of, admin, id, state));
      assert.equal(await read(), made, kind);
      const [[field, { send }] = ['', { send: null }]] = Object.entries(patches);
      const update = (expected: string) =>
        tagged(expected, (state) => engine.update(of, admin, id, { [field]: send }, state));
      const changed = await update(made);
      assert.notEqual(changed, made, kind);
      assert.equal(await read(), changed, kind);
      await refused(update(made), 'stateChanged');
      // It is as the request wants it already, and so nothing is written.
      assert.equal(await update(changed), changed, kind);
      await refused(
        tagged(made, (state) => engine.remove(of, admin, id, state)),
        'stateChanged',
      );
      assert.equal(await read(), changed, kind);
      await tagged(changed, (state) => engine.remove(of, admin, id, state));
      await refused(read(), 'resourceNotFound');
    }
  });

  test('modules, elements and what is attached have the state of their resource', async () => {
    const { admin, engine } = on;
    const of = collection('tcp_edge');
    const { id } = await on.create('tcp_edge', {});
    const policy = await on.create('ip_policy', {});
    const put = (expected: string | null, enabled: boolean) =>
      tagged(expected, (state) =>
        engine.putModule(of, admin, id, 'ip_restriction', { enabled, ip_policy_ids: [policy.id] }, state),
      );
    const first = await put(null, true);
    assert.equal(await tagged(null, (state) => engine.get(of, admin, id, state)), first);
    const second = await put(first, false);
    await refused(put(first, true), 'stateChanged');
    const remove = (expected: string) =>
      tagged(expected, (state) => engine.removeModule(of, admin, id, 'ip_restriction', state));
    await refused(remove(first), 'stateChanged');
    const third = await remove(second);
    assert.equal(
      await tagged(third, (state) => engine.update(of, admin, id, { metadata: 'x' }, state)),
      await tagged(null, (state) => engine.get(of, admin, id, state)),
    );
  });

  test('of many changes of one state exactly one is made', async () => {
    const { admin, engine } = on;
    const of = collection('http_response_backend');
    const { id } = await on.create('http_response_backend', {});
    const tag = await tagged(null, (state) => engine.get(of, admin, id, state));
    const change = (description: string) =>
      tagged(tag, (state) => engine.update(of, admin, id, { description }, state));
    const texts = Array.from({ length: 20 }, (_, at) => `change ${at}`);
    const outcomes = await Promise.allSettled(texts.map(change));
    const done = texts.filter((_, at) => outcomes[at]?.status === 'fulfilled');
    assert.equal(done.length, 1);
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') assert.equal(outcome.reason.code, 'stateChanged');
    assert.equal((await on.get('http_response_backend', id)).description, done[0]);
  });
});

describe('two daemons on one database', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  test('of changes of one state at both, exactly one is made', async (t) => {
    const url = await server.database();
    const other = await openPostgresStore({ url });
    const on = await startPlatform(async () => {
      const store = await openPostgresStore({ url });
      return {
        ...{
          store,
          reopen: async () => store,
          makeNewer: async () => {},
          contents: async () => Buffer.alloc(0),
        },
        dispose: () => store.close(),
      };
    });
    t.after(() => Promise.all([on.close(), other.close()]));
    const { settings, online, sealer, admin } = on;
    const theirs = createEngine({ store: documentsIn(other), settings, online, sealer, now: Date.now });
    const of = collection('http_response_backend');
    for (let round = 0; round < 20; round++) {
      const { id } = await on.create('http_response_backend', {});
      const tag = await tagged(null, (state) => theirs.get(of, admin, id, state));
      const change = (engine: ResourceEngine, description: string) =>
        tagged(tag, (state) => engine.update(of, admin, id, { description }, state));
      const remove = (engine: ResourceEngine) => tagged(tag, (state) => engine.remove(of, admin, id, state));
      const outcomes = await Promise.allSettled([
        change(on.engine, 'ours'),
        change(theirs, 'theirs'),
        ...(round % 2 === 0 ? [remove(theirs), remove(on.engine)] : []),
      ]);
      assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
      const refusals = outcomes.flatMap((one) =>
        one.status === 'rejected' ? [String(one.reason.code)] : [],
      );
      for (const code of refusals) assert.ok(['stateChanged', 'resourceNotFound'].includes(code), code);
    }
  });
});
