import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseSettings, SettingsError } from './settings.ts';

const nothing = {};

function hosts(url: string, environment: Record<string, string> = nothing): readonly string[] {
  return parseSettings(url, environment).hosts.map(({ host, port, name }) =>
    name === host ? `${host} ${port}` : `${host} ${port} ${name}`,
  );
}

test('hosts are those of the URL, then of parameters, then of variables', () => {
  for (const [url, expected, environment] of [
    ['postgres://h/d', ['h 5432']],
    ['postgresql://u@h:7/d', ['h 7']],
    ['postgres://a:1,b,[::1]:3/d', ['a 1', 'b 5432', '::1 3']],
    ['postgres://a,b/d?port=9', ['a 9', 'b 9']],
    ['postgres://a,b/d?port=9,8', ['a 9', 'b 8']],
    ['postgres://u@/d?host=/run/postgresql', ['/run/postgresql 5432']],
    ['postgres://u@%2Frun%2Fpostgresql:7/d', ['/run/postgresql 7']],
    ['postgres:///d?host=a,b&port=1,2', ['a 1', 'b 2']],
    ['postgres://db.example/d?hostaddr=192.0.2.1', ['192.0.2.1 5432 db.example']],
    ['postgres:///d', ['localhost 5432']],
    ['postgres:///d', ['e 6'], { PGHOST: 'e', PGPORT: '6' }],
    ['postgres://h/d', ['h 5432'], { PGHOST: 'e' }],
  ] as const)
    assert.deepEqual(hosts(url, environment), expected, url);
});

test('user, password, database and the rest are read as libpq does', () => {
  const settings = parseSettings(
    'postgres://u%40x:p%2Fw%3F@h/d%20e?application_name=app&options=-c%20search_path%3Dx&connect_timeout=30&keepalives_idle=10',
    nothing,
  );
  assert.deepEqual(
    { ...settings, tls: null },
    {
      hosts: [{ host: 'h', name: 'h', port: 5432 }],
      user: 'u@x',
      password: 'p/w?',
      database: 'd e',
      applicationName: 'app',
      options: '-c search_path=x',
      connectTimeoutMs: 30_000,
      tls: null,
    },
  );
  const environment = { PGUSER: 'eu', PGPASSWORD: 'ep', PGDATABASE: 'ed', PGCONNECT_TIMEOUT: '7' };
  const { user, password, database, connectTimeoutMs } = parseSettings('postgres://h', environment);
  assert.deepEqual([user, password, database, connectTimeoutMs], ['eu', 'ep', 'ed', 7_000]);
  const { user: given } = parseSettings('postgres://a:b@h/d?user=c', environment);
  assert.equal(given, 'c', 'a parameter is the last word, as with libpq');
});

test('TLS is what sslmode says, and prefer if it says nothing', () => {
  for (const [query, mode, root] of [
    ['', 'prefer', undefined],
    ['?sslmode=disable', 'disable', undefined],
    ['?sslmode=require', 'require', undefined],
    ['?ssl=true', 'require', undefined],
    ['?sslmode=verify-ca&sslrootcert=/ca.pem', 'verify-ca', '/ca.pem'],
    ['?sslmode=verify-full&sslrootcert=system', 'verify-full', 'system'],
    ['?sslrootcert=system', 'verify-full', 'system'],
  ] as const) {
    const { tls } = parseSettings(`postgres://h/d${query}`, nothing);
    assert.deepEqual([tls.mode, tls.root], [mode, root], query);
  }
});

for (const [url, reason] of [
  ['postgres://h/d?sslmode=no-verify', /sslmode must be one of/],
  ['postgres://h/d?sslmode=verify-full', /add sslrootcert=FILE/],
  ['postgres://h/d?sslmode=require&sslrootcert=system', /wants sslmode=verify-full/],
  ['postgres://h/d?sslcert=/c.pem', /sslcert and sslkey belong together/],
  ['postgres://h/d?service=mine', /service cannot be read/],
  ['postgres://h/d?channel_binding=require', /channel_binding can only be disable or prefer/],
  ['postgres://h/d?gssencmode=require', /gssencmode can only be/],
  ['postgres://h/d?uselibpqcompat=true', /uselibpqcompat is not known/],
  ['postgres://h/d?target_session_attrs=standby', /use read-write/],
  ['postgres://h/d?connect_timeout=0', /from 1 to 300/],
  ['postgres://h:0/d', /port 0 is not/],
  ['postgres://h:x/d', /its host is none/],
  ['postgres://a,b/d?port=1,2,3', /2 hosts and 3 ports/],
  ['postgres://u:100%@h/d', /write %25/],
  ['postgres://u:p/w@h/d', /percent-encode/],
  ['postgres://u:p@ss@h/d', /percent-encode/],
  ['postgres://h/d?sslmode', /NAME=VALUE/],
] as const)
  test(`${url} is refused`, () => {
    assert.throws(
      () => parseSettings(url, nothing),
      (error) => error instanceof SettingsError && reason.test(error.message),
    );
  });
