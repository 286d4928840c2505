/**
 * `underpass diagnose` with a real failure of each step.
 * Invariant: every fault has a remedy.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer as createHttps, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { lookAtClock } from '../../packages/agent/src/diagnose/clock.ts';
import { TlsMemory } from '../../packages/agent/src/tls-memory.ts';
import {
  ClientCertificates,
  eventually,
  freePorts,
  type Identity,
  Platform,
  Process,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { rowsOf } from '../harness/property-runs.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const certificates = new ClientCertificates();
const servers: Server[] = [];
let platform: Platform;
let plain: Upstream;
let authority: Identity;

before(async () => {
  platform = await Platform.shared();
  plain = await startUpstream((_asked, answer) => answer.end());
  authority = certificates.authority('Test');
});
after(async () => {
  await platform.stop();
  await plain.stop();
  for (const server of servers) server.close();
  certificates.remove();
});

interface Line {
  readonly check: string;
  readonly status: string;
  readonly found: string;
  readonly remedy: string;
}

interface Diagnosis {
  readonly code: number | null;
  readonly lines: readonly Line[];
}

const STEPS = ['proxy', 'dns', 'tcp', 'tls', 'clock', 'protocol', 'auth'];

async function diagnose(
  {
    server = platform.bootstrap.connect_addr,
    token = platform.bootstrap.authtoken,
    ca = platform.bootstrap.ca_file,
    pin = '',
  },
  env: NodeJS.ProcessEnv = {},
): Promise<Diagnosis> {
  const args = ['--server', server, '--authtoken', token, ...(ca === '' ? [] : ['--ca', ca]), '--json'];
  const variables = { UNDERPASS_CA_FINGERPRINT: pin, ...env };
  const process = Process.node(AGENT, ['diagnose', ...args], { env: variables });
  const { code } = await process.exited;
  const lines = process.lines.map((line) => JSON.parse(line) as Line);
  assert.deepEqual(
    lines.map(({ check }) => check),
    STEPS,
    process.output,
  );
  return { code, lines };
}

/** Returns the failed check. It must be the only one: earlier checks are ok, later ones do not run. */
async function failure(target: Parameters<typeof diagnose>[0]): Promise<string> {
  const { code, lines } = await diagnose(target);
  const at = lines.findIndex(({ status }) => status === 'failed');
  assert.equal(code, 1);
  assert.ok(lines.slice(at + 1).every(({ status }) => status === 'skipped'));
  assert.ok(lines.slice(0, at).every(({ status }) => status === 'ok' || status === 'skipped'));
  const { check, found, remedy } = lines[at] as Line;
  return `${check}: ${found} => ${remedy}`;
}

/** The address of a web server with such a certificate. */
async function webServer(names: string, days = 30): Promise<string> {
  const extensions = [`subjectAltName=${names}`];
  const { pem, key } = certificates.make('server', authority, { extensions, days });
  const server = createHttps({ cert: pem, key }, (_asked, answer) => answer.end());
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `localhost:${(server.address() as AddressInfo).port}`;
}

test('an agent that never gets in says why, and where to look further, once', async () => {
  const { authtoken, ca_file, connect_addr } = platform.bootstrap;
  const api = connect_addr.replace('connect.', 'api.');
  const args = ['http', '1', '--server', api, '--authtoken', authtoken, '--ca', ca_file, '--inspect=false'];
  const agent = Process.node(AGENT, args);
  await agent.line(/^Offline .*does not speak the agent protocol \(is it connect\.DOMAIN/);
  const advice = `"underpass diagnose --server ${api} --ca ${ca_file}" shows which step`;
  await agent.line(new RegExp(`^${advice}`));
  const attempts = () => agent.lines.filter((line) => line.startsWith('Offline')).length;
  await eventually(() => assert.ok(attempts() > 4));
  assert.equal(agent.lines.filter((line) => line.startsWith(advice)).length, 1);
  await agent.stop();
});

test('where all is well it says so, and what it found', async () => {
  const { code, lines } = await diagnose({});
  assert.equal(code, 0);
  assert.ok(lines.every(({ status, remedy }) => status === 'ok' && remedy === ''));
  const found = Object.fromEntries(lines.map((line) => [line.check, line.found]));
  assert.match(found.dns ?? '', /127\.0\.0\.1/);
  assert.match(
    found.tls ?? '',
    /^TLSv1\.3, certificate for DNS:\*\.underpass\.localhost of .*, from .* to .* GMT$/,
  );
  assert.match(found.protocol ?? '', /^region us, answers in \d+ ms$/);
  assert.match(found.auth ?? '', /^the token is good: session ts_\w+ in region us$/);
});

test('each fault is reported with its remedy, and ends with 1', async () => {
  const [closed] = await freePorts(1);
  const ca = authority.pemFile;
  const server = await webServer('DNS:localhost');
  const cases: readonly (readonly [Parameters<typeof diagnose>[0], RegExp])[] = [
    [{ server: 'nothing.invalid:443' }, /^dns: nothing\.invalid: .*DNS.* => Check .*(--server|network)/],
    [{ server: `localhost:${closed}` }, /^tcp: 127\.0\.0\.1:\d+ connection refused.* => .*daemon runs there/],
    [{ server: `localhost:${plain.port}` }, /^tls: no TLS: .* => What listens on port \d+ speaks no TLS/],
    [{ server: `foo.localhost:${platform.port}` }, /^tls: .*unrecognized name .* => .*connect\.DOMAIN/],
    [{ ca: '' }, /^tls: .*SELF_SIGNED_CERT_IN_CHAIN => Give the authority .*--ca FILE/],
    [{ ca }, /^tls: .*SELF_SIGNED_CERT_IN_CHAIN => Give the authority .*--ca FILE/],
    [
      { server: await webServer('DNS:other.example'), ca },
      /^tls: .*ALTNAME.* => The certificate is for other names/,
    ],
    [
      { server: await webServer('DNS:localhost', -1), ca },
      /^tls: .*CERT_HAS_EXPIRED => Renew the certificate, or set this machine's clock, which is at 20/,
    ],
    [
      { ca: '', pin: `sha256:${'0'.repeat(64)}` },
      /^tls: No authority of .* has the fingerprint .* => Compare the fingerprint with/,
    ],
    [{ server, ca }, /^protocol: .* => .*A reverse proxy in between has to pass TLS through/],
    [{ token: 'wrong' }, /^auth: [\s\S]*ERR_SERVICE_105 => Check the authtoken/],
  ];
  await Promise.all(
    rowsOf(cases).map(async ([target, expected]) => assert.match(await failure(target), expected)),
  );
});

test('people read lines, with the remedy below', async () => {
  const { connect_addr, ca_file } = platform.bootstrap;
  const process = Process.node(AGENT, [
    'diagnose',
    '--server',
    connect_addr,
    '--authtoken',
    'x',
    '--ca',
    ca_file,
  ]);
  assert.equal((await process.exited).code, 1);
  assert.match(
    process.output,
    /^ok {7}protocol {2}region us.*\nfailed {3}auth {6}.* ERR_SERVICE_105\n {19}Check the/m,
  );
});

test('a certificate that soon expires, and a proxy that is not used, are warned of', async () => {
  const { lines } = await diagnose(
    { server: await webServer('DNS:localhost', 2), ca: authority.pemFile },
    { HTTPS_PROXY: 'http://user:password@proxy.example:3128' },
  );
  const [proxy, , , tls] = lines;
  assert.deepEqual([proxy?.status, tls?.status], ['warning', 'warning']);
  assert.match(proxy?.found ?? '', /^HTTPS_PROXY is proxy\.example:3128,/);
  assert.match(tls?.remedy ?? '', /Renew/);
});

test('a wrong clock is reported with its difference', async () => {
  const { connect_addr, authtoken } = platform.bootstrap;
  const host = 'connect.underpass.localhost';
  const look = (ahead: number) =>
    lookAtClock({
      service: { server: connect_addr, authtoken, ca: platform.ca },
      tls: new TlsMemory({ ca: platform.ca }),
      server: { host, port: platform.port },
      environment: {},
      now: () => Date.now() + ahead,
    });
  assert.equal((await look(0)).status, 'ok');
  const fast = await look(3_600_000);
  assert.match(fast.found, /clock is (3599|360\d) s ahead of the server's/);
  assert.match(fast.remedy, /Set the clock/);
  assert.match((await look(-3_600_000)).found, /s behind the server's/);
});
