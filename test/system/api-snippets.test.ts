/** The commands and the TypeScript that pages show for calls of the API, made from the document of a daemon. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { resourceTables } from '@underpass/client/operations';
import type { OpenApi } from '@underpass/ui/form/openapi.ts';
import { Reference } from '@underpass/ui/form/reference.ts';
import { asCommand, asTypeScript, type OperationCall } from '@underpass/ui/form/snippets.ts';
import { Platform } from '../harness/index.ts';
import { ApiCommand } from './api-command.fixture.ts';

let platform: Platform;
let api: ApiCommand;
let reference: Reference;

before(async () => {
  platform = await Platform.shared();
  api = new ApiCommand(platform);
  const { json } = await platform.visit(new URL('/openapi.json', platform.bootstrap.base_url).href);
  reference = new Reference(json as OpenApi);
});
after(async () => {
  await platform.stop();
  api[Symbol.dispose]();
});

test('each operation but a stream has the names that the client and the command have for it', () => {
  const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const known = resourceTables.flatMap(({ name, verbs }) =>
    verbs.map((verb) => `underpass api ${kebab(name)} ${kebab(verb.name)}`),
  );
  const calls = [...reference.operations.values()].map((operation) => ({
    operation,
    values: [],
    body: null,
  }));
  const shown = calls.map((call) => asCommand(reference, call)).filter((it) => it !== null);
  assert.deepEqual(shown.toSorted(), known.toSorted());
  const without = calls.filter((call) => asTypeScript(reference, call) === null);
  assert.deepEqual(
    without.map(({ operation }) => operation.path),
    ['/stream'],
  );
});

/** Calls of operations that belong to no kind, and of a list, by method and path. */
const CALLS: readonly (readonly [string, Omit<OperationCall, 'operation'>])[] = [
  ['GET /overview', { values: [], body: null }],
  ['GET /names', { values: [], query: { name: "it's none", q: 'x', limit: '3' }, body: null }],
  ['GET /traffic/recent', { values: [], query: { by: 'backend', ids: 'a,b' }, body: null }],
  [
    'POST /explain',
    { values: [], body: { url: 'https://nothing.underpass.localhost/', client_ip: '192.0.2.1' } },
  ],
  ['GET /reserved_domains', { values: [], query: { filter: 'domain = shop', q: 'shop' }, body: null }],
];

test('what is shown for calls with a query and a body runs against the daemon', async () => {
  const scripts: string[] = [];
  for (const [target, rest] of CALLS) {
    const [method = '', path = ''] = target.split(' ');
    const operation = reference.operationAt(method, path);
    assert.ok(operation !== null, target);
    const command = asCommand(reference, { operation, ...rest });
    // A shell splits the words.
    const { stdout } = spawnSync('sh', ['-c', `underpass() { printf '%s\\0' "$@"; }; ${command}`]);
    const { code, err } = await api.run(stdout.toString().split('\0').slice(0, -1), { words: [] });
    assert.equal(code, 0, `${command}: ${err}`);
    scripts.push(asTypeScript(reference, { operation, ...rest }) ?? '');
  }
  assert.equal(asCommand(reference, nextPage()), null);

  // One process runs all of them.
  const [first = '', ...others] = scripts.map((it) => it.split("from '@underpass/client';")[1] ?? '');
  const client = import.meta.resolve('@underpass/client');
  const file = join(api.folder, 'snippets.mts');
  writeFileSync(
    file,
    [`import { Client } from '${client}';`, ...[first, ...others].map((it) => `{${it}}`)].join('\n'),
  );
  const { api_key, ca_file } = platform.bootstrap;
  const env = { ...process.env, UNDERPASS_API_KEY: api_key, NODE_EXTRA_CA_CERTS: ca_file };
  const run = spawnSync(process.execPath, [file], { env, encoding: 'utf8' });
  assert.deepEqual([run.status, run.stderr], [0, '']);
  assert.match(run.stdout, /warnings/);
});

/** The command pages by itself, and has no flag for a later page. */
function nextPage(): OperationCall {
  const operation = reference.operationAt('GET', '/changes');
  assert.ok(operation !== null);
  return { operation, values: [], query: { before_id: 'x' }, body: null };
}
