/**
 * Runs the README and all guides unchanged, one after the other on one daemon, twice. Each prints its documented
 * output, and leaves nothing that disturbs another page or the second pass.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { basename, join } from 'node:path';
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
  type Process,
  pebbleMissing,
  postgresMissing,
  samlProviderMissing,
  startBrowser,
} from '../harness/index.ts';
import {
  blocksOf,
  Checkout,
  commandsMissing,
  readTo,
  repository,
  withPorts,
} from './documented-commands.fixture.ts';
import { logIn } from './oidc-visitor.fixture.ts';

/** The reader's machine, as far as a guide needs more than a shell. */
interface Reader {
  readonly env?: NodeJS.ProcessEnv;
  /** Steps in a browser while the commands wait for them. */
  readonly meanwhile?: () => Promise<void>;
}

const MINUTE_MS = 60_000;
/** Output of the terminals that the README keeps open. */
const README_LEAVES = ['agent.log', 'service.log'];
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

/** Ports of all pages. Each is replaced by one free port for the whole run, so that pages with the same port collide here, too. */
const DOCUMENTED_PORTS = [
  ...[
    2222, 3000, 4001, 4002, 4004, 4005, 4006, 4007, 4008, 4009, 4010, 4011, 4012, 4013, 4014, 4015, 4016,
    4017, 4022, 4023, 4024, 4025, 4026,
  ],
  ...[14000, 15000, 8053, 8055, 4443, 4080],
];

let platform: Platform;
let checkout: Checkout;
let ports: Record<string, number>;
let database: NodeJS.ProcessEnv = {};
let postgres: Postgres | null = null;
let provider: OidcProvider | null = null;
const certificates = new ClientCertificates();
/** A file in it for each page whose reader has finished in the browser. */
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-guides-'));
  const free = await freePorts(DOCUMENTED_PORTS.length);
  ports = Object.fromEntries(DOCUMENTED_PORTS.map((port, at) => [port, free[at] ?? 0]));
  const identity = certificates.make('localhost', undefined, {
    extensions: ['subjectAltName=DNS:localhost'],
  });
  platform = await Platform.start({
    apiRateLimit: 120,
    args: [
      ...['--ssh-listen', `127.0.0.1:${ports[2222]}`],
      ...['--monitoring-intake-url', `http://127.0.0.1:${ports[4010]}`],
      ...['--allow-private', '127.0.0.0/8', '--allow-private', '::1/128'],
    ],
    through: ['env', `NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
  });
  checkout = new Checkout(platform);
  // Run by root, sshd gives up its rights in a directory that Debian makes with its service.
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
  if (!browserMissing) await startProvider(identity);
  if (!postgresMissing) await makeDatabase();
});
after(async () => {
  await platform.stop();
  await postgres?.stop();
  await provider?.stop();
  checkout.remove();
  certificates.remove();
  rmSync(folder, { recursive: true });
});

async function startProvider(identity: Identity): Promise<void> {
  const redirectUris = ['wiki', 'desk'].map(
    (name) => `https://${name}.underpass.localhost:${platform.port}/underpass/callback`,
  );
  provider = await OidcProvider.start({ identity, redirectUris });
}

async function makeDatabase(): Promise<void> {
  postgres = await Postgres.shared();
  const { username, password, pathname, port } = new URL(await postgres.database());
  database = { PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) };
  ports[5432] = Number(port);
}

/** A reader with a provider of logins, in front of a browser. */
function loginPage(place: string): Reader {
  const [host, path] = place.split('/');
  const page = `https://${host}.underpass.localhost:${platform.port}/${path}`;
  const { issuer = '', clientId, clientSecret } = provider ?? {};
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
  return { env, meanwhile };
}

/** A reader in front of a browser, with two names at the provider of the guide. */
function samlPage(): Reader {
  const provider = `https://localhost:${ports[4014]}/`;
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
  return { meanwhile };
}

const readers: Readonly<Record<string, () => Reader>> = {
  'edge/tcp-edge.md': () => ({ env: database }),
  'use/tcp.md': () => ({ env: database }),
  'use/protect.md': () => loginPage('wiki/'),
  'edge/oidc.md': () => loginPage('desk/staff'),
  'edge/saml.md': samlPage,
};
const missing: Readonly<Record<string, string | false>> = {
  'edge/tcp-edge.md': postgresMissing,
  'use/tcp.md': postgresMissing,
  'use/protect.md': browserMissing,
  'edge/oidc.md': browserMissing,
  'edge/saml.md': browserMissing || samlProviderMissing,
  'edge/certificates.md': pebbleMissing,
};
/** Pages with steps for a shell, in the order of the index. Other tests run the pages in `start`, `run` and the API reference. */
const guides = Array.from(
  readFileSync(join(repository, 'docs/README.md'), 'utf8').matchAll(
    /\]\(((?:use|edge)\/[\w-]+\.md|build\/event-delivery\.md)\)/g,
  ),
  ([, file = '']) => file,
).filter((file) => textOf(`docs/${file}`, 'sh') !== '');

function textOf(path: string, language: string): string {
  return blocksOf(path)
    .filter((block) => block.language === language)
    .map(({ text }) => text)
    .join('');
}

/** Verifies that these lines are among the others, in their order. */
function assertInOrder(printed: readonly string[], expected: readonly string[]): void {
  let next = 0;
  for (const line of printed) if (line === expected[next]) next += 1;
  assert.equal(expected[next], undefined, `not printed:\n${printed.join('\n')}`);
}

/** Stays in its terminal, and the next commands need it. */
const AGENT = /^npx underpass http .*$/m;
// The log of the pass before has the line, too.
const AGENT_ONLINE =
  'rm -f agent.log\n$& > agent.log 2>&1 &\nuntil grep -qs Forwarding agent.log; do sleep 0.1; done';
/** Keeps its terminal, and serves as soon as it listens. */
const IN_BACKGROUND = /&$/gm;
const SERVING = `> service.log 2>&1 &
until (: < /dev/tcp/127.0.0.1/3000) 2> /dev/null; do sleep 0.1; done`;

/** The commands of the README in one shell. What a reader starts in other terminals runs in the background until the end of all guides. */
function readmeCommands(): string {
  const commands = blocksOf('README.md')
    .flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
    .filter((text) => !/^npm ci && npm \w+$/m.test(text))
    .join('\n');
  assert.match(commands, AGENT);
  return `${commands.replaceAll(IN_BACKGROUND, SERVING).replace(AGENT, AGENT_ONLINE)}\necho the README is read\nwait`;
}

for (const pass of ['first', 'second'])
  describe(`one after the other, the ${pass} time:`, { skip: commandsMissing }, () => {
    let readme: Process | null = null;
    after(() => readme?.stop());

    test('README.md', async () => {
      readme = checkout.start(withPorts(readmeCommands(), ports));
      await readme.line(/^the README is read$/);
      assertInOrder(readme.lines, [`hello from port ${ports[3000]}`]);
    });

    for (const file of guides)
      test(file, { skip: missing[file] ?? false }, async () => {
        const path = `docs/${file}`;
        const { env, meanwhile = async () => {} } = readers[file]?.() ?? {};
        const hasRead = join(folder, `${basename(file)} ${pass}`);
        const commands = readTo(hasRead, withPorts(textOf(path, 'sh'), ports));
        const [lines] = await Promise.all([
          checkout.run(commands, env),
          meanwhile().finally(() => writeFileSync(hasRead, '')),
        ]);
        assertInOrder(lines, withPorts(textOf(path, 'text'), ports).trimEnd().split('\n'));
        assert.deepEqual(checkout.left(), README_LEAVES);
      });

    test('no page has left a resource behind', async () => {
      for (const path of COLLECTIONS) {
        // The pages may have used up the requests of this minute.
        const { json } = await eventually(async () => {
          const answer = await platform.api('GET', path);
          assert.equal(answer.status, 200);
          return answer;
        }, MINUTE_MS);
        const [list] = Object.values(json).filter(Array.isArray);
        assert.deepEqual(list, [], path);
      }
    });
  });
