/**
 * Random requests, valid and invalid.
 * Invariant: every response is one that the document describes, and never a fault of the service.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { samples } from '../../packages/server/src/resources/samples/index.fixture.ts';
import { referenceSamples } from '../../packages/server/src/resources/samples/references.fixture.ts';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import { onBothStores } from './both-stores.fixture.ts';
import { Inventory } from './inventory.fixture.ts';
import { malformed, shaped, texts } from './malformed.fixture.ts';
import { configurations } from './module-configurations.fixture.ts';

const PREFIXES = [
  '',
  'bkdhr_',
  'edghts_',
  'edghtsrt_',
  'bot_',
  'usr_',
  'esb_',
  'tn_',
  'ts_',
  'ep_',
  'ec_',
  'rd_',
];
const ids = fc
  .tuple(fc.constantFrom(...PREFIXES), texts)
  .map(([prefix, text]) => `${prefix}${text.toWellFormed()}`);
const raw = fc.constantFrom(
  ...[
    '%00',
    '%ff',
    '%2f',
    '%2e%2e',
    '%',
    '%zz',
    'bot_%00',
    'edghts_%00',
    'esb_%ff',
    '%c0%af',
    ';',
    '~',
    'x'.repeat(9000),
  ],
);
/** One segment of a path, which stays one. */
const segment = fc
  .oneof(ids.map(encodeURIComponent), raw)
  .filter((text) => text !== '' && !/^\.\.?$/.test(text));

onBothStores((world) => {
  /** Few runs of each, because there are many. A failure prints its seed. */
  const runs = { numRuns: 2, endOnFailure: true };

  async function answered(method: string, path: string, body?: unknown): Promise<void> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const { status, text } = await world().home.call(method, path, json);
    assert.ok(status < 500, `${method} ${path} ${json}: ${text}`);
  }

  async function always(method: string, path: string, bodies: fc.Arbitrary<unknown>): Promise<void> {
    await fc.assert(
      fc.asyncProperty(bodies, (body) => answered(method, path, body)),
      runs,
    );
  }

  test('bodies of about the right shape', async () => {
    const { home, operations, schemas } = world();
    const things = await Inventory.make(home, operations);
    const takers = operations.flatMap((one) => (one.body === null ? [] : [{ ...one, body: one.body }]));
    for (const { method, path, body } of takers)
      await always(method, things.fill(path), shaped(body, schemas));
  });

  test('good bodies of which one value is something else', async () => {
    const { home, operations } = world();
    const modules = await configurations(home);
    for (const { kind, patches, body, parent } of samples) {
      const { path } = await home.make(kind);
      const collection = home.path(kind, await parent?.(home));
      const changes = Object.entries(patches).map(([name, { send }]) => [name, send]);
      const good: JsonObject = { ...(await body(home)), ...Object.fromEntries(changes) };
      await always('POST', collection, malformed(good));
      await always('PATCH', path, malformed(good));
      for (const [name, config] of Object.entries(modules)) {
        if (operations.some(({ id }) => id === `${kind}_${name}_put`))
          await always('PUT', `${path}/${name}`, malformed(config));
      }
      for (const reference of referenceSamples) {
        if (reference.kind !== kind || reference.patch === true) continue;
        const { id } = await home.make(reference.target, reference.targetBody);
        await always('POST', collection, malformed(reference.body(id)));
      }
    }
  });

  test('paths with anything in the place of an id', async () => {
    for (const { method, path, parameters, body } of world().operations) {
      if (parameters.length === 0) continue;
      const { length } = parameters;
      const paths = fc.array(segment, { minLength: length, maxLength: length }).map((segments) => {
        const left = segments.values();
        return path.replaceAll(/\{\w+\}/g, () => left.next().value ?? '');
      });
      await fc.assert(
        fc.asyncProperty(paths, (url) => answered(method, url, body === null ? undefined : {})),
        runs,
      );
    }
  });
});
