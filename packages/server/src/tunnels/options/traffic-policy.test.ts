import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../errors/problem.ts';
import { refuseTrafficPolicy } from './traffic-policy.ts';

/** The refusal of a policy; null: it is accepted. */
function refusalOf(policy: unknown): Problem | null {
  try {
    refuseTrafficPolicy(policy);
    return null;
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error;
  }
}

test('a policy without rules is accepted in every form', () => {
  for (const policy of [
    ...[null, undefined, '', ' \n', '# nothing yet\n', '~', 'null', '--- {}\n...\n', '{}', '\ufeff{}'],
    ...['{"inbound":[],"outbound":[]}', '{\n\t"inbound":\t[],\r\n\t"outbound": [\n\t]\n}'],
    ...['on_http_request: []', 'on_http_request:\non_http_response: ~\n', 'on_tcp_connect: []\n'],
    ...['enabled: true\ninbound: []\n', '{"on_http_request": null, "on_event_destination": []}'],
    ...[{}, { Inbound: [], Outbound: null }, { on_http_request: [] }],
    `{"inbound": [${' '.repeat(20_000)}]}`,
    'a: &a []\n'.replace('a:', 'inbound:').concat('outbound: *a\n'),
  ])
    assert.equal(refusalOf(policy), null, JSON.stringify(policy)?.slice(0, 80));
});

test('a text that is no policy is refused as invalid', () => {
  for (const [policy, reason] of [
    ['x', /no map of phases/],
    ['[]', /no map of phases/],
    ['4', /no map of phases/],
    [4, /no map of phases/],
    [[], /no map of phases/],
    ['{"on_http_request":', /Flow map/],
    ['on_http_request: [', /Flow sequence/],
    ['\ton_http_request: []', /Tabs/],
    ['inbound: []\ninbound: []', /unique/],
    ['{"inbound":[],"inbound":[{"actions":[{"type":"deny"}]}]}', /unique/],
    ['---\n---\n', /multiple documents/],
    ['inbound: *a', /[Aa]lias/],
    ['on_request: []', /"on_request" is no phase/],
    ['enabled: 1', /"enabled" is no phase/],
    ['on_http_request: x', /on_http_request is no list of rules/],
    ['on_http_request: {}', /on_http_request is no list of rules/],
    ['on_http_request: [{}]', /on_http_request\[0\] is no rule/],
    ['on_http_request: [{name: x}]', /on_http_request\[0\] is no rule/],
    ['on_http_request: [{actions: []}]', /on_http_request\[0\] is no rule/],
    ['inbound: [{actions: [{config: {}}]}]', /inbound\[0\]\.actions\[0\] has no type/],
    ['x'.repeat(20_000), /no JSON/],
  ] as const) {
    const refused = refusalOf(policy);
    assert.equal(refused?.code, 'trafficPolicyInvalid', String(policy).slice(0, 80));
    assert.match(refused.message, reason);
    assert.ok(refused.message.startsWith('The TrafficPolicy you provided is invalid: '));
    assert.ok(refused.message.length < 400);
  }
});

test('a policy with actions is refused, and the first one is named', () => {
  for (const [policy, action, at] of [
    ['on_http_request: [{actions: [{type: deny}, {type: log}]}]', 'deny', 'on_http_request[0].actions[0]'],
    ['{"inbound":[],"outbound":[{"actions":[{"type":"log"}]}]}', 'log', 'outbound[0].actions[0]'],
    [
      'on_tcp_connect:\n  - expressions: ["true"]\n    actions:\n      - type: restrict-ips\n',
      'restrict-ips',
      '',
    ],
    ['enabled: false\ninbound: [{actions: [{type: deny}]}]', 'deny', ''],
    [{ Inbound: [{ Actions: [{ Type: 'deny' }] }] }, 'deny', 'inbound[0].actions[0]'],
    [`{"inbound":[{"actions":[{"type":"deny"}]}]${' '.repeat(20_000)}}`, 'deny', ''],
  ] as const) {
    const refused = refusalOf(policy);
    assert.equal(refused?.code, 'trafficPolicyUnavailable', JSON.stringify(policy).slice(0, 80));
    assert.ok(refused.message.startsWith(`The action "${action}" at ${at}`), refused.message);
  }
});

test('texts that are costly to parse are refused before they are parsed', () => {
  const within = (text: string): string => text.slice(0, 16_384);
  for (const policy of [
    within('['.repeat(20_000)),
    within('{a: '.repeat(20_000)),
    within('- '.repeat(20_000)),
    within('? '.repeat(20_000)),
    within('inbound: &a []\n'.concat('- [*a,*a]\n'.repeat(2_000))),
    `{"inbound": ${'['.repeat(20_000)}`,
  ])
    assert.equal(refusalOf(policy)?.code, 'trafficPolicyInvalid', policy.slice(0, 40));
  assert.match(refusalOf(within('['.repeat(20_000)))!.message, /nested too deeply/);
  const aliases = `inbound: &a []\nx: [${'*a, '.repeat(20)}]`;
  assert.match(refusalOf(aliases)!.message, /too many aliases/);
});
