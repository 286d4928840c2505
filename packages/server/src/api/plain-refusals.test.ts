import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pino } from 'pino';
import { defaultUserHeaders } from '../core/modules/user-headers.ts';
import type { Profile } from '../core/profile.ts';
import type { Settings } from '../core/settings.ts';
import { PlainRefusals } from './plain-refusals.ts';
import { Vocabularies } from './vocabularies.ts';

const profile: Profile = {
  path: 'profile.yaml',
  versionHeader: 'Their-Version',
  errorPrefix: 'ERR_THEIRS_',
  operationIdHeader: 'their-operation-id',
  errorCodeHeader: 'their-error-code',
  userHeaders: defaultUserHeaders,
  cookiePrefix: '',
  words: [],
};

function setUp() {
  const lines: string[] = [];
  const clock = { now: 0 };
  const names = { versionHeaders: ['Own-Version'], errorPrefix: 'ERR_OWN_', profile };
  const plain = new PlainRefusals({
    vocabularies: new Vocabularies(names, []),
    settings: { errorCodeHeader: 'their-error-code' } as Settings,
    log: pino({ level: 'info' }, { write: (line) => void lines.push(line) }),
    now: () => clock.now,
  });
  const refuse = (headers: Record<string, string>, source = '192.0.2.1') =>
    plain.refuse({ method: 'GET', target: '/edges', headers: new Map(Object.entries(headers)), source });
  const warnings = () => lines.filter((line) => line.includes('plain HTTP'));
  return { refuse, plain, lines, warnings, clock };
}

test('the refusal is in the words of the client', () => {
  const { refuse } = setUp();
  for (const [headers, prefix, id] of [
    [{ 'own-version': '2' }, 'ERR_OWN_', 'underpass-operation-id'],
    [{ 'their-version': '2' }, 'ERR_THEIRS_', 'their-operation-id'],
  ] as const) {
    const { status, headers: fields, body } = refuse(headers);
    const { msg, details, ...rest } = JSON.parse(body.toString());
    assert.deepEqual(rest, { error_code: `${prefix}60750`, status_code: 403 });
    assert.equal(status, 403);
    assert.match(msg, /https/);
    const named = Object.fromEntries(fields.map(([name, value]) => [name.toLowerCase(), value]));
    assert.equal(named[id], details.operation_id);
    assert.equal(named['their-error-code'], `${prefix}60750`);
    assert.equal(named['content-type'], 'application/json');
  }
});

test('a key is logged once for its source, and never itself', () => {
  const { refuse, plain, lines, warnings, clock } = setUp();
  refuse({});
  assert.equal(warnings().length, 0);
  for (let time = 0; time < 5; time++) refuse({ authorization: 'Bearer secret-key' });
  plain.keySent('192.0.2.1');
  assert.equal(warnings().length, 1);
  assert.match(warnings()[0]!, /"source":"192\.0\.2\.1","operation_id":"op_\w{27}"/);
  refuse({ authorization: 'Bearer secret-key' }, '192.0.2.2');
  assert.equal(warnings().length, 2);
  clock.now += 3_600_000;
  refuse({ authorization: 'Bearer secret-key' });
  assert.equal(warnings().length, 3);
  assert.ok(!lines.join('').includes('secret-key'));
});

test('lines about keys are bounded, however many sources there are', () => {
  const { plain, warnings, clock } = setUp();
  for (let at = 0; at < 3000; at++) plain.keySent(`10.0.${at >> 8}.${at & 255}`);
  assert.equal(warnings().length, 1000);
  clock.now += 3_600_000;
  plain.keySent('192.0.2.1');
  assert.equal(warnings().length, 1001, 'and sources are forgotten');
});

test('the line of a request has the name that it was sent to, and no other text of its Host', () => {
  const { refuse, lines } = setUp();
  for (const host of ['API.example.com:8080', 'api.example.com', '', 'a b', 'secret_token/x'])
    refuse({ 'own-version': '2', host });
  const hosts = lines.map((line) => (JSON.parse(line) as { readonly host: string }).host);
  assert.deepEqual(hosts, ['api.example.com', 'api.example.com', '', '', '']);
});
