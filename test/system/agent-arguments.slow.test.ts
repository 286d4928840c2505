/** Arguments of the agent: each unusable one is rejected by name before anything is dialled, and a short name is completed. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ClientCertificates, Platform, Process, startUpstream, type Upstream } from '../harness/index.ts';
import { rowsOf } from '../harness/property-runs.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const certificates = new ClientCertificates();
let platform: Platform;
let upstream: Upstream;
let folder: string;
/** A server that must not be dialled. */
let unused: Server;
let connections = 0;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((_asked, answer) => answer.end('here'));
  folder = temporaryFolder('underpass-arguments-');
  unused = createServer((socket) => {
    connections++;
    socket.destroy();
  });
  await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve));
  const pem = (type: 'pkcs8', how: object = {}) =>
    generateKeyPairSync('ed25519').privateKey.export({ type, format: 'pem', ...how });
  writeFileSync(join(folder, 'other.key'), pem('pkcs8'));
  writeFileSync(join(folder, 'locked.key'), pem('pkcs8', { cipher: 'aes-128-cbc', passphrase: 'x' }));
  writeFileSync(join(folder, 'cut.key'), '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
  writeFileSync(join(folder, 'empty'), '');
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const { pem: certificate } = certificates.make('server', undefined, {});
  writeFileSync(join(folder, 'cert.pem'), certificate);
});
after(async () => {
  await platform.stop();
  await upstream.stop();
  unused.close();
  certificates.remove();
  rmSync(folder, { recursive: true });
});

function agent(...args: readonly string[]): Process {
  return Process.node(AGENT, args, { cwd: folder, env: { XDG_CONFIG_HOME: folder } });
}

/** The words of a command, the flag that is wrong, and the remedy. */
const wrong: readonly (readonly [command: string, flag: string, remedy: RegExp])[] = [
  ['http 70000', '', /ports are from 1 to 65535\. Give a port/],
  ['http 0', '', /ports are from 1 to 65535/],
  ['tcp host:99999', '', /ports are from 1 to 65535/],
  ['tls host:', '', /Give a port/],
  ['http 1 --domain a..b', 'domain', /Give a name/],
  ['tls 1 --domain https://a.b', 'domain', /Leave out scheme/],
  ['http 1 --domain 1.2.3.4', 'domain', /It is an address/],
  ['tcp 1 --address 5432', 'address', /Give HOST:PORT/],
  ['tcp 1 --address a.b:70000', 'address', /Give HOST:PORT/],
  ['http 1 --label a=', 'label', /KEY=VALUE/],
  [`http 1 --metadata ${'x'.repeat(4097)}`, 'metadata', /at most 4096/],
  [`http 1 --description ${'x'.repeat(256)}`, 'description', /at most 255/],
  ['http 1 --cidr-allow 10.0.0.1/8', 'cidr-allow', /Give 10\.0\.0\.0\/8/],
  ['tcp 1 --cidr-allow 0.0.0.0/0 --cidr-deny 10.0.0.1', 'cidr-deny', /Give 10\.0\.0\.1\/32/],
  ['tls 1 --cidr-deny 10.0.0.0/8', 'cidr-deny', /Give --cidr-allow/],
  ['http 1 --ua-filter-deny (', 'ua-filter-deny', /Close it/],
  ['http 1 --ua-filter-allow a\\', 'ua-filter-allow', /backslash/],
  ['http 1 --request-header-add a', 'request-header-add', /NAME:VALUE/],
  ['http 1 --response-header-add a/b:c', 'response-header-add', /name of a header/],
  ['http 1 --request-header-remove a/b', 'request-header-remove', /name of a header/],
  ['http 1 --basic-auth a:short', 'basic-auth', /8 to 128/],
  ['http 1 --oidc http://a.b --oidc-client-id a --oidc-client-secret b', 'oidc', /https URL/],
  [
    'http 1 --oidc https://a.b --oidc-client-id @none --oidc-client-secret b',
    'oidc-client-id',
    /no such file/,
  ],
  ['http 1 --verify-webhook github --verify-webhook-secret @empty', 'verify-webhook-secret', /is empty/],
  ['http 1 --circuit-breaker 2', 'circuit-breaker', /from 0 to 1/],
  ['http 1 --mutual-tls-ca none', 'mutual-tls-ca', /no such file/],
  ['http 1 --mutual-tls-ca empty', 'mutual-tls-ca', /holds no certificate/],
  ['http 1 --scheme http --mutual-tls-ca cert.pem', 'mutual-tls-ca', /over https only/],
  ['tls 1 --mutual-tls-ca cert.pem', 'mutual-tls-ca', /Give --terminate/],
  ['tls 1 --certificate cert.pem', 'key', /Give both/],
  ['tls 1 --certificate none --key other.key', 'certificate', /no such file/],
  ['tls 1 --certificate pipe --key other.key', 'certificate', /no regular file/],
  ['tls 1 --certificate cert.pem --key none', 'key', /no such file/],
  ['tls 1 --certificate cert.pem --key cert.pem', 'key', /holds no private key/],
  ['tls 1 --certificate cert.pem --key other.key', 'key', /not that of the certificate/],
  ['tls 1 --certificate cert.pem --key locked.key', 'key', /is encrypted\. Decrypt it/],
  ['tls 1 --certificate cert.pem --key cut.key', 'key', /cannot be read/],
  ['http https://a --upstream-tls-verify-cas none', 'upstream-tls-verify-cas', /no such file/],
  ['http 1 --ca none', 'ca', /no such file/],
  ['http 1 --ca empty', 'ca', /holds no certificate/],
  ['http 1 --config none', 'config', /no such file/],
  ['http 1 --inspect 127.0.0.1:70000', 'inspect', /HOST:PORT/],
];

test('an unusable argument is reported with its option and a remedy, and nothing is dialled', async () => {
  const server = `localhost:${(unused.address() as AddressInfo).port}`;
  const given = ['--server', server, '--authtoken', 'x'];
  const runs = rowsOf(wrong).map(async ([command, flag, remedy]) => {
    const run = agent(...command.split(' '), ...given);
    assert.equal((await run.exited).code, 2, `${command}\n${run.output}`);
    assert.match(run.output, remedy, command);
    assert.ok(run.output.startsWith('underpass: ') && run.output.includes(flag === '' ? '"' : `--${flag}`));
    assert.equal(run.lines.length, 1, run.output);
  });
  await Promise.all(runs);
  const badServer = agent('http', '1', '--server', 'a:70000', '--authtoken', 'x');
  assert.equal((await badServer.exited).code, 2);
  assert.match(badServer.output, /^underpass: --server: .* Give HOST:PORT/);
  const badToken = agent('http', '1', '--server', server, '--authtoken', 'x\n');
  assert.equal((await badToken.exited).code, 2);
  assert.match(badToken.output, /^underpass: --authtoken: .* Give the token alone/);
  assert.equal(connections, 0);
});

test('all faults of a config file are reported with line and key, and nothing is dialled', async () => {
  const server = `localhost:${(unused.address() as AddressInfo).port}`;
  const many = join(folder, 'many.yaml');
  const lines = [
    ...[`server: ${server}`, 'authtoken: a b', 'ca: none', 'inspect: 0.0.0.0:1', 'tunnels:'],
    ...['  a: {upstream: 70000}', '  b: {upstream: 1, domain: a_b}', '  c: {upstream: 1, cidr-allow: [x/8]}'],
    ...['  d: {upstream: 1, proto: tcp, address: a:1}', '  e: {upstream: 1, label: {a: ""}}'],
    ...['  f: {upstream: 1, proto: tls, certificate: cert.pem, key: other.key}'],
    ...['  g: {upstream: 1, ua-filter-deny: "("}', '  h: {upstream: 1, basic-auth: "a:b"}'],
    ...['  i: {upstream: 1, mutual-tls-ca: none}', '  j: {upstream: 1, oidc-client-id: "@none"}'],
  ];
  writeFileSync(many, lines.join('\n'));
  for (const args of [
    ['start', '--all', '--config', many],
    ['config', 'check', '--config', many],
  ]) {
    const run = agent(...args);
    assert.equal((await run.exited).code, 2, run.output);
    for (const [line, key] of [
      ...([
        [2, 'authtoken'],
        [3, 'ca'],
        [4, 'inspect'],
        [6, 'tunnels.a.upstream'],
      ] as const),
      ...([
        [7, 'tunnels.b.domain'],
        [8, 'tunnels.c.cidr-allow'],
        [9, 'tunnels.d.address'],
      ] as const),
      ...([
        [10, 'tunnels.e.label'],
        [11, 'tunnels.f.key'],
        [12, 'tunnels.g.ua-filter-deny'],
      ] as const),
      ...([
        [13, 'tunnels.h.basic-auth'],
        [14, 'tunnels.i.mutual-tls-ca'],
      ] as const),
      [15, 'tunnels.j.oidc-client-id'] as const,
    ])
      assert.ok(run.output.includes(`${many}:${line}: "${key}": `), `${line} ${key}\n${run.output}`);
  }
  const one = join(folder, 'one.yaml');
  writeFileSync(
    one,
    `server: a:70000\nca: none\ndomain: a_b\nmetadata: ${'x'.repeat(4097)}\nauthtoken: ""\n`,
  );
  const run = agent('http', '1', '--config', one);
  assert.equal((await run.exited).code, 2);
  for (const [at, key] of ['server', 'ca', 'domain', 'metadata', 'authtoken'].entries())
    assert.ok(run.output.includes(`${one}:${at + 1}: "${key}": `), run.output);
  assert.equal(connections, 0);
});

test('a label is completed with the domain of the service, from a flag, a file and the library', async () => {
  const { domain, authtoken, connect_addr, ca_file } = platform.bootstrap;
  const port = String(upstream.port);
  const single = join(folder, 'single.yaml');
  writeFileSync(single, 'domain: Short2\n');
  const several = join(folder, 'several.yaml');
  writeFileSync(several, `tunnels:\n  web: {upstream: ${port}, domain: short3}\n`);
  for (const [name, args] of [
    ['short1', ['http', port, '--domain', 'short1']],
    ['short2', ['http', port, '--config', single]],
    ['short3', ['start', 'web', '--config', several]],
    ['123', ['http', port, '--domain', '123']],
    ['short4', ['http', port, '--domain', `short4.${domain}`]],
  ] as const) {
    const { url, process } = await platform.agent(args);
    assert.equal(new URL(url).hostname, `${name}.${domain}`);
    assert.equal((await platform.visit(url)).status, 200);
    await process.stop();
  }
  const { url, process } = await platform.agent(['tls', port, '--domain', 'short5']);
  assert.equal(url, `tls://short5.${domain}:${platform.port}`);
  await process.stop();
  const { connect } = await import('../../packages/agent/src/index.ts');
  const { readFileSync } = await import('node:fs');
  const library = await connect({ server: connect_addr, authtoken, ca: readFileSync(ca_file, 'utf8') });
  const tunnel = await library.forward(port, { domain: 'short6' });
  assert.equal(new URL(tunnel.url ?? '').hostname, `short6.${domain}`);
  await library.close();
});
