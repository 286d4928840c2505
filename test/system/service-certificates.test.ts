/**
 * The service's own certificates from files, made by openssl.
 * Invariant: clients that trust their authority need no other file. Invariant: a replacement ends no open connection.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
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
