/** The guides, run as they stand. Never that one leaves something behind, prints something else, or is not in the README. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  browserMissing,
  ClientCertificates,
  eventually,
  freePorts,
  type Identity,
  OidcProvider,
  Platform,
  Postgres,
  pebbleMissing,
  postgresMissing,
  samlProviderMissing,
  startBrowser,
} from '../harness/index.ts';
import {
  blocksOf,
  commandsMissing,
  readTo,
  repository,
  runCommands,
  withPorts,
} from './documented-commands.fixture.ts';
import { logIn } from './oidc-visitor.fixture.ts';

/** What each guide needs on its reader's machine, as its environment and the ports that stand in for those in it. */
interface Machine {
  readonly env?: NodeJS.ProcessEnv;
  readonly ports: Readonly<Record<string, number>>;
  /** What the reader does while the commands wait for it. */
  readonly meanwhile?: () => Promise<void>;
}

const COLLECTIONS = [
  ...['/edges/https', '/edges/tls', '/edges/tcp', '/backends/failover', '/backends/tunnel_group'],
  ...['/backends/http_response', '/reserved_domains', '/reserved_addrs', '/ip_policies', '/ip_policy_rules'],
  ...[
    '/endpoint_configurations',
    '/certificate_authorities',
    '/ssh_credentials',
    '/ssh_certificate_authorities',
    '/ssh_host_certificates',
    '/ssh_user_certificates',
    '/event_destinations',
    '/event_subscriptions',
  ],
];

let platform: Platform;
let sshPort: number;
/** Where events for the monitoring service go. */
let intakePort: number;
let postgres: Promise<Postgres> | null = null;
let provider: OidcProvider | null = null;
const certificates = new ClientCertificates();
let identity: Identity;
/** A file in it for each guide that was read to its end. */
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-guides-'));
  [sshPort = 0, intakePort = 0] = await freePorts(2);
  const intake = `http://127.0.0.1:${intakePort}`;
  identity = certificates.make('localhost', undefined, { extensions: ['subjectAltName=DNS:localhost'] });
  platform = await Platform.start({
    apiRateLimit: 120,
    args: [
      ...['--ssh-listen', `127.0.0.1:${sshPort}`, '--monitoring-intake-url', intake],
      ...['--allow-private', '127.0.0.0/8', '--allow-private', '::1/128'],
    ],
    through: ['env', `NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
  });
});
after(async () => {
  await platform.stop();
  await (await postgres)?.stop();
  await provider?.stop();
  certificates.remove();
  rmSync(folder, { recursive: true });
});

function ownPort(documented: string): Promise<Machine> {
  return ownPorts(documented);
}

async function ownPorts(...documented: readonly string[]): Promise<Machine> {
  const free = await freePorts(documented.length);
  return { ports: Object.fromEntries(documented.map((port, at) => [port, free[at] ?? 0])) };
}

async function databaseServer(): Promise<Machine> {
  postgres ??= Postgres.shared();
  const { username, password, pathname, port } = new URL(await (await postgres).database());
  const env = { PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) };
  return { env, ports: { 5432: Number(port) } };
}

/** Run by root, sshd gives up its rights in a directory that Debian makes with its service. */
async function sshServer(): Promise<Machine> {
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  return ownPort('4013');
}

async function homeServer(): Promise<Machine> {
  const { ports } = await ownPort('4005');
  return { ports: { ...ports, 2222: sshPort } };
}

/** The reader's provider, and the reader in front of a browser. */
async function loginPage(): Promise<Machine> {
  const page = `https://wiki.underpass.localhost:${platform.port}/`;
  provider = await OidcProvider.start({ identity, redirectUris: [`${page}underpass/callback`] });
  const { issuer, clientId, clientSecret } = provider;
  const env = { ISSUER: issuer, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret };
  const meanwhile = async () => {
    const browser = await startBrowser();
    try {
      const visitor = await browser.newPage({ ignoreHTTPSErrors: true });
      await logIn(visitor, page, issuer, 'ada@example.com');
      assert.equal(await visitor.textContent('body'), 'hello ada@example.com\n');
    } finally {
      await browser.close();
    }
  };
  return { env, ...(await ownPort('4012')), meanwhile };
}

/** The reader in front of a browser, whom the provider of the guide knows by two names. */
async function samlPage(): Promise<Machine> {
  const machine = await ownPorts('4014', '4015');
  const provider = `https://localhost:${machine.ports['4014']}/`;
  const page = `https://rota.underpass.localhost:${platform.port}`;
  const meanwhile = async () => {
    const browser = await startBrowser();
    const visitor = await browser.newPage({ ignoreHTTPSErrors: true });
    const logIn = async (path: string, user: string) => {
      await eventually(async () => {
        await visitor.goto(`${page}${path}`);
        await visitor.waitForSelector(`button[value=${user}]`, { timeout: 1000 });
        assert.ok(visitor.url().startsWith(provider), visitor.url());
      });
      await visitor.click(`button[value=${user}]`);
      await visitor.waitForURL(`${page}/**`);
      return await visitor.textContent('body');
    };
    try {
      assert.match(
        (await logIn('/staff', 'bob')) ?? '',
        /in none of the groups whose members may see this page/,
      );
      assert.equal(await logIn('/underpass/login', 'alice'), 'hello somebody\n');
      await visitor.goto(`${page}/staff`);
      assert.equal(await visitor.textContent('body'), 'hello alice@example.com\n');
    } finally {
      await browser.close();
    }
  };
  return { ...machine, meanwhile };
}

const guides: Readonly<Record<string, () => Promise<Machine>>> = {
  'https-edge.md': () => ownPort('4001'),
  'client-certificates.md': () => ownPort('4002'),
  'database.md': databaseServer,
  'database-tunnel.md': databaseServer,
  'tls-service.md': () => ownPort('4006'),
  'replicas.md': () => ownPorts('4007', '4008', '4009'),
  'failover.md': () => ownPort('4004'),
  'grpc.md': () => ownPort('4011'),
  'login.md': loginPage,
  'saml.md': samlPage,
  'certificates.md': () => ownPorts('14000', '15000', '8053', '8055', '4443', '4080'),
  'inspector.md': () => ownPorts('4014', '4040'),
  'home-server.md': homeServer,
  'ssh-host-certificates.md': sshServer,
  'events.md': async () => ({ ports: { 4010: intakePort } }),
};

function textOf(path: string, language: string): string {
  return blocksOf(path)
    .filter((block) => block.language === language)
    .map(({ text }) => text)
    .join('');
}

/** That these lines are among the others, in their order. */
function assertInOrder(printed: readonly string[], expected: readonly string[]): void {
  let next = 0;
  for (const line of printed) if (line === expected[next]) next += 1;
  assert.equal(expected[next], undefined, `not printed:\n${printed.join('\n')}`);
}

test('each guide is run here, and the README leads to it', () => {
  const files = readdirSync(join(repository, 'docs/guides'));
  assert.deepEqual(files.sort(), Object.keys(guides).sort());
  const readme = readFileSync(join(repository, 'README.md'), 'utf8');
  for (const file of files) assert.ok(readme.includes(`(docs/guides/${file})`), file);
});

describe('the commands print what they are said to, one after the other, and leave nothing behind:', {
  concurrency: 2,
}, () => {
  for (const [file, machine] of Object.entries(guides)) {
    const skip =
      commandsMissing ||
      (file.startsWith('database') && postgresMissing) ||
      (file === 'login.md' && browserMissing) ||
      (file === 'saml.md' && (browserMissing || samlProviderMissing)) ||
      (file === 'certificates.md' && pebbleMissing);
    test(file, { skip }, async () => {
      const path = `docs/guides/${file}`;
      const { env, ports, meanwhile = async () => {} } = await machine();
      const hasRead = join(folder, file);
      const commands = readTo(hasRead, withPorts(textOf(path, 'sh'), ports));
      const [{ lines, left }] = await Promise.all([
        runCommands(platform, commands, env),
        meanwhile().finally(() => writeFileSync(hasRead, '')),
      ]);
      assertInOrder(lines, textOf(path, 'text').trimEnd().split('\n'));
      assert.deepEqual(left, []);
    });
  }
});

test('no guide has left a resource behind', async () => {
  for (const path of COLLECTIONS) {
    const { json } = await platform.api('GET', path);
    const [list] = Object.values(json).filter(Array.isArray);
    assert.deepEqual(list, [], path);
  }
});
