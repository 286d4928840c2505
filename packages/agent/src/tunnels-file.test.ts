import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { altered } from '../../../test/harness/altered-text.ts';
import { propertyRuns } from '../../../test/harness/property-runs.ts';
import { InvalidInput } from './address.ts';
import { defaultConfigPath } from './config-file.ts';
import { testCertificate } from './testing/service.fixture.ts';
import { settingsOf, wordOf } from './tunnel-settings.ts';
import { readRequest } from './tunnel-spec.ts';
import { chooseTunnels, readTunnelsFile } from './tunnels-file.ts';

function file(t: TestContext, content: string, others: Readonly<Record<string, string>> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-agent-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries({ ...others, 'agent.yaml': content }))
    writeFileSync(join(folder, name), text);
  return join(folder, 'agent.yaml');
}

const FULL = `
server: connect.example.com:443
ca: ca.pem
inspect: 127.0.0.1:4041
tunnels:
  web:
    upstream: 3000
    domain: demo.example.com
    scheme: http
    upstream-protocol: http2
    metadata: shop
    quiet: true
  group: {upstream: "https://localhost:8443", label: {app: web}}
  mail: {proto: tls, upstream: 993, certificate: c.pem, key: k.pem, proxy-proto: 2}
  database: {proto: tcp, upstream: db:5432, address: "1.tcp.example.com:20001"}
`;

test('a tunnel has in the file what the flags of its command can say', (t) => {
  const path = file(t, FULL, {
    'ca.pem': testCertificate().ca,
    'c.pem': testCertificate().cert,
    'k.pem': testCertificate().key,
  });
  const { service, tunnels } = readTunnelsFile(path);
  assert.deepEqual(service, {
    ...{ server: 'connect.example.com:443', ca: join(path, '..', 'ca.pem') },
    inspect: '127.0.0.1:4041',
  });
  assert.equal(readTunnelsFile(file(t, 'inspect: false')).service.inspect, 'false');
  const told = [...tunnels.values()].map(({ name, upstream, request, quiet }) => [
    name,
    upstream.text,
    request,
    quiet,
  ]);
  assert.deepEqual(told, [
    [
      'web',
      'http://localhost:3000',
      {
        proto: 'http',
        domain: 'demo.example.com',
        scheme: 'http',
        upstreamProtocol: 'http2',
        metadata: 'shop',
      },
      true,
    ],
    ['group', 'https://localhost:8443', { proto: 'http', labels: { app: 'web' } }, false],
    [
      'mail',
      'localhost:993',
      {
        proto: 'tls',
        termination: { certificate: testCertificate().cert, key: testCertificate().key },
        proxyProtocol: 2,
      },
      false,
    ],
    ['database', 'db:5432', { proto: 'tcp', address: '1.tcp.example.com:20001' }, false],
  ]);
});

const MODULES = `
tunnels:
  web:
    upstream: https://inside.example
    host-header: rewrite
    request-header-add: ["x-a: 1"]
    response-header-remove: server
    compression: true
    circuit-breaker: 0.5
    basic-auth: "user:pass:word"
    cidr-allow: [192.0.2.0/24]
  port: {upstream: 3000, host-header: rewrite}
  named: {upstream: 3000, host-header: "app.internal:81"}
  database: {proto: tcp, upstream: 5432, cidr-allow: 0.0.0.0/0, cidr-deny: [10.0.0.0/8]}
`;

test('what the service is asked to do with visitors stands in the file as in flags', (t) => {
  const { tunnels } = readTunnelsFile(file(t, MODULES));
  assert.deepEqual(tunnels.get('web')?.request.modules, {
    requestHeaders: { add: ['host:inside.example', 'x-a: 1'], remove: [] },
    responseHeaders: { add: [], remove: ['server'] },
    compression: true,
    circuitBreaker: 0.5,
    basicAuth: [{ username: 'user', password: 'pass:word' }],
    cidrs: { allow: ['192.0.2.0/24'], deny: [] },
  });
  const hostOf = (name: string) => tunnels.get(name)?.request.modules?.requestHeaders?.add;
  assert.deepEqual(hostOf('port'), ['host:localhost:3000']);
  assert.deepEqual(hostOf('named'), ['host:app.internal:81']);
  const { cidrs } = tunnels.get('database')?.request.modules ?? {};
  assert.deepEqual(cidrs, { allow: ['0.0.0.0/0'], deny: ['10.0.0.0/8'] });
});

const GUARDED = `
tunnels:
  web:
    upstream: 3000
    oauth: google
    oauth-client-id: shop
    oauth-client-secret: "@google.txt"
    oauth-allow-email: ada@example.com
    oauth-allow-domain: [example.com]
    oauth-scope: [calendar]
    verify-webhook: github
    verify-webhook-secret: "@@at"
    ua-filter-allow: curl
    ua-filter-deny: [".*"]
    websocket-tcp-converter: true
    mutual-tls-ca: [ca.pem, ca.pem]
    pooling: true
    description: the shop
  members: {upstream: 1, oidc: "https://id.example", oidc-client-id: a, oidc-client-secret: b}
  others: {upstream: 1, oidc: "https://id.example", oidc-client-id: a, oidc-client-secret: b, oidc-allow-unverified-email: true}
  mail: {proto: tls, upstream: 993, terminate: true, mutual-tls-ca: ca.pem}
`;

test('who is let in stands in the file as in flags, with secrets in files of their own', (t) => {
  const { ca } = testCertificate();
  const { tunnels } = readTunnelsFile(file(t, GUARDED, { 'ca.pem': ca, 'google.txt': 'the secret\n' }));
  const web = tunnels.get('web')?.request;
  assert.deepEqual([web?.pooling, web?.description], [true, 'the shop']);
  assert.deepEqual(web?.modules, {
    oauth: {
      ...{ provider: 'google', clientId: 'shop', clientSecret: 'the secret' },
      ...{ allow: { emails: ['ada@example.com'], domains: ['example.com'] }, scopes: ['calendar'] },
    },
    webhook: { provider: 'github', secret: '@at' },
    userAgents: { allow: ['curl'], deny: ['.*'] },
    websocketTcpConverter: true,
    mutualTlsCa: `${ca}\n${ca}`,
  });
  assert.deepEqual(tunnels.get('members')?.request.modules?.oidc, {
    ...{ issuer: 'https://id.example', clientId: 'a', clientSecret: 'b' },
    ...{ allow: { emails: [], domains: [] }, scopes: [] },
  });
  assert.equal(tunnels.get('others')?.request.modules?.oidc?.allowUnverifiedEmail, true);
  assert.equal(tunnels.get('mail')?.request.modules?.mutualTlsCa, ca);
});

const unnamed = { domain: undefined, address: undefined, labels: undefined, metadata: undefined };

test('what lets visitors in is refused without a value, in the file and as a flag', (t) => {
  for (const proto of ['http', 'tls', 'tcp'] as const) {
    for (const [name, { group, kind }] of settingsOf(proto)) {
      if (group !== 'visitors') continue;
      const lists = kind === 'texts' || kind === 'paths' ? ['[]', '[""]'] : [];
      for (const value of ['', '~', ...(kind === 'flag' ? [] : ['""']), ...lists]) {
        const path = file(t, `tunnels:\n  a:\n    proto: ${proto}\n    upstream: 1\n    ${name}: ${value}`);
        const what = `${proto} ${name}: ${value}`;
        assert.throws(() => readTunnelsFile(path), new RegExp(`"tunnels\\.a\\.${name}": `), what);
      }
      if (kind === 'flag') continue;
      const words = { [wordOf(name)]: lists.length > 0 ? [''] : '' };
      assert.throws(() => readRequest(proto, null, unnamed, words), InvalidInput, `--${name} ""`);
    }
  }
});

test('what is wrong is named by file, line and field, with what to give', (t) => {
  for (const [content, line, message] of [
    ['tunnels: [', 1, /not valid YAML/],
    ['tunnels:\n  a: {upstream: 1}\n  a: {upstream: 2}', 3, /not valid YAML: .*unique/],
    ['server: a:1\nsever: a', 2, /"sever": unknown here\. Did you mean "server"\?/],
    [
      'port: 1',
      1,
      /"port": unknown here\. Known keys: server, authtoken, ca, ca-fingerprint, connections, inspect, tunnels/,
    ],
    ['tunnels: {a: {upstream: 1}}\ninspect: 0.0.0.0:4040', 2, /"inspect": .*this machine alone/],
    ['tunnels: {a: {upstream: 1}}\ninspect: true', 2, /"inspect": must be a text/],
    ['server: 7\ntunnels: {a: {upstream: 1}}', 1, /"server": must be a text/],
    ['tunnels: {a: {upstream: 1}}\nserver: a b', 2, /"server": .*Give HOST:PORT/],
    ['tunnels: {a: {upstream: 1}}\nca: no.pem', 2, /"ca": .*no\.pem cannot be read/],
    ['tunnels: 7', 1, /"tunnels": must be a mapping, such as/],
    ['tunnels:\n  "a b": {upstream: 1}', 2, /"tunnels\.a b": not a name/],
    ['tunnels:\n  a:\n', 2, /"tunnels\.a": is empty/],
    ['tunnels:\n  a: 3000', 2, /"tunnels\.a": must be a mapping/],
    ['tunnels:\n  a: {domain: x}', 2, /"tunnels\.a": has no "upstream"/],
    [
      'tunnels:\n  a:\n    upstream: 1\n    host-header: "a b"',
      4,
      /"tunnels\.a\.host-header": .*Give rewrite/,
    ],
    ['tunnels:\n  a:\n    upstream: 1\n    request-header-add: x', 4, /request-header-add": .*NAME:VALUE/],
    ['tunnels:\n  a:\n    upstream: 1\n    circuit-breaker: 2', 4, /circuit-breaker": .*from 0 to 1/],
    ['tunnels:\n  a:\n    upstream: 1\n    basic-auth: x', 4, /basic-auth": .*USER:PASSWORD/],
    ['tunnels:\n  a:\n    upstream: 1\n    cidr-allow: [7]', 4, /cidr-allow": must be a text/],
    ['tunnels:\n  a: {upstream: 1, label: [a=b], compression: true}', 2, /"tunnels\.a": .*leaves headers/],
    ['tunnels:\n  a:\n    upstream: 1\n    upstream-tls-verify: true', 4, /tls-verify": .*Give https/],
    [
      'tunnels:\n  a:\n    upstream: 1\n    oauth-allow-email: a@b',
      4,
      /oauth-allow-email": Give --oauth as well/,
    ],
    [
      'tunnels:\n  a:\n    upstream: 1\n    oidc: https://a',
      4,
      /"tunnels\.a\.oidc": .*Give --oidc-client-id/,
    ],
    ['tunnels:\n  a: {upstream: 1, oauth: a, oauth-client-id: "@no.txt"}', 2, /no\.txt cannot be read/],
    [
      'tunnels:\n  a:\n    upstream: 1\n    verify-webhook: a',
      4,
      /a\.verify-webhook": .*Give --verify-webhook-secret/,
    ],
    [
      'tunnels:\n  a:\n    upstream: 1\n    label: [a=b]\n    pooling: true',
      5,
      /a\.pooling": .*Leave --pooling/,
    ],
    ['tunnels:\n  a:\n    upstream: nowhere', 3, /"tunnels\.a\.upstream": .*Give a port/],
    ['tunnels:\n  a:\n    proto: ftp', 3, /"tunnels\.a\.proto": .*Give http, tls or tcp/],
    ['tunnels:\n  a:\n    upstream: 1\n    terminate: true', 4, /"tunnels\.a\.terminate": unknown here/],
    ['tunnels:\n  a:\n    upstream: 1\n    quiet: "yes"', 4, /"tunnels\.a\.quiet": must be true or false/],
    ['tunnels:\n  a:\n    upstream: 1\n    scheme: ftp', 4, /"tunnels\.a\.scheme": .*http or https/],
    ['tunnels:\n  a:\n    upstream: 1\n    label: {a: 7}', 4, /"tunnels\.a\.label": must be a list of/],
    ['tunnels:\n  a:\n    upstream: 1\n    label: [x]', 4, /"tunnels\.a\.label": .*KEY=VALUE/],
    [
      'tunnels:\n  a:\n    upstream: 1\n    label: [a=b]\n    domain: x',
      4,
      /"tunnels\.a\.label": .*either a domain or labels/,
    ],
    [
      'tunnels:\n  a:\n    proto: tcp\n    upstream: 1\n    proxy-proto: 3',
      5,
      /"tunnels\.a\.proxy-proto": .*versions 1 and 2/,
    ],
    [
      'tunnels:\n  a:\n    proto: tls\n    upstream: 1\n    key: k.pem',
      5,
      /"tunnels\.a\.key": .*private key/,
    ],
    [
      'tunnels:\n  a: {proto: tls, upstream: 1, certificate: c.pem, key: k.pem}',
      2,
      /"tunnels\.a\.certificate": .*c\.pem cannot be read/,
    ],
    [
      'tunnels:\n  a:\n    proto: tls\n    upstream: 1\n    certificate: agent.yaml\n    key: k.pem',
      5,
      /"tunnels\.a\.certificate": .*agent\.yaml holds no certificate/,
    ],
  ] as const) {
    const path = file(t, content);
    assert.throws(
      () => readTunnelsFile(path),
      (error: unknown) =>
        error instanceof InvalidInput &&
        error.message.includes(`${path}:${line}`) &&
        message.test(error.message),
      `${content}\n${String(message)}`,
    );
  }
});

test('all that is wrong is named at once, in the order of the file where it can be', (t) => {
  const content = `sever: a:1
tunnels:
  a: {upstream: 1, domian: x}
  b: {upstream: nowhere}
  c: {upstream: 1}
  d: {proto: udp}
ca: no.pem
inspect: 1`;
  const path = file(t, content);
  assert.throws(
    () => readTunnelsFile(path),
    (error: Error) => {
      const lines = error.message.split('\n').map((line) => line.slice(path.length).split('"', 2).join(''));
      assert.deepEqual(lines, [
        ...[':1: sever', ':3: tunnels.a.domian', ':4: tunnels.b.upstream', ':6: tunnels.d.proto'],
        ':8: inspect',
      ]);
      return true;
    },
  );
});

test('all that is wrong with one tunnel is named, too', (t) => {
  const content = `server: [a]
authtoken: 7
tunnels:
  a:
    upstream: nowhere
    circuit-breaker: 7
    basic-auth: ab
    host-header: a b
    request-header-add: none
    oidc: https://a
    oauth-scope: x
    verify-webhook: github
    proxy-proto: 9
    scheme: ftp
    upstream-protocol: http3
    upstream-tls-verify-cas: none.pem
    address: "a:1"
  b: {upstreem: 1, quiet: maybe, compression: yes please, metadata: 7}
  c: {upstream: 1, label: [a=b], pooling: true, scheme: http}`;
  const path = file(t, content);
  assert.throws(
    () => readTunnelsFile(path),
    (error: Error) => {
      const found = error.message.split('\n').map((line) => line.slice(path.length).split('"', 2)[1] ?? line);
      const of = (name: string, keys: readonly string[]) => keys.map((key) => `tunnels.${name}.${key}`);
      const ofA = [
        ...['upstream', 'circuit-breaker', 'basic-auth', 'host-header', 'request-header-add', 'oidc'],
        ...['oauth-scope', 'verify-webhook', 'proxy-proto', 'scheme', 'upstream-protocol'],
        ...['address', 'upstream-tls-verify-cas'],
      ];
      const expected = [
        ...of('a', ofA),
        ...['tunnels.b', ...of('b', ['upstreem', 'metadata', 'compression', 'quiet'])],
        ...[...of('c', ['scheme', 'pooling']), 'server', 'authtoken'],
      ];
      assert.deepEqual(found.sort(), expected.sort());
      return true;
    },
  );
});

test('no error repeats what may be a secret', (t) => {
  const secret = 'FMXQ7';
  for (const content of [
    `authtoken: *${secret}`,
    `authtoken: !a!${secret} x`,
    `authtoken: "\\U${secret}"`,
    `authtoken: |${secret}\n x`,
    `server: https://me:${secret}@connect.example.com`,
    `tunnels: {web: {upstream: "http://me:${secret}@localhost:3000/"}}`,
    `tunnels: {web: {upstream: "me:${secret}@localhost:3000"}}`,
    `tunnels: {db: {proto: tcp, upstream: "postgres://me:${secret}@localhost:5432"}}`,
    `tunnels: {web: {upstream: 3000, basic-auth: ${secret}}}`,
    `tunnels: {web: {upstream: 3000, request-header-add: "Authorization Bearer ${secret}"}}`,
  ]) {
    assert.throws(
      () => readTunnelsFile(file(t, content)),
      (error) => error instanceof InvalidInput && !error.message.includes(secret),
      content,
    );
  }
});

test('what is no regular file is refused, and not waited for', (t) => {
  const pipe = join(file(t, ''), '..', 'pipe');
  execFileSync('mkfifo', [pipe]);
  for (const path of [pipe, '/dev/zero', join(pipe, '..')])
    assert.throws(() => readTunnelsFile(path), /cannot be read: it is no regular file/);
});

test('a folder that the file itself lies in is not served', (t) => {
  const path = file(t, 'tunnels: {web: {upstream: "file:."}}');
  assert.throws(() => readTunnelsFile(path), /"tunnels\.web\.upstream": "\." has .*agent\.yaml in it/);
});

test('a folder that a secret of the tunnel lies in is not served', (t) => {
  const served = (secret: string) =>
    file(
      t,
      `tunnels: {web: {upstream: "file:www", verify-webhook: github, verify-webhook-secret: "${secret}"}}`,
    );
  for (const [secret, isRefused] of [
    ['@www/secret.txt', true],
    ['@outside.txt', false],
    ['@@www/secret.txt', false],
  ] as const) {
    const path = served(secret);
    const folder = dirname(path);
    mkdirSync(join(folder, 'www'));
    writeFileSync(join(folder, 'www', 'secret.txt'), 'x');
    writeFileSync(join(folder, 'outside.txt'), 'x');
    const read = () => readTunnelsFile(path);
    if (isRefused) assert.throws(read, /"www" has .*secret\.txt in it/);
    else assert.doesNotThrow(read);
  }
});

test('a file without tunnels is valid, and says how to write one when they are to be started', (t) => {
  for (const content of ['', 'server: a:1', 'tunnels:', 'tunnels: {}']) {
    const read = readTunnelsFile(file(t, content));
    assert.throws(() => chooseTunnels(read, [], true), /has no tunnels\. Give some, such as/);
  }
});

test('tunnels are chosen by name or all, each once', (t) => {
  const read = readTunnelsFile(file(t, 'tunnels: {b: {upstream: 1}, a: {upstream: 2}, c: {upstream: 3}}'));
  const chosen = (names: readonly string[], all: boolean) =>
    chooseTunnels(read, names, all).map(({ name }) => name);
  assert.deepEqual(chosen(['c', 'b', 'c'], false), ['c', 'b']);
  assert.deepEqual(chosen([], true), ['b', 'a', 'c']);
  assert.throws(() => chosen(['x'], false), /There is no tunnel "x" in .*Give one of: b, a, c/);
  assert.throws(() => chosen([], false), /Give names of tunnels, or --all/);
  assert.throws(() => chosen(['a'], true), /not both/);
});

test('tunnels that want one name are not started together', (t) => {
  const content = `tunnels:
  a: {upstream: 1, domain: x.example}
  b: {proto: tls, upstream: 2, domain: X.example}
  plain: {upstream: 3, domain: x.example, scheme: http}
  c: {proto: tcp, upstream: 4, address: "t.example:1"}
  d: {proto: tcp, upstream: 5, address: "t.example:1"}
`;
  const read = readTunnelsFile(file(t, content));
  assert.equal(chooseTunnels(read, ['a', 'plain', 'c'], false).length, 3);
  assert.throws(() => chooseTunnels(read, ['a', 'b'], false), /"a" and "b" .* both want x\.example/);
  assert.throws(() => chooseTunnels(read, ['c', 'd'], false), /both want t\.example:1/);
});

test('the file is below XDG_CONFIG_HOME where that is absolute, else below ~/.config', () => {
  assert.equal(defaultConfigPath({ XDG_CONFIG_HOME: '/etc/xdg' }), '/etc/xdg/underpass/agent.yaml');
  for (const XDG_CONFIG_HOME of ['', 'relative'])
    assert.match(defaultConfigPath({ XDG_CONFIG_HOME }), /^\/.*\/\.config\/underpass\/agent\.yaml$/);
  assert.equal(defaultConfigPath({ HOME: '/home/ada' }), '/home/ada/.config/underpass/agent.yaml');
});

test('it is never where a command happens to be started', () => {
  const path = join(userInfo().homedir, '.config/underpass/agent.yaml');
  for (const HOME of ['', 'here', undefined]) assert.equal(defaultConfigPath({ HOME }), path);
});

const isRoot = process.getuid?.() === 0;

test('nor is a user needed whom the system knows', {
  skip: isRoot ? false : 'only root can be another user',
}, () => {
  const module = new URL('./config-file.ts', import.meta.url).href;
  // In a container a process may be any user.
  const program = `import { defaultConfigPath } from '${module}'; process.setuid(1_234_567); console.log(defaultConfigPath({}));`;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  assert.equal(said, '/.config/underpass/agent.yaml\n');
});

test('whatever stands in the file, it is read or refused with what is wrong', (t) => {
  const path = file(t, '', { 'ca.pem': testCertificate().ca, 'c.pem': 'c', 'k.pem': 'k', 'google.txt': 's' });
  const read = (text: string) => {
    writeFileSync(path, text);
    try {
      readTunnelsFile(path);
    } catch (error) {
      assert.ok(error instanceof InvalidInput, String(error));
    }
  };
  for (const piece of ['[', '{a: ', '- ', '? ']) read(piece.repeat(20_000));
  for (const text of [FULL, MODULES, GUARDED])
    fc.assert(fc.property(altered(text), read), { numRuns: propertyRuns(500) });
});
