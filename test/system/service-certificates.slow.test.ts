/**
 * The service's own certificates from files, made by openssl.
 * Invariant: clients that trust their authority need no other file. Invariant: a replacement ends no open connection.
 */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { fingerprintOf } from '../../packages/client/src/fingerprint.ts';
import { makeChain, type TestChain } from '../../packages/server/src/pki/certificates.fixture.ts';
import { curl, curlMissing, eventually, Platform, Process, underpassd, Visitor } from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const DOMAIN = 'underpass.localhost';
const API = `api.${DOMAIN}`;

const directory = mkdtempSync(join(tmpdir(), 'underpass-service-certificates-'));
const files = { cert: join(directory, 'fullchain.pem'), key: join(directory, 'privkey.pem') };
const options = ['--tls-cert', files.cert, '--tls-key', files.key];
const chains = [newChain(), newChain(), newChain()] as const;
let platform: Platform;

before(async () => {
  put(chains[0]);
  // Without a terminal SIGHUP reads again.
  platform = await Platform.start({ args: options, session: true });
});
after(async () => {
  await platform.stop();
  rmSync(directory, { recursive: true });
});

function newChain(): TestChain {
  return makeChain(DOMAIN, { names: `DNS:${DOMAIN},DNS:*.${DOMAIN}` });
}

/** Replaces each file atomically, one after the other, as certbot does. */
function put({ leaf, intermediate, root, key }: TestChain): void {
  for (const [path, text] of [
    [files.cert, leaf + intermediate + root],
    [files.key, key],
  ] as const) {
    writeFileSync(`${path}.new`, text);
    renameSync(`${path}.new`, path);
  }
}

/** Connects with this authority as the only trusted one. */
function connect(servername: string, ca: string): Promise<Visitor> {
  return Visitor.connect({ port: platform.port, servername, ca });
}

async function isServed(servername: string, ca: string): Promise<void> {
  (await connect(servername, ca)).close();
}

test('API, agents and tunnels are trusted by whoever trusts the authority of the file, and no CA file is needed', {
  skip: curlMissing,
}, async () => {
  const root = join(directory, 'root.pem');
  writeFileSync(root, chains[0].root);
  const url = `https://${API}:${platform.port}/`;
  const answer = await curl(platform, ['--cacert', root, '-o', '/dev/null', '-w', '%{http_code}', url]);
  assert.deepEqual([answer.exitCode, answer.stdout.length], [0, 3], answer.stderr);
  // Browsers need no other authority, so none is offered to them.
  const ownAuthority = await curl(platform, ['--cacert', root, '-w', '%{http_code}', `${url}ca.pem`]);
  assert.match(ownAuthority.stdout.toString(), /404$/);
  const joining = await curl(platform, ['--cacert', root, `${url}join.json`]);
  assert.equal(JSON.parse(joining.stdout.toString()).own_authority, null);
  const { authtoken, connect_addr } = platform.bootstrap;
  const agent = Process.node(
    AGENT,
    [
      'http',
      '3000',
      '--server',
      connect_addr,
      '--authtoken',
      authtoken,
      '--domain',
      `own.${DOMAIN}`,
      '--json',
    ],
    { cwd: directory, env: { NODE_EXTRA_CA_CERTS: root } },
  );
  await agent.line(/"event":"tunnel"/);
  await isServed(`own.${DOMAIN}`, chains[0].root);
  await agent.stop();
});

test('an agent joins by the authority of the file, and is led to the new one after a replacement', async () => {
  const { authtoken, connect_addr } = platform.bootstrap;
  const fingerprint = async () =>
    (await underpassd(['ca', 'fingerprint', '--json', '--data-dir', platform.dataDir])).json.ca_fingerprint;
  const pins = chains.map(({ root }) => fingerprintOf(new X509Certificate(root)));
  const login = async (pin: string) => {
    const place = ['--server', connect_addr, '--ca-fingerprint', pin, '--authtoken', authtoken];
    const process = Process.node(AGENT, ['login', ...place], {
      cwd: directory,
      env: { XDG_CONFIG_HOME: join(directory, 'config') },
    });
    await process.exited;
    return process;
  };
  assert.equal(await fingerprint(), pins[0]);
  const joined = await login(pins[0] ?? '');
  assert.equal((await joined.exited).code, 0, joined.output);
  put(chains[1]);
  await eventually(async () => assert.equal(await fingerprint(), pins[1]));
  const refused = await login(pins[0] ?? '');
  assert.match(refused.output, new RegExp(`the server sends ${pins[1]}.*ERR_CA_FINGERPRINT_MISMATCH`));
  // An intermediate stands for a root that is not sent.
  const { leaf, intermediate, key } = chains[1];
  put({ leaf, intermediate, root: '', key });
  const pin = fingerprintOf(new X509Certificate(intermediate));
  await eventually(async () => assert.equal(await fingerprint(), pin));
  const below = await login(pin);
  assert.equal((await below.exited).code, 0, below.output);
  put(chains[0]);
  await eventually(async () => assert.equal(await fingerprint(), pins[0]));
});

test('ca.pem is enough for all names: those of the file, and those that the local authority signs', async () => {
  await fixedEdge(platform, 'deep.er', 'text');
  await isServed(API, platform.ca);
  await isServed(`deep.er.${DOMAIN}`, platform.ca);
  await assert.rejects(isServed(`deep.er.${DOMAIN}`, chains[0].root));
  const metrics = await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`);
  assert.ok((await metrics.text()).includes(`expiry_timestamp_seconds{certificate="${files.cert}"}`));
});

test('a renewed certificate is served to whoever comes then, and what is under way goes on', async () => {
  const visitor = await connect(API, chains[0].root);
  put(chains[1]);
  await eventually(() => isServed(API, chains[1].root));
  await eventually(() => isServed(API, platform.ca));
  assert.equal((await visitor.get({ 'service-version': '2' })).status, 401);
  visitor.close();
});

test('files that do not belong together change nothing, and those that do are read again at SIGHUP', async () => {
  const [, current, next] = chains;
  put({ ...next, key: current.key });
  platform.daemon.signal('SIGHUP');
  await platform.daemon.line(
    /what was served before is served on: .*privkey\.pem: The private key does not belong/,
  );
  await isServed(API, current.root);
  put(next);
  platform.daemon.signal('SIGHUP');
  await eventually(() => isServed(API, next.root));
});

test('a start with files that can never be served says why, and begins nothing', async () => {
  const dataDir = join(directory, 'nothing');
  const start = (...args: string[]) => underpassd(['serve', '--data-dir', dataDir, ...args]);
  const alone = await start('--tls-cert', files.cert);
  assert.equal(alone.code, 2);
  assert.match(
    alone.stderr,
    /--tls-cert and --tls-key: give each .*there are 1 of the one and 0 of the other/,
  );
  const foreign = await start(...options, '--domain', 'shop.example');
  assert.equal(foreign.code, 1);
  assert.match(foreign.stderr, /none of that is shop\.example, below it/);
});
