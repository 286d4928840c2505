/** `underpass api` and the client library beside a real daemon, as people and programs use them. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ApiError, Client } from '@underpass/client';
import { resourceTables } from '@underpass/client/operations';
import { Platform, startedFor } from '../harness/index.ts';
import type { LooseJson } from '../harness/loose-json.ts';

const COMMAND = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));

let platform: Platform;
let folder: string;

before(async () => {
  platform = await Platform.shared();
  // As beside a daemon that was started in this folder.
  folder = mkdtempSync(join(tmpdir(), 'underpass-api-'));
  symlinkSync(platform.dataDir, join(folder, 'data'));
});
after(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

interface Around {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** `underpass api …` as a process of its own, with nothing of this one's settings. */
async function run(
  args: readonly string[],
  { cwd = folder, env = {}, input = '' }: Around = {},
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERPASS_'));
  const child = spawn(process.execPath, [startedFor(COMMAND), 'api', ...args], {
    cwd,
    env: { ...Object.fromEntries(inherited), ...env },
  });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (text) => (texts.out += text));
  child.stderr.setEncoding('utf8').on('data', (text) => (texts.err += text));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...texts };
}

/** Returns the JSON that the command printed; it must have succeeded. */
async function json(...args: string[]): Promise<LooseJson> {
  const { code, out, err } = await run([...args, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

test('beside a daemon a resource is made, changed, given modules and deleted without a word about keys', async () => {
  const domain = await json('reserved-domains', 'create', '--name', 'cli');
  assert.equal(domain.domain, 'cli.underpass.localhost');
  assert.deepEqual(domain, (await platform.api('GET', `/reserved_domains/${domain.id}`)).json);
  const headers = ['--headers', 'x-one=1', '--headers', 'x-two=a=b'];
  const backend = await json(
    'http-response-backends',
    'create',
    '--body',
    'hello\n',
    '--status-code',
    '203',
    ...headers,
  );
  assert.deepEqual(backend.headers, { 'x-one': '1', 'x-two': 'a=b' });

  const termination = '{"terminate_at":"edge"}';
  const edge = await json(
    'tls-edges',
    'create',
    '--hostports',
    'cli.underpass.localhost:443',
    '--tls-termination',
    termination,
  );
  const module = await json('tls-edges', 'put-backend', edge.id, '--backend-id', backend.id);
  assert.equal(module.backend.id, backend.id);
  const served = await platform.visit('cli.underpass.localhost');
  assert.deepEqual([served.status, served.text], [203, 'hello\n']);

  const changed = await json('tls-edges', 'update', edge.id, '--description', 'by hand');
  assert.deepEqual([changed.description, changed.hostports], ['by hand', edge.hostports]);
  assert.equal(
    (await run(['tls-edges', 'put-backend', edge.id, '--enabled', 'false', '--backend-id', backend.id])).code,
    0,
  );
  assert.equal((await json('tls-edges', 'get-backend', edge.id)).enabled, false);
  assert.equal((await json('tls-edges', 'update', edge.id, '--hostports', '[]')).hostports.length, 0);

  assert.deepEqual(await run(['tls-edges', 'delete-backend', edge.id]), { code: 0, out: '', err: '' });
  assert.deepEqual(await run(['tls-edges', 'delete', edge.id]), { code: 0, out: '', err: '' });
  assert.equal((await platform.api('GET', `/edges/tls/${edge.id}`)).status, 404);
});

test('a whole body comes from the command line, a file or stdin', async () => {
  const body = '{"description":"whole","acl":["bind:app.example.com"]}';
  const file = join(folder, 'credential.json');
  writeFileSync(file, body);
  for (const [data, input] of [[body], [`@${file}`], ['-', body]] as const) {
    const { code, out, err } = await run(
      ['credentials', 'create', '--data', data, '--metadata', 'm', '--json'],
      {
        ...(input === undefined ? {} : { input }),
      },
    );
    assert.equal(code, 0, err);
    const { description, acl, metadata } = JSON.parse(out);
    assert.deepEqual([description, acl, metadata], ['whole', ['bind:app.example.com'], 'm']);
  }
});

test('people get lines and tables, and a token only where the API shows it', async () => {
  const created = await run(['credentials', 'create', '--description', 'a laptop']);
  assert.match(created.out, /^id {2,}cr_\w{27}$/m);
  assert.match(created.out, /^token {2,}\w{27}_\w{21,}$/m);
  const id = /^id +(\S+)$/m.exec(created.out)?.[1] ?? '';
  assert.match((await run(['credentials', 'get', id])).out, /^token {2,}-$/m);
  const { out } = await run(['credentials', 'list']);
  const [head = '', first = ''] = out.split('\n');
  assert.match(head, /^ID +.*DESCRIPTION +AGE$/);
  assert.doesNotMatch(head, /TOKEN/);
  assert.match(first, new RegExp(`^${id} .* a laptop +\\d+[sm]$`));
});

test('a list shows the newest 100, as many as were asked for, or all of them', async () => {
  const client = new Client({
    baseUrl: platform.bootstrap.base_url,
    apiKey: platform.bootstrap.api_key,
    ca: platform.ca,
  });
  const made: string[] = [];
  for (let count = 0; count < 130; count++) made.unshift((await client.ipPolicies.create()).id);
  const ids = async (...args: string[]) =>
    (await json('ip-policies', 'list', ...args)).map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids(), made.slice(0, 100));
  assert.deepEqual(await ids('--limit', '3'), made.slice(0, 3));
  assert.deepEqual(await ids('--limit', '120'), made.slice(0, 120));
  assert.deepEqual(await ids('--limit', '130'), made);
  assert.deepEqual(await ids('--all'), made);
  assert.match(
    (await run(['ip-policies', 'list'])).err,
    /^The newest 100 of more; --limit and --all show others\.\n$/,
  );
  assert.equal((await run(['ip-policies', 'list', '--limit', '130'])).err, '');

  const iterated: string[] = [];
  for await (const { id } of client.ipPolicies.list({ limit: 40 })) iterated.push(id);
  assert.deepEqual(iterated, made);
  client.close();
});

test('a refusal is reported with its code and field, and ends with 1', async () => {
  await run(['reserved-domains', 'create', '--name', 'twice']);
  const taken = await run(['reserved-domains', 'create', '--name', 'twice']);
  assert.equal(taken.code, 1);
  assert.equal(taken.out, '');
  assert.match(taken.err, /^underpass: The domain twice\.underpass\.localhost is already reserved/);
  assert.match(taken.err, /^ {2}code: ERR_SERVICE_413 \(HTTP 409\)$/m);
  assert.match(taken.err, /^ {2}operation_id: op_\w+$/m);
  const invalid = await run([
    'ip-policy-rules',
    'create',
    '--cidr',
    '10.0.0.1/8',
    '--action',
    'deny',
    '--ip-policy-id',
    'ipp_1',
  ]);
  assert.match(invalid.err, /^ {2}field: \/ip_policy_id$|^ {2}field: \/cidr$/m);
  const unknown = await run(['tls-edges', 'get', 'edgtls_000000000000000000000000000']);
  assert.deepEqual([unknown.code, /ERR_SERVICE_60000/.test(unknown.err)], [1, true]);
});

test('what the API holds cannot steer the terminal', async () => {
  const nasty = '\x1b]0;title\x07\u009b31m\u202ered';
  const { id } = (await platform.api('POST', '/credentials', { description: nasty })).json;
  for (const args of [['get', id], ['list'], ['get', id, '--json'], ['list', '--json']]) {
    const { out } = await run(['credentials', ...args]);
    assert.doesNotMatch(out, /[^\P{Cc}\n]|\u202e/u);
    assert.ok(out.includes('red'));
  }
  assert.equal((await json('credentials', 'get', id)).description, nasty);
  const { err } = await run(['credentials', 'get', 'cr_\x1b[2J']);
  assert.doesNotMatch(err, /[^\P{Cc}\n]/u);
});

test('elsewhere variables say where the API is and who asks', async (t) => {
  const cwd = mkdtempSync(join(tmpdir(), 'underpass-elsewhere-'));
  t.after(() => rmSync(cwd, { recursive: true }));
  const { base_url, api_key, ca_file } = platform.bootstrap;
  const env = { UNDERPASS_API_URL: base_url, UNDERPASS_API_KEY: api_key, UNDERPASS_CA: ca_file };
  assert.equal((await run(['tunnels', 'list', '--json'], { cwd, env })).out, '[]\n');
  const empty = await run(['tunnels', 'list'], { cwd, env });
  assert.deepEqual([empty.out, empty.err], ['', 'The list is empty.\n']);
  const wrong = await run(['tunnels', 'list', '--api-key', 'wrong'], { cwd, env });
  assert.deepEqual([wrong.code, /code: ERR_SERVICE_20[23] \(HTTP 401\)/.test(wrong.err)], [1, true]);
  const untrusted = await run(['tunnels', 'list'], { cwd, env: { ...env, UNDERPASS_CA: '' } });
  assert.equal(untrusted.code, 1);
  assert.match(
    untrusted.err,
    /^underpass: The certificate of api\.underpass\.localhost:\d+ is not trusted: /,
  );
  const silent = await run(['tunnels', 'list', '--api-url', 'https://api.underpass.localhost:1'], {
    cwd,
    env,
  });
  assert.equal(silent.code, 1);
  assert.match(silent.err, /^underpass: No answer from api\.underpass\.localhost:1: /);
  const header = await run(['tunnels', 'list', '--version-header', 'Other'], { cwd, env });
  assert.match(header.err, /ERR_SERVICE_218/);
});

test('the key of the daemon beside it is not sent to another server', async () => {
  const { code, err } = await run(['tunnels', 'list', '--api-url', 'https://api.example.com']);
  assert.equal(code, 2);
  assert.match(err, /The settings lack the API key/);
});

test('wrong use ends with 2 and says what would be right', async () => {
  for (const [args, message] of [
    [['tls-edge'], /There is no resource "tls-edge" here\. Did you mean "tls-edges"\?/],
    [['tls-edges', 'put'], /There is no verb "put" here\. Did you mean "put-backend" or /],
    [['tls-edges', 'get'], /missing required argument 'id'/],
    [['tls-edges', 'get', 'a', 'b'], /too many arguments/],
    [['tls-edges', 'get', ''], /id is empty/],
    [['tls-edges', 'create', '--nam', 'x'], /unknown option '--nam'/],
    [['tls-edges', 'list', '--limit', '0'], /--limit "0"/],
    [['tls-edges', 'list', '--limit', '5', '--all'], /one of --limit and --all/],
    [['tls-edges', 'create', '--data', 'nothing'], /--data is not valid JSON/],
    [['tunnels', 'list', '--api-url', 'http://plain'], /The settings lack the API key|base URL/],
    [
      ['tunnels', 'list', '--api-url', 'http://plain', '--api-key', 'k'],
      /base URL "http:\/\/plain" is not valid/,
    ],
  ] as const) {
    const { code, out, err } = await run(args);
    assert.deepEqual([code, out], [2, ''], err);
    assert.match(err, message);
  }
});

test('the command alone lists resources, a resource its verbs, and --help the fields', async () => {
  const resources = await run([]);
  assert.equal(resources.code, 0);
  assert.match(resources.out, /^ {2}reserved-domains +Reserved domains$/m);
  const verbs = await run(['tls-edges']);
  assert.equal(verbs.code, 0);
  assert.match(verbs.out, /^ {2}put-backend <id> +Replace the backend of a TLS edge$/m);
  const fields = await run(['reserved-domains', 'create', '--help']);
  assert.equal(fields.code, 0);
  assert.match(
    fields.out,
    /^ {2}--region <text> +The region that serves it\. Default: "us"\. One of: au, eu, ap, us/m,
  );
});

test('a reader that goes away early is no error', async () => {
  const child = spawn(
    process.execPath,
    [startedFor(COMMAND), 'api', 'ip-policies', 'list', '--all', '--json'],
    {
      cwd: folder,
    },
  );
  child.stdout.destroy();
  let err = '';
  child.stderr.on('data', (text) => (err += text));
  assert.equal(await new Promise((resolve) => child.on('close', resolve)), 0);
  assert.equal(err, '');
});

test('the client library waits when it meets the rate limit, and no longer than the response requires', async (t) => {
  const limited = await Platform.start({ apiRateLimit: 3 });
  t.after(() => limited.stop());
  const { base_url: baseUrl, api_key: apiKey, ca_file: caFile } = limited.bootstrap;
  const client = new Client({ baseUrl, apiKey, caFile, retry: { maxDelayMs: 0 } });
  t.after(() => client.close());
  for (let count = 0; count < 3; count++) await client.tunnels.list().page();
  await assert.rejects(client.credentials.create(), (error) => {
    assert.ok(error instanceof ApiError && error.is('rateLimited'));
    assert.ok(error.retryAfter !== null && error.retryAfter >= 1 && error.retryAfter <= 60);
    return true;
  });
});

test('routes of an HTTPS edge are reached by the two ids', async () => {
  await json('reserved-domains', 'create', '--name', 'routes');
  const edge = await json('https-edges', 'create', '--hostports', 'routes.underpass.localhost:443');
  const route = await json(
    'https-edge-routes',
    'create',
    edge.id,
    '--match-type',
    'path_prefix',
    '--match',
    '/',
  );
  assert.deepEqual(await json('https-edge-routes', 'get', edge.id, route.id), route);
  assert.deepEqual(await run(['https-edge-routes', 'delete', edge.id, route.id]), {
    code: 0,
    out: '',
    err: '',
  });
});

test('an addressable list inside a resource is a resource of its own, without pages', async () => {
  const { id } = await json('event-subscriptions', 'create', '--description', 'all of it');
  const type = 'ip_policy_created.v0';
  const source = await json('event-subscription-sources', 'create', id, '--type', type);
  assert.equal(source.type, type);
  assert.deepEqual(await json('event-subscription-sources', 'list', id), [source]);
  assert.deepEqual(await json('event-subscription-sources', 'update', id, type), source);
  assert.match(
    (await run(['event-subscription-sources', 'list', id])).out,
    /^TYPE\nip_policy_created\.v0\n$/,
  );
  assert.equal((await run(['event-subscription-sources', 'delete', id, type])).code, 0);
  assert.deepEqual(await json('event-subscription-sources', 'list', id), []);
});

test('a session receives a stop, and its agent ends', async () => {
  const agent = await platform.agent(['http', '1']);
  const [session] = await json('tunnel-sessions', 'list');
  assert.deepEqual(await run(['tunnel-sessions', 'stop', session.id]), { code: 0, out: '', err: '' });
  assert.equal((await agent.process.exited).code, 0);
});

test('every method of the client reaches an operation that the daemon has, with fields that it knows', async () => {
  const { base_url: baseUrl, api_key: apiKey, ca_file: caFile } = platform.bootstrap;
  const client = new Client({ baseUrl, apiKey, caFile });
  const methods = client as unknown as Record<string, Record<string, (...args: unknown[]) => unknown>>;
  const answered: string[] = [];
  for (const { name, verbs } of resourceTables)
    for (const verb of verbs) {
      const ids = verb.parameters.map(() => 'nobody');
      const body =
        verb.fields === null ? [] : [Object.fromEntries(verb.fields.map((field) => [field.name, null]))];
      const query = verb.query === undefined || verb.list !== null ? [] : [{}];
      const result = methods[name]?.[verb.name]?.(...ids, ...query, ...body);
      try {
        await (verb.list === null ? result : (result as { page(): unknown }).page());
      } catch (error) {
        assert.ok(error instanceof ApiError, `${name}.${verb.name}: ${error}`);
        const isWrong = error.is(
          'pathNotFound',
          'methodNotAllowed',
          'fieldUnknown',
          'bodyNotAllowed',
          'internalError',
        );
        assert.equal(isWrong, false, `${name}.${verb.name}: ${error.message}`);
      }
      answered.push(`${name}.${verb.name}`);
    }
  client.close();
  assert.ok(answered.includes('httpsEdgeRoutes.putBackend') && answered.length > 150, `${answered.length}`);
});
