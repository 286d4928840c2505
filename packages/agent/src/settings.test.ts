import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { InvalidInput } from './address.ts';
import { readSettings } from './settings.ts';
import { testCertificate } from './testing/service.fixture.ts';

const PEM = testCertificate().ca;
/** The environment of a user without a stored login. */
const NOBODY = { XDG_CONFIG_HOME: '/absent' };
const BOOTSTRAP = {
  base_url: 'https://api.underpass.localhost:8443',
  api_key: 'key',
  authtoken: 'local-token',
  ca_file: 'data/ca.pem',
  domain: 'underpass.localhost',
  connect_addr: 'connect.underpass.localhost:8443',
  ssh_addr: null,
};

function folder(t: TestContext, files: Readonly<Record<string, string>> = {}): string {
  const path = mkdtempSync(join(tmpdir(), 'underpass-agent-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  mkdirSync(join(path, 'data'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(path, name), content);
  return path;
}

function withDaemon(t: TestContext, files: Readonly<Record<string, string>> = {}): string {
  return folder(t, { 'data/bootstrap.json': JSON.stringify(BOOTSTRAP), 'data/ca.pem': PEM, ...files });
}

test('beside a daemon nothing needs to be said', (t) => {
  const cwd = withDaemon(t);
  assert.deepEqual(readSettings({}, NOBODY, cwd), {
    server: 'connect.underpass.localhost:8443',
    authtoken: 'local-token',
    ca: PEM,
    caFile: join(cwd, 'data', 'ca.pem'),
    domain: undefined,
    address: undefined,
    labels: undefined,
    metadata: undefined,
    inspect: undefined,
  });
});

test("the daemon's token never goes to another server", (t) => {
  const cwd = withDaemon(t);
  assert.throws(
    () => readSettings({ server: 'elsewhere.example:443' }, NOBODY, cwd),
    /The authtoken for this server \(.*\) is missing/,
  );
  const settings = readSettings({ server: 'elsewhere.example:443', authtoken: 'theirs' }, NOBODY, cwd);
  assert.equal(settings.ca, undefined);
  assert.equal(readSettings({ server: BOOTSTRAP.connect_addr }, NOBODY, cwd).authtoken, 'local-token');
});

test('who has logged in needs to say nothing, and the token never goes to another server', (t) => {
  const cwd = withDaemon(t);
  mkdirSync(join(cwd, 'underpass'));
  const environment = { XDG_CONFIG_HOME: cwd };
  const store = (text: string) => writeFileSync(join(cwd, 'underpass', 'agent.yaml'), text);
  store('server: far.example:443\nauthtoken: stored\nca: ../data/ca.pem\ntunnels: {web: {upstream: 1}}\n');
  const { server, authtoken, ca } = readSettings({}, environment, cwd);
  assert.deepEqual([server, authtoken, ca], ['far.example:443', 'stored', PEM]);
  assert.equal(readSettings({ server: BOOTSTRAP.connect_addr }, environment, cwd).authtoken, 'local-token');
  assert.throws(
    () => readSettings({ server: 'other.example:443' }, environment, cwd),
    /The authtoken for this server \(.*\) is missing/,
  );
  store('server: far.example:443\n');
  assert.equal(readSettings({}, environment, cwd).server, BOOTSTRAP.connect_addr);
});

test('flags win over variables, variables over the file', (t) => {
  const cwd = folder(t, {
    'a.yaml': 'server: file:1\nauthtoken: file\nmetadata: file\ndomain: file.example\ninspect: false\n',
  });
  const environment = { UNDERPASS_AUTHTOKEN: 'variable', UNDERPASS_DOMAIN: 'the-daemons.example' };
  const settings = readSettings({ config: 'a.yaml', metadata: 'flag' }, environment, cwd);
  assert.equal(settings.server, 'file:1');
  assert.equal(settings.authtoken, 'variable');
  assert.equal(settings.metadata, 'flag');
  assert.equal(settings.domain, 'file.example');
  assert.equal(settings.inspect, 'false');
});

test('a number of connections is read from flags and the file, and checked', (t) => {
  const cwd = folder(t, { 'a.yaml': 'server: a:1,b:2\nauthtoken: x\nconnections: 2\n' });
  assert.equal(readSettings({ config: 'a.yaml' }, NOBODY, cwd).connections, 2);
  assert.equal(readSettings({ config: 'a.yaml', connections: '16' }, NOBODY, cwd).connections, 16);
  for (const connections of ['0', '17', '1.5', 'many'])
    assert.throws(() => readSettings({ config: 'a.yaml', connections }, NOBODY, cwd), /from 1 to 16/);
});

test('a file of many tunnels says to a single one where the service is', (t) => {
  const cwd = folder(t, { 'a.yaml': 'server: file:1\nauthtoken: file\ntunnels: {web: {upstream: 1}}\n' });
  assert.equal(readSettings({ config: 'a.yaml' }, NOBODY, cwd).server, 'file:1');
});

test('labels and a domain exclude each other, by the stronger source', (t) => {
  const base = { server: 'a:1', authtoken: 'x' };
  const cwd = folder(t, { 'a.yaml': 'domain: x.example\n' });
  const labelled = readSettings({ ...base, config: 'a.yaml', label: ['a=b', 'c=d=e'] }, NOBODY, cwd);
  assert.deepEqual(labelled.labels, { a: 'b', c: 'd=e' });
  assert.equal(labelled.domain, undefined);
  assert.throws(
    () => readSettings({ ...base, domain: 'x', label: ['a=b'] }, NOBODY, cwd),
    /either a domain or labels/,
  );
});

test('labels in a file are a list or a mapping', (t) => {
  const cwd = folder(t, {
    'list.yaml': 'label: [a=b, c=d]',
    'map.yaml': 'label: {a: b, c: "d"}',
    'one.yaml': 'label: a=b',
  });
  const base = { server: 'a:1', authtoken: 'x' };
  assert.deepEqual(readSettings({ ...base, config: 'list.yaml' }, NOBODY, cwd).labels, { a: 'b', c: 'd' });
  assert.deepEqual(readSettings({ ...base, config: 'map.yaml' }, NOBODY, cwd).labels, { a: 'b', c: 'd' });
  assert.deepEqual(readSettings({ ...base, config: 'one.yaml' }, NOBODY, cwd).labels, { a: 'b' });
});

test('bad input is refused and says what is wrong', (t) => {
  const cwd = folder(t, {
    'unknown.yaml': 'sever: a',
    'list.yaml': '- a',
    'broken.yaml': 'a: [',
    'number.yaml': 'authtoken: 12',
    'label.yaml': 'label: 7',
    'no.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
  });
  const base = { server: 'a:1', authtoken: 'x' };
  for (const [flags, message] of [
    [{}, /The address of the server is missing/],
    [{ server: 'a:1' }, /The authtoken is missing/],
    [{ ...base, config: 'absent.yaml' }, /absent\.yaml cannot be read/],
    [{ ...base, config: 'unknown.yaml' }, /"sever".*Did you mean "server"/],
    [{ ...base, config: 'list.yaml' }, /must hold a mapping/],
    [{ ...base, config: 'broken.yaml' }, /not valid YAML/],
    [{ ...base, config: 'number.yaml' }, /"authtoken".*quotes/],
    [{ ...base, config: 'label.yaml' }, /"label"/],
    [{ ...base, ca: 'absent.pem' }, /absent\.pem cannot be read/],
    [{ ...base, ca: 'no.pem' }, /holds no certificate/],
    [{ ...base, authtoken: '' }, /The authtoken is empty/],
    [{ ...base, authtoken: ' ' }, /The authtoken is empty/],
    [{ ...base, label: ['=x'] }, /KEY=VALUE/],
    [{ ...base, label: ['a=1', 'a=2'] }, /more than once/],
  ] as const) {
    assert.throws(
      () => readSettings(flags, NOBODY, cwd),
      (error: unknown) => error instanceof InvalidInput && message.test(error.message),
      String(message),
    );
  }
});

test('a bootstrap file that is damaged is named', (t) => {
  for (const [content, message] of [
    ['{', /not valid JSON/],
    ['null', /not a JSON object/],
    ['{"connect_addr":"a:1"}', /"authtoken" is missing/],
  ] as const) {
    const cwd = folder(t, { 'data/bootstrap.json': content });
    assert.throws(() => readSettings({}, NOBODY, cwd), message);
  }
});

test('an address stands for itself: neither a domain nor labels go with it', (t) => {
  const cwd = withDaemon(t, { 'tcp.yml': 'address: 1.tcp.example.com:20001\n' });
  const address = '1.tcp.example.com:20001';
  assert.equal(readSettings({ config: 'tcp.yml' }, NOBODY, cwd).address, address);
  assert.equal(readSettings({ config: 'tcp.yml', label: ['a=b'] }, NOBODY, cwd).address, undefined);
  assert.throws(() => readSettings({ address, label: ['a=b'] }, NOBODY, cwd), InvalidInput);
  assert.throws(() => readSettings({ address, domain: 'a.example.com' }, NOBODY, cwd), InvalidInput);
});
