import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { parseProfile, readProfile } from '../command/profile-file.ts';
import { type Profile, ProfileFault } from '../core/profile.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import type { SelectionText } from '../resources/selection.ts';
import type { JsonValue } from '../store/store.ts';
import type { KindEndpoint } from './endpoints.ts';
import { ProfileWords } from './profile-words.ts';
import { pathsOf } from './routes.ts';
import { selectionIn } from './selection.ts';
import { inOurWords, inTheirWords } from './vocabulary.ts';

function profile(fields: string): Profile {
  return parseProfile(`version-header: X-Version\n${fields}`, 'p', { errorPrefix: 'E_' });
}

function words(fields: string): ProfileWords {
  return new ProfileWords(profile(fields), resourceSurfaces);
}

const endpoints = pathsOf(resourceSurfaces).flatMap((path) => [...path.endpoints.values()]);

function operation(name: string): KindEndpoint {
  const found = endpoints.find((one) => one.operation === name);
  assert.ok(found, name);
  return found;
}

const wrong: readonly (readonly [fields: string, line: number, message: RegExp])[] = [
  ['fields:\n  /event_destination:\n    format: f', 4, /there is no collection "\/event_destination"/],
  ['fields:\n  /tunnels:\n    nothing: n', 4, /there is no "nothing" in a tunnel/],
  [
    'fields:\n  /event_destinations:\n    target.nothing: n',
    4,
    /there is no "target.nothing" in an event dest/,
  ],
  ['fields:\n  /event_destinations:\n    format.json: n', 4, /there is no "format.json"/],
  ['fields:\n  /backends/tunnel_group:\n    labels.app: n', 4, /there is no "labels.app"/],
  ['fields:\n  /backends/tunnel_group:\n    constructor: n', 4, /there is no "constructor"/],
  ['fields:\n  /event_subscriptions:\n    sources.type: n', 4, /there is no "sources.type"/],
  ['fields:\n  /event_destinations:\n    format: format', 4, /"format" is called that already/],
  [
    'fields:\n  /event_destinations:\n    target.stream: s\n    target.log_group: s',
    4,
    /"target.log_group" and "target.stream" cannot both be called "s"/,
  ],
  [
    'fields:\n  /event_destinations:\n    target.delivery_stream: stream',
    4,
    /"target.delivery_stream" cannot be called "stream", which is something else there/,
  ],
  // Not in what is sent, but in what is read.
  ['fields:\n  /event_destinations:\n    format: created_at', 4, /which is something else there/],
  ['fields:\n  /event_destinations:\n    format: id', 4, /"format" cannot be called "id"/],
  ['fields:\n  /edges/tls:\n    backend.backend_id: module', 4, /"module", which is a part of the path/],
  ['fields:\n  /edges/https/{edge_id}/routes:\n    match: edge_id', 4, /cannot be called "edge_id"/],
  ['fields:\n  /event_subscriptions:\n    sources.*.type: subscription_id', 4, /which is a part of the path/],
  ['values:\n  /event_destinations:\n    format:\n      xml: x', 5, /there is no "xml" of "format"/],
  ['values:\n  /event_destinations:\n    description:\n      a: x', 5, /there is no "a" of "description"/],
  [
    'values:\n  /ip_policy_rules:\n    action:\n      allow: deny',
    5,
    /"allow" of "action" cannot be called "deny"/,
  ],
  ['values:\n  /ip_policy_rules:\n    action:\n      allow: allow', 5, /is called that already/],
  [
    'values:\n  /ip_policy_rules:\n    action:\n      allow: x\n      deny: x',
    5,
    /"deny" and "allow" cannot both be called "x"/,
  ],
];
for (const [fields, line, message] of wrong) {
  test(`${JSON.stringify(fields)} is refused`, () => {
    assert.throws(
      () => words(fields),
      (error) => {
        assert.ok(error instanceof ProfileFault, String(error));
        assert.match(error.message, message);
        assert.ok(error.message.startsWith(`line ${line}: `), error.message);
        return true;
      },
    );
  });
}

test('a word holds in every operation of its resource, in what is sent and in what is read', () => {
  const on = words(
    [
      'fields:',
      '  /edges/tls:',
      '    backend: origin',
      '    backend.backend_id: origin_id',
      '    backend.backend.uri: link',
      '  /event_subscriptions:',
      '    sources.*.type: kind',
      'values:',
      '  /edges/tls:',
      '    tls_termination.terminate_at:',
      '      edge: here',
    ].join('\n'),
  );
  const edge = { backend: { backend_id: 'b' }, tls_termination: { terminate_at: 'edge' } };
  const theirs = { origin: { origin_id: 'b' }, tls_termination: { terminate_at: 'here' } };
  for (const name of ['tls_edge_create', 'tls_edge_update']) {
    const { request, result } = on.of(operation(name));
    assert.deepEqual(inOurWords(request, theirs), edge);
    assert.deepEqual(inTheirWords(result, edge), theirs);
  }
  const shown = { backend: { backend: { id: 'b', uri: 'u' } } };
  const list = { tls_edges: [shown, { backend: null }], uri: 'u' };
  assert.deepEqual(inTheirWords(on.of(operation('tls_edge_list')).result, list), {
    tls_edges: [{ origin: { backend: { id: 'b', link: 'u' } } }, { origin: null }],
    uri: 'u',
  });

  const put = on.of(operation('tls_edge_backend_put'));
  assert.deepEqual(inOurWords(put.request, { origin_id: 'b' }), { backend_id: 'b' });
  const wrapped = { id: 'x', module: { origin_id: 'b' } };
  assert.deepEqual(inOurWords(put.request, wrapped), { id: 'x', module: { backend_id: 'b' } });
  assert.deepEqual(inTheirWords(put.result, shown.backend), { backend: { id: 'b', link: 'u' } });

  const sources = [{ type: 't', uri: 'u' }];
  const add = on.of(operation('event_subscription_sources_create'));
  assert.deepEqual(inOurWords(add.request, { kind: 't' }), { type: 't' });
  const all = on.of(operation('event_subscription_sources_list'));
  assert.deepEqual(inTheirWords(all.result, { sources, uri: 'u' }), {
    sources: [{ kind: 't', uri: 'u' }],
    uri: 'u',
  });
  const whole = on.of(operation('event_subscription_get'));
  assert.deepEqual(inTheirWords(whole.result, { sources }), { sources: [{ kind: 't', uri: 'u' }] });
});

test('names may change places, and what no word is about has no scope', () => {
  const on = words(
    'fields:\n  /event_destinations:\n    target.stream: log_group\n    target.log_group: stream',
  );
  const { request } = on.of(operation('event_destination_create'));
  assert.deepEqual(inOurWords(request, { target: { stream: 1, log_group: 2 } }), {
    target: { log_group: 1, stream: 2 },
  });
  assert.deepEqual(on.of(operation('tls_edge_create')), { request: undefined, result: undefined });
});

test('the example gives back whatever any operation sends or reads', () => {
  const example = fileURLToPath(new URL('../../../../docs/build/profile.yaml', import.meta.url));
  const on = new ProfileWords(readProfile(example, { errorPrefix: 'E_' }), resourceSurfaces);
  const scoped = endpoints.flatMap((endpoint) => {
    const { request, result } = on.of(endpoint);
    return [request, result].filter((scope) => scope !== undefined);
  });
  assert.ok(scoped.length > 0);
  const known = [
    'target',
    'auth',
    'creds',
    'role',
    'certificate_management_policy',
    'authority',
    'event_destinations',
  ];
  const name = fc.constantFrom(...known, ...wordsOf(example), 'public_ca', 'letsencrypt');
  const { json } = fc.letrec<{ json: JsonValue }>((tie) => ({
    json: fc.oneof(
      { depthIdentifier: 'json', maxDepth: 6 },
      name,
      fc.constantFrom<JsonValue>(null, false, 1),
      fc.array(tie('json') as fc.Arbitrary<JsonValue>, { maxLength: 2 }),
      fc.dictionary(name, tie('json') as fc.Arbitrary<JsonValue>, {
        maxKeys: 4,
        noNullPrototype: true,
      }) as fc.Arbitrary<JsonValue>,
    ),
  }));
  fc.assert(
    fc.property(fc.constantFrom(...scoped), json, (scope, value) => {
      assert.deepEqual(inOurWords(scope, inTheirWords(scope, value)), value);
      assert.deepEqual(inTheirWords(scope, inOurWords(scope, value)), value);
    }),
    { numRuns: propertyRuns(500) },
  );
});

function wordsOf(path: string): readonly string[] {
  const { words } = readProfile(path, { errorPrefix: 'E_' });
  return words.flatMap(({ field, theirs }) => [field.at(-1)!, theirs]);
}

test('a filter and a search use the names and values of the client', () => {
  const on = words(
    'fields:\n  /event_destinations:\n    target.stream: river\n    format: shape\nvalues:\n  /event_destinations:\n    format:\n      json: yson',
  );
  const kind = resourceSurfaces.find(({ name }) => name === 'event_destination')!;
  const shown = { id: 'ed_1', format: 'json', target: { stream: { stream_identifier: 'arn:x' } } };
  const isSelected = (text: SelectionText, by: ProfileWords | null) => selectionIn(kind, by, text).has(shown);
  assert.ok(isSelected({ filter: 'shape = yson and target.river.stream_identifier = "arn:x"' }, on));
  assert.ok(isSelected({ q: 'yson' }, on));
  assert.ok(isSelected({ filter: 'format = json and target.stream != null' }, null));
  assert.ok(!isSelected({ filter: 'shape = json' }, on));
  const problem = { code: 'filterFieldUnknown' };
  assert.throws(() => isSelected({ filter: 'format = json' }, on), problem);
  assert.throws(() => isSelected({ filter: 'shape = json' }, null), problem);
});
