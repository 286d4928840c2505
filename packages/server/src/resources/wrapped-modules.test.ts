/** Published clients send the configuration of a module as `module`, beside the parameters of the path (open points, decision 5). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { JsonObject } from '../store/store.ts';
import type { StoredKind } from './definition.ts';
import { collection, kindNamed, type Platform, refused, startPlatform } from './engine.fixture.ts';
import { fullSamples } from './samples/full.fixture.ts';
import { nobody } from './samples/sample.fixture.ts';

describe('a module that is wrapped', () => {
  let on: Platform;
  before(async () => {
    on = await startPlatform();
  });
  after(() => on.close());

  for (const sample of fullSamples) {
    const kind = kindNamed(sample.kind) as StoredKind;
    for (const { name } of kind.modules) {
      test(`${name} of ${kind.name} is taken like one that is not`, async () => {
        const parent = await sample.parent?.(on);
        const bodies = await sample.bodies({ ...on, owner: on.admin.owner });
        const create = bodies.map((one) => one.create).find((one) => one[name] !== undefined)!;
        const { id } = await on.create(kind.name, create, on.admin, parent);
        const put = (body: JsonObject) =>
          on.engine.putModule(collection(kind.name, parent), on.admin, id, name, body);
        const module = create[name]!;
        const shown = await put(module as JsonObject);
        const [, parameter] = /\{(\w+)\}/.exec(kind.path) ?? [];
        const path = parameter === undefined ? { id } : { id, [parameter]: parent! };
        for (const beside of [{}, { id }, path, { id: '', later: null }])
          assert.deepEqual(await put({ ...beside, module }), shown);

        await refused(put({ id: `${kind.prefix}_${nobody}`, module }), 'pathParameterMismatch', {
          field: '/id',
        });
        await refused(put({ enabled: true, module }), 'fieldUnknown', { field: '/enabled' });
        const wrong = put({ id, module: { ...(module as JsonObject), enabled: 'yes' } });
        await refused(wrong, 'valueInvalid', { field: '/module/enabled' });
        const twice = put({ id, module: { ...(module as JsonObject), id } });
        await refused(twice, 'fieldUnknown', { field: '/module/id' });
        await refused(put({ id, module: 'x' }), 'fieldUnknown', { field: '/module' });
        assert.ok(!Object.hasOwn(kind.modules.find((one) => one.name === name)!.write.properties, 'module'));
      });
    }
  }

  test('what a rule or a reference refuses is named by where it stands', async () => {
    const { id } = await on.create('endpoint_configuration', { type: 'https' });
    const put = (name: string, module: JsonObject) =>
      on.engine.putModule(collection('endpoint_configuration'), on.admin, id, name, { id, module });
    const rule = put('response_headers', { add: { te: 'x' } });
    await refused(rule, 'headerKeptByEdge', { field: '/module/add/te' });
    const reference = put('backend', { backend_id: `bkdhr_${nobody}` });
    await refused(reference, 'backendUnknown', { field: '/module/backend_id' });
    await refused(put('saml', {}), 'samlMetadataMissing', { field: '/module/idp_metadata' });
  });
});
