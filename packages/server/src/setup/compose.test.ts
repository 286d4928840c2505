/** Texts from answers: a first file, and a later run that changes only what was answered differently. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toConfig } from '../command/config.ts';
import { type Values, valuesIn } from '../command/options.ts';
import { type Answers, listenersIn, listenersText, usualAnswers } from './answers.ts';
import { composeTexts, hasSecret } from './compose.ts';

const FACTS = { address: '203.0.113.10', hasService: false, isFirst: true };
const none = { config: '', secrets: '' };

function usual(values: Readonly<Record<string, string>> = {}, facts: Partial<typeof FACTS> = {}): Answers {
  const map: Values = new Map(Object.entries(values).map(([flag, text]) => [flag, [text]]));
  return usualAnswers(map, { ...FACTS, ...facts });
}

function first(answers: Answers) {
  return composeTexts(none, { answers, former: null, others: new Map([['data-dir', '/var/lib/underpass']]) });
}

/** A later run on a file. */
function again(config: string, change: (former: Answers) => Answers, secrets = '', hasService = false) {
  const former = usualAnswers(valuesIn(config, 'FILE'), { ...FACTS, hasService, isFirst: false });
  return composeTexts({ config, secrets }, { answers: change(former), former, others: new Map() });
}

test('a first file has all answers, and starts', () => {
  const { config, secrets } = first(usual({ domain: 'example.com', 'acme-email': 'ops@example.com' }));
  assert.equal(
    config.split('\n').slice(1).join('\n'),
    `domain: example.com
listen: :443
http-listen: :80
ssh-listen: :2222
dns-listen: 203.0.113.10:53
database: sqlite
acme-directory: https://acme-v02.api.letsencrypt.org/directory
acme-email: ops@example.com
acme-service-names: true
data-dir: /var/lib/underpass
`,
  );
  assert.equal(secrets, '');
  const { acme, settings } = toConfig(valuesIn(config, 'FILE'));
  assert.deepEqual([acme?.email, settings.domain], ['ops@example.com', 'example.com']);
});

test('without an address there are no certificates, and no zone', () => {
  for (const values of [{}, { 'acme-email': 'none' }]) {
    const { config } = first(usual(values));
    assert.doesNotMatch(config, /acme|dns/);
    toConfig(valuesIn(config, 'FILE'));
  }
});

const WRITTEN = `# ours
domain:   'example.com'   # the shop
listen: ":8443"

log-level: warn # quiet
allow-private: [10.0.0.0/8,
  192.168.0.0/16]
future-key: {a: 1}
ssh-listen: "127.0.0.1:2222" # last`;

test('a later run with the same answers changes no byte, whatever the file looks like', () => {
  for (const config of [
    WRITTEN.replace(/^future.*\n/m, ''),
    first(usual({ 'acme-email': 'a@example.com' })).config,
  ])
    assert.equal(again(config, (former) => former).config, config);
});

test('a later run changes the lines of other answers only', () => {
  const written = WRITTEN.replace(/^future.*\n/m, '');
  const changed = again(written, (former) => ({
    ...former,
    domain: 'example.org',
    database: 'postgres://db.internal/underpass',
    listeners: { ...former.listeners, 'ssh-listen': null, 'http-listen': ':80' },
  }));
  assert.equal(
    changed.config,
    `${written.replace("'example.com'", 'example.org').replace(/\nssh-listen.*$/, '')}
http-listen: :80
database: postgres://db.internal/underpass
`,
  );
  assert.equal(toConfig(valuesIn(changed.config, 'FILE')).settings.domain, 'example.org');
});

test('with a service a password is kept apart, and comes back without one', () => {
  const url = 'postgres://underpass:s3cret@db.internal/underpass';
  const withService = first(usual({ database: url }, { hasService: true }));
  assert.doesNotMatch(withService.config, /s3cret|database/);
  assert.equal(withService.secrets, `UNDERPASS_DATABASE="${url}"\n`);
  assert.equal(hasSecret(withService.config), false);
  const values = { ...none, ...withService, secrets: `OTHER=1\n${withService.secrets}` };
  const former = { ...usual({ database: url }, { isFirst: false, hasService: true }) };
  const kept = composeTexts(values, { answers: former, former, others: new Map() });
  assert.deepEqual(kept, values);
  const sqlite = composeTexts(values, {
    answers: { ...former, database: 'sqlite' },
    former,
    others: new Map(),
  });
  assert.equal(sqlite.secrets, 'OTHER=1\n');
  assert.match(sqlite.config, /^database: sqlite$/m);
  const foreground = composeTexts(values, {
    answers: { ...former, hasService: false },
    former,
    others: new Map(),
  });
  assert.equal(foreground.secrets, 'OTHER=1\n');
  assert.ok(foreground.config.includes(`database: ${url}`));
  assert.ok(hasSecret(foreground.config));
});

test('the answer about ports takes ports, addresses and "off", and keeps what is left out', () => {
  const { listeners } = usual();
  assert.equal(listenersText(listeners), '443 80 2222 off');
  assert.deepEqual(listenersIn('8443 off', listeners), {
    ...{ listen: ':8443', 'http-listen': null, 'ssh-listen': ':2222', 'dns-listen': null },
  });
  assert.equal(listenersIn('127.0.0.1:1, [::1]:2', listeners)['http-listen'], '[::1]:2');
  assert.deepEqual(listenersIn('', listeners), listeners);
});
