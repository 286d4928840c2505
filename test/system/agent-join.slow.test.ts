/**
 * Joining a server by the fingerprint of its authority, which the server sends itself.
 * Invariant: a token is sent to a server of the pinned authority only, and nothing is stored unless it was.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { createServer, type Server } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { forward, InvalidInput, Refused } from '../../packages/agent/src/index.ts';
import {
  opensslMissing,
  Platform,
  Process,
  pathToNode,
  startUpstream,
  type Upstream,
  underpassd,
} from '../harness/index.ts';
import { isAuthority, type Made, makeCertificate } from '../harness/make-certificate.ts';
import { missingPrograms } from '../harness/missing.ts';
import { startedFor } from '../harness/repository-command.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const skip = missingPrograms('script');
const HOST = 'connect.other.localhost';

let platform: Platform;
let upstream: Upstream;
let fingerprint: string;
let home: string;
let path: string;
const servers = new Set<Server>();

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((_asked, answer) => answer.end('ours'));
  fingerprint = pinOf(platform.ca);
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'underpass-join-'));
  path = join(home, 'underpass', 'agent.yaml');
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
  for (const server of servers) server.close();
  servers.clear();
});

const NO_VARIABLES = {
  UNDERPASS_SERVER: '',
  UNDERPASS_AUTHTOKEN: '',
  UNDERPASS_CA: '',
  UNDERPASS_CA_FINGERPRINT: '',
};

function environment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...NO_VARIABLES, XDG_CONFIG_HOME: home, ...env };
}

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Process {
  return Process.node(AGENT, args, { cwd: home, env: environment(env) });
}

/** Runs it on a terminal. */
function typed(args: readonly string[]): Process {
  const command = ['exec', startedFor(AGENT), ...args].join(' ');
  const env = environment(pathToNode);
  return Process.inTerminal(command, { cwd: home, env });
}

/** Runs `underpass login` with the token on stdin. */
async function login(pin: string, server = platform.bootstrap.connect_addr): Promise<Process> {
  const pinned = pin === '' ? [] : ['--ca-fingerprint', pin];
  const args = ['login', '--server', server, ...pinned, '--authtoken', '-'];
  const process = Process.node(AGENT, args, { cwd: home, env: environment({}), typed: true });
  process.type(`${platform.bootstrap.authtoken}\n`);
  process.typeEnd();
  await process.exited;
  return process;
}

function pinOf(pem: string): string {
  return `sha256:${new X509Certificate(pem).fingerprint256.replaceAll(':', '').toLowerCase()}`;
}

function storedAuthority(server = platform.bootstrap.connect_addr): string {
  return join(home, 'underpass', 'authorities', `${server.replace(':', '-')}.pem`);
}

function leafOf(signer: Made, parts: { readonly days?: number; readonly names?: string } = {}): Made {
  const { days = 2, names = `DNS:${HOST}` } = parts;
  const extensions = [`subjectAltName=${names}`, 'extendedKeyUsage=serverAuth'];
  return makeCertificate({ subject: '/CN=a server', extensions, signer, days });
}

/** Returns the address of a server with this chain that notes the first bytes that it is sent. */
async function serve(leaf: Made, chain: readonly Made[], received: Buffer[] = []): Promise<string> {
  const cert = [leaf, ...chain].map(({ pem }) => pem).join('');
  const server = createServer({ cert, key: leaf.key }, (socket) => {
    socket.once('data', (bytes: Buffer) => {
      received.push(bytes);
      socket.destroy();
    });
    socket.on('error', () => {});
  });
  server.on('tlsClientError', () => {});
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `${HOST}:${(server.address() as AddressInfo).port}`;
}

const newAuthority = (subject = '/CN=An authority', signer?: Made) =>
  makeCertificate({ subject, extensions: isAuthority, signer });

test('one line joins a machine: the authority comes from the server, and is stored', async (t) => {
  const joined = await login(fingerprint);
  assert.equal((await joined.exited).code, 0, joined.output);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const stored = storedAuthority();
  assert.equal(readFileSync(stored, 'utf8').trim(), platform.ca.trim());
  assert.equal(statSync(stored).mode & 0o777, 0o600);
  assert.equal(statSync(join(home, 'underpass', 'authorities')).mode & 0o777, 0o700);
  const config = readFileSync(path, 'utf8');
  assert.match(config, /^ca: authorities\/connect\.underpass\.localhost-\d+\.pem$/m);
  assert.equal(joined.output.includes(platform.bootstrap.authtoken), false);
  const agent = run(['http', String(upstream.port), '--json']);
  t.after(() => agent.stop());
  const { url } = JSON.parse((await agent.line(/"event":"tunnel"/)).input) as { url: string };
  assert.equal((await platform.visit(url)).text, 'ours');
});

test('a fingerprint is read in each form that tools print', { skip: opensslMissing }, async () => {
  const { ca_file, connect_addr, authtoken } = platform.bootstrap;
  const options = ['x509', '-noout', '-fingerprint', '-sha256', '-in', ca_file];
  const line = execFileSync('openssl', options, { encoding: 'utf8' }).trim();
  const [, colons = ''] = line.split('=');
  const forms = [
    line,
    colons,
    `SHA256:${colons}`,
    fingerprint.toUpperCase(),
    fingerprint.slice('sha256:'.length),
  ];
  for (const form of forms) {
    const args = ['diagnose', '--server', connect_addr, '--authtoken', authtoken, '--ca-fingerprint', form];
    const process = run(args);
    assert.equal((await process.exited).code, 0, `${form}\n${process.output}`);
  }
});

test('a text that is no fingerprint is refused with what is wrong about it', async () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['sha1:0123', /algorithm "sha1", not SHA-256/],
    ['MD5:00', /algorithm "MD5"/],
    ['sha512:00', /algorithm "sha512"/],
    [fingerprint.slice(0, -2), /has 62 digits instead of 64/],
    ['a'.repeat(40), /has 40 digits instead of 64 \(one of SHA-1\?\)/],
    [`${fingerprint.slice(0, -1)}g`, /other characters than hexadecimal digits/],
    ['SHA256:uNiVztksCsDhcc0u9e8BgrJXVGLKiqr1MhKzl2N0ALQ', /other characters/],
    ['sha256:', /is empty/],
  ];
  for (const [text, message] of cases) {
    const refused = await login(text);
    assert.equal((await refused.exited).code, 2, text);
    assert.match(refused.output, message);
  }
  assert.equal(existsSync(path), false);
});

test('a fingerprint that is of no authority of the server is refused, and nothing is stored', async () => {
  const root = newAuthority('/CN=Root');
  const leaf = leafOf(root);
  const received: Buffer[] = [];
  const server = await serve(leaf, [root], received);
  const wrong = await login(`sha256:${'0'.repeat(64)}`, server);
  assert.equal((await wrong.exited).code, 1);
  assert.match(
    wrong.output,
    new RegExp(`the server sends ${pinOf(root.pem)} \\(CN=Root\\)\\. ERR_CA_FINGERPRINT_MISMATCH\nCompare`),
  );
  const ofLeaf = await login(pinOf(leaf.pem), server);
  assert.equal((await ofLeaf.exited).code, 1);
  assert.match(
    ofLeaf.output,
    new RegExp(
      `server's own certificate.* Its authority has ${pinOf(root.pem)}\\. ERR_CA_FINGERPRINT_LEAF\n`,
    ),
  );
  assert.deepEqual(received, []);
  assert.deepEqual(readdirSync(home), []);
});

test('an attacker with the authority’s certificate, and not its key, gets no byte', async () => {
  const real = { pem: platform.ca, key: '' };
  const { subject } = new X509Certificate(real.pem);
  const fake = makeCertificate({ subject: `/${subject}`, extensions: isAuthority });
  const bare = makeCertificate({
    ...{ subject: '/CN=a server', signer: fake, hasIdentifiers: false },
    extensions: [`subjectAltName=DNS:${HOST}`],
  });
  // A server certificate that the authority did sign is no authority.
  const root = newAuthority();
  const below = leafOf(leafOf(root, { names: 'DNS:elsewhere.example' }));
  const cases: readonly (readonly [Made, readonly Made[], string])[] = [
    [leafOf(newAuthority('/CN=Mallory')), [real], fingerprint],
    [leafOf(fake), [real], fingerprint],
    [bare, [real], fingerprint],
    [bare, [fake, real], fingerprint],
    [below, [leafOf(root, { names: 'DNS:elsewhere.example' }), root], pinOf(root.pem)],
  ];
  for (const [leaf, chain, pin] of cases) {
    const received: Buffer[] = [];
    const server = await serve(leaf, chain, received);
    const refused = await login(pin, server);
    assert.equal((await refused.exited).code, 1);
    assert.match(refused.output, /The certificate of connect\.other\.localhost is not trusted: /);
    const agent = run(['http', '1', '--server', server, '--authtoken', 'secret', '--ca-fingerprint', pin]);
    assert.equal((await agent.exited).code, 1);
    assert.match(agent.output, /is not trusted: /);
    assert.deepEqual(received, []);
  }
  assert.deepEqual(readdirSync(home), []);
});

test('the host name and the dates count as with any authority, and an intermediate can be pinned', async () => {
  const root = newAuthority('/CN=Root');
  const middle = newAuthority('/CN=Middle', root);
  const cases: readonly (readonly [Made, RegExp])[] = [
    [leafOf(root, { names: 'DNS:else.example' }), /not trusted: .*(altnames|does not match)/i],
    [leafOf(root, { days: -1 }), /not trusted: certificate has expired/],
  ];
  for (const [leaf, message] of cases) {
    const refused = await login(pinOf(root.pem), await serve(leaf, [root]));
    assert.equal((await refused.exited).code, 1);
    assert.match(refused.output, message);
  }
  const server = await serve(leafOf(middle), [middle]);
  const trusted = run(['diagnose', '--server', server, '--ca-fingerprint', pinOf(middle.pem), '--json']);
  await trusted.exited;
  assert.match(
    trusted.output,
    /"check":"tls","status":"warning","found":"TLSv1\.3, certificate for .* which is 1 days"/,
  );
  assert.deepEqual(readdirSync(home), []);
});

test('without a terminal an unknown authority is refused, with its fingerprint and the option', async () => {
  const refused = await login('');
  assert.equal((await refused.exited).code, 1);
  assert.match(
    refused.output,
    new RegExp(`${fingerprint} .*ERR_CA_UNKNOWN\n.*--ca-fingerprint ${fingerprint}`),
  );
  assert.deepEqual(readdirSync(home), []);
});

test('on a terminal the fingerprint is shown and confirmed, and the token is not shown', {
  skip,
}, async () => {
  const { connect_addr, authtoken } = platform.bootstrap;
  const shown = new RegExp(`${fingerprint}[\\s\\S]*same\\? \\[yes/NO\\] `);
  const no = typed(['login', '--server', connect_addr]);
  await no.text(shown);
  no.type('\r');
  assert.equal((await no.exited).code, 1);
  assert.match(no.output, /was not confirmed\. ERR_CA_UNKNOWN/);
  assert.deepEqual(readdirSync(home), []);

  const yes = typed(['login', '--server', connect_addr, '--authtoken', '-']);
  await yes.text(shown);
  yes.type('yes\r');
  await yes.text(/not shown: $/);
  yes.type(`${authtoken}\r`);
  assert.equal((await yes.exited).code, 0, yes.output);
  assert.equal(yes.output.includes(authtoken), false);
  assert.equal(readFileSync(storedAuthority(), 'utf8').trim(), platform.ca.trim());
});

test('the pasted line asks for the token alone', { skip }, async () => {
  const { connect_addr, authtoken } = platform.bootstrap;
  const line = ['login', '--server', connect_addr, '--ca-fingerprint', fingerprint, '--authtoken', '-'];
  const joined = typed(line);
  await joined.text(/not shown: $/);
  joined.type(`${authtoken}\r`);
  assert.equal((await joined.exited).code, 0, joined.output);
  assert.equal(joined.output.includes(authtoken), false);
  assert.equal(/same\?/.test(joined.output), false);
});

test('a server that was joined and shows another authority is refused, unless its fingerprint is given', async () => {
  const { connect_addr } = platform.bootstrap;
  const former = newAuthority('/CN=Before');
  mkdirSync(join(home, 'underpass', 'authorities'), { recursive: true });
  writeFileSync(storedAuthority(), former.pem);
  const rest = '# mine\ntunnels:\n  web: {upstream:   3000} # shop\n';
  const before = `server: ${connect_addr}\nca: authorities/${connect_addr.replace(':', '-')}.pem\nauthtoken: old\n${rest}`;
  writeFileSync(path, before);
  const refused = await login('');
  assert.equal((await refused.exited).code, 1);
  const message = `was ${pinOf(former.pem)}, and now the server sends ${fingerprint} .*ERR_CA_CHANGED\n.*--ca-fingerprint ${fingerprint}`;
  assert.match(refused.output, new RegExp(message));
  assert.equal(readFileSync(path, 'utf8'), before);
  assert.equal(readFileSync(storedAuthority(), 'utf8'), former.pem);

  const joined = await login(fingerprint);
  assert.equal((await joined.exited).code, 0, joined.output);
  assert.equal(readFileSync(storedAuthority(), 'utf8').trim(), platform.ca.trim());
  assert.equal(readFileSync(path, 'utf8'), before.replace('old', platform.bootstrap.authtoken));
  const again = await login('');
  assert.equal((await again.exited).code, 0, again.output);
});

test('a fingerprint in the config file is one of an earlier login, and its authority is stored', async () => {
  const { connect_addr, authtoken } = platform.bootstrap;
  const config = (pin: string) =>
    `server: ${connect_addr}\nauthtoken: ${authtoken}\nca-fingerprint: ${pin}\n`;
  mkdirSync(join(home, 'underpass'));
  writeFileSync(path, config(`sha256:${'0'.repeat(64)}`));
  const refused = await login('');
  assert.equal((await refused.exited).code, 1);
  assert.match(refused.output, /At the last login it was sha256:0{64}, .*ERR_CA_CHANGED/);
  writeFileSync(path, config(fingerprint));
  const joined = await login('');
  assert.equal((await joined.exited).code, 0, joined.output);
  assert.doesNotMatch(readFileSync(path, 'utf8'), /ca-fingerprint/);
  assert.equal(readFileSync(storedAuthority(), 'utf8').trim(), platform.ca.trim());
});

test('what an earlier login stored is remembered while the config file names another server', async () => {
  assert.equal((await (await login(fingerprint)).exited).code, 0);
  writeFileSync(path, 'server: else.example:1\nauthtoken: other\n');
  writeFileSync(storedAuthority(), newAuthority().pem);
  const refused = await login('');
  assert.equal((await refused.exited).code, 1);
  assert.match(refused.output, /ERR_CA_CHANGED/);
});

test('a token that the server refuses leaves nothing, nor does a file that cannot be written', async () => {
  const { connect_addr } = platform.bootstrap;
  const pinned = ['login', '--server', connect_addr, '--ca-fingerprint', fingerprint];
  const refused = run([...pinned, '--authtoken', 'wrong']);
  assert.equal((await refused.exited).code, 1);
  assert.match(refused.output, /ERR_SERVICE_\d+/);
  assert.deepEqual(readdirSync(home), []);
  mkdirSync(path, { recursive: true });
  const failed = run([...pinned, '--authtoken', platform.bootstrap.authtoken]);
  assert.equal((await failed.exited).code, 2, failed.output);
  assert.equal(existsSync(storedAuthority()), false);
});

test('a login with another authority leaves no stored one of its server', async () => {
  assert.equal((await (await login(fingerprint)).exited).code, 0);
  const { connect_addr, ca_file, authtoken } = platform.bootstrap;
  const given = run(['login', '--server', connect_addr, '--ca', ca_file, '--authtoken', authtoken]);
  assert.equal((await given.exited).code, 0, given.output);
  assert.match(readFileSync(path, 'utf8'), new RegExp(`^ca: ${ca_file}$`, 'm'));
  assert.deepEqual(readdirSync(join(home, 'underpass', 'authorities')), []);
});

test('flag, variable and key of the config file name the fingerprint, and never beside a file', async (t) => {
  const { connect_addr, ca_file, authtoken } = platform.bootstrap;
  const place = ['--server', connect_addr, '--authtoken', authtoken];
  const config = join(home, 'pinned.yaml');
  writeFileSync(config, `server: ${connect_addr}\nauthtoken: ${authtoken}\nca-fingerprint: ${fingerprint}\n`);
  const http = ['http', String(upstream.port), '--json', '--inspect', 'false'];
  const ways: readonly Process[] = [
    run([...http, ...place, '--ca-fingerprint', fingerprint]),
    run([...http, ...place], { UNDERPASS_CA_FINGERPRINT: fingerprint }),
    run([...http, '--config', config]),
  ];
  for (const agent of ways) {
    t.after(() => agent.stop());
    await agent.line(/"event":"tunnel"/);
  }
  const both = run([...http, ...place, '--ca', ca_file, '--ca-fingerprint', fingerprint]);
  assert.equal((await both.exited).code, 2);
  assert.match(both.output, /Give one of --ca and --ca-fingerprint/);
  writeFileSync(config, `tunnels: {}\nca: ${ca_file}\nca-fingerprint: sha256:0\n`);
  const check = run(['config', 'check', '--config', config]);
  assert.equal((await check.exited).code, 2);
  assert.match(check.output, /pinned\.yaml:3: "ca-fingerprint": .*1 digits instead of 64/);
});

test('a program gives the fingerprint alone', async (t) => {
  const { connect_addr, authtoken } = platform.bootstrap;
  const place = { server: connect_addr, authtoken };
  const caFingerprint = fingerprint;
  const tunnel = await forward(upstream.port, { ...place, caFingerprint });
  t.after(() => tunnel.close());
  assert.equal((await platform.visit(tunnel.url ?? '')).text, 'ours');

  const wrong = forward(upstream.port, { ...place, caFingerprint: `sha256:${'0'.repeat(64)}` });
  await assert.rejects(
    wrong,
    (error) => error instanceof Refused && error.code === 'ERR_CA_FINGERPRINT_MISMATCH',
  );
  for (const options of [{ caFingerprint: 'sha1:00' }, { caFingerprint, ca: platform.ca }])
    await assert.rejects(forward(upstream.port, { ...place, ...options }), InvalidInput);
});

test('the daemon prints the line, and the fingerprint again, and a new credential comes with it', {
  skip,
}, async () => {
  const { connect_addr, base_url, api_key } = platform.bootstrap;
  const line = `underpass login --server ${connect_addr} --ca-fingerprint ${fingerprint} --authtoken -`;
  const text = await underpassd(['ca', 'fingerprint', '--data-dir', platform.dataDir]);
  assert.equal(text.stdout, `fingerprint  ${fingerprint}\njoin         ${line}\n`);
  const json = await underpassd(['ca', 'fingerprint', '--json', '--data-dir', platform.dataDir]);
  const facts = { server: connect_addr, ca_fingerprint: fingerprint };
  assert.deepEqual(JSON.parse(json.stdout), { ...facts, command: line });
  const none = await underpassd(['ca', 'fingerprint', '--data-dir', home]);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /there is no .*join\.json: start the daemon there/);

  const place = ['--api-url', base_url, '--api-key', api_key, '--ca-fingerprint', fingerprint];
  const create = ['api', 'credentials', 'create', ...place, '--description', 'laptop'];
  const shown = typed(create);
  assert.equal((await shown.exited).code, 0, shown.output);
  assert.ok(
    shown.lines.some((one) => one.trim() === line),
    shown.output,
  );
  for (const process of [run([...create, '--json']), run(create), typed([...create, '--json'])]) {
    assert.equal((await process.exited).code, 0);
    assert.equal(process.output.includes('underpass login'), false);
  }
});

test('both commands print their version, with what it was built from and what it runs on', async () => {
  const expected = { platform: `${process.platform}-${process.arch}`, node: process.version };
  const agent = run(['version', '--json']);
  assert.equal((await agent.exited).code, 0);
  const daemon = await underpassd(['version', '--json']);
  for (const text of [agent.output, daemon.stdout]) {
    const { version, commit, ...rest } = JSON.parse(text) as Record<string, unknown>;
    assert.match(String(version), /^\d+\.\d+\.\d+/);
    assert.ok(commit === null || /^[0-9a-f]{40}$/.test(String(commit)));
    assert.deepEqual(rest, expected);
  }
  const people = run(['version']);
  assert.equal((await people.exited).code, 0);
  assert.match(people.output, /^underpass \d+\.\d+\.\d+\ncommit .*\nplatform .*\nNode {6}v\d+/);
});

test('the API is reached by the fingerprint, too', async () => {
  const { base_url, api_key } = platform.bootstrap;
  const api = (pin: string) =>
    run(['api', 'credentials', 'list', '--api-url', base_url, '--api-key', api_key, '--ca-fingerprint', pin]);
  assert.equal((await api(fingerprint).exited).code, 0);
  const refused = api(`sha256:${'0'.repeat(64)}`);
  assert.equal((await refused.exited).code, 1);
  assert.match(refused.output, /No authority of .* has the fingerprint/);
});
