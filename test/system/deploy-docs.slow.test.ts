/** The pages about operation: their commands run unchanged, and their options and errors exist. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { yaml } from '../../packages/server/src/core/yaml.ts';
import { NameServer } from '../../packages/server/src/dns/name-server.fixture.ts';
import { type CatalogueEntry, catalogue } from '../../packages/server/src/errors/catalogue.ts';
import {
  eventually,
  freePorts,
  Pebble,
  Platform,
  Postgres,
  Process,
  pebbleMissing,
  postgresMissing,
  Visitor,
} from '../harness/index.ts';
import {
  blocksOf,
  commandsMissing,
  repository,
  runCommands,
  withPorts,
} from './documented-commands.fixture.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const FOLDER = 'docs';
const textOf = (file: string) => readFileSync(join(repository, FOLDER, file), 'utf8');

function blockOf(file: string, language: string): string {
  return blocksOf(join(FOLDER, file))
    .filter((block) => block.language === language)
    .map(({ text }) => text)
    .join('');
}

test('what is said of errors is about those that there are', () => {
  const rows = [...textOf('use/troubleshooting.md').matchAll(/^\| (\d+) \| (\d+) \| `(\w+)` \|/gm)];
  assert.ok(rows.length > 30);
  const known: ReadonlyMap<string, CatalogueEntry> = new Map(Object.entries(catalogue));
  for (const [row, code, status, name = ''] of rows) {
    const entry = known.get(name);
    assert.deepEqual([entry?.number, entry?.status], [Number(code), Number(status)], row);
  }
});

describe('the commands work one after the other, and print what they are said to:', {
  skip: commandsMissing,
}, () => {
  let platform: Platform;
  before(async () => {
    platform = await Platform.start({ apiRateLimit: 120 });
  });
  after(() => platform.stop());

  async function run(
    file: string,
    ports: Readonly<Record<string, number>> = {},
    env: NodeJS.ProcessEnv = {},
  ) {
    const commands = withPorts(blockOf(file, 'sh'), ports);
    const { lines, left } = await runCommands(platform, commands, env);
    assert.deepEqual(left, []);
    return lines;
  }

  test('run/backup.md', async () => {
    const lines = await run('run/backup.md');
    for (const file of ['backup.json', 'bootstrap.json', 'ca.pem', 'master.key', 'underpass.db'])
      assert.ok(lines.includes(file), file);
  });

  test('backup.md, every night', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'underpass-nightly-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const table = blockOf('run/backup.md', 'cron')
      .replaceAll('/opt/underpass/bin', join(repository, 'node_modules/.bin'))
      .replaceAll('/var/lib/underpass', platform.dataDir)
      .replaceAll('/var/backups/underpass', join(folder, 'nightly'));
    const [, path = ''] = /^PATH=(.*)$/m.exec(table) ?? [];
    const [backup = '', clean = ''] = Array.from(
      table.matchAll(/^\d+ \d+ \* \* \* root (.*)$/gm),
      // A bare % is a line end to cron.
      ([, command = '']) => command.replaceAll('\\%', '%'),
    );
    const run = (command: string) => execFileSync('/bin/sh', ['-c', command], { env: { PATH: path } });
    run(backup);
    const [today = ''] = readdirSync(join(folder, 'nightly'));
    assert.match(today, /^\d{4}-\d\d-\d\d$/);
    const old = join(folder, 'nightly/2020-01-01');
    cpSync(join(folder, 'nightly', today), old, { recursive: true });
    utimesSync(old, 0, 0);
    run(clean);
    assert.deepEqual(readdirSync(join(folder, 'nightly')), [today]);
  });

  test('run/upgrade.md', async () => void (await run('run/upgrade.md')));

  test('run/hardening.md', async () => {
    const lines = await run('run/hardening.md');
    assert.ok(lines.includes("[ 'bind:shop.underpass.localhost' ]"), lines.join('\n'));
  });

  test('run/postgresql.md', { skip: postgresMissing }, async (t) => {
    const postgres = await Postgres.shared();
    t.after(() => postgres.stop());
    const { username, password, pathname, port } = new URL(await postgres.database());
    const env = { PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) };
    const [one = 0, two = 0] = await freePorts(2);
    const lines = await run('run/postgresql.md', { 5432: Number(port), 4031: one, 4032: two }, env);
    assert.equal(lines.filter((line) => line === 'hello from both').length, 2);
  });

  test('run/workers.md', { skip: postgresMissing }, async (t) => {
    const postgres = await Postgres.shared();
    t.after(() => postgres.stop());
    const { username, password, pathname, port } = new URL(await postgres.database());
    const env = { PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) };
    const [listen = 0, admin = 0] = await freePorts(2);
    const lines = await run('run/workers.md', { 5432: Number(port), 4061: listen, 4062: admin }, env);
    assert.ok(lines.includes('{"ready":true,"reasons":[],"warnings":[]}'), lines.join('\n'));
    for (const worker of ['edge/1', 'edge/2'])
      assert.ok(
        lines.some((line) => line.startsWith(`${worker}  ready `)),
        lines.join('\n'),
      );
    assert.equal(lines.filter((line) => line === '200').length, 4);
    assert.ok(lines.includes('2 workers were restarted: now 3, 1'), lines.join('\n'));
  });
});

describe('a server with a domain of its own', { skip: pebbleMissing }, () => {
  const directory = mkdtempSync(join(tmpdir(), 'underpass-vps-'));
  after(() => rmSync(directory, { recursive: true }));

  test('has a certificate that everybody trusts, with the records and options of the document', async (t) => {
    const [listen = 0, plain = 0, ssh = 0, dns = 0, admin = 0] = await freePorts(5);
    const names = await NameServer.start();
    t.after(() => names.close());
    for (const [, name = '', type, value = ''] of blockOf('start/first-server.md', 'dns').matchAll(
      /^(\S+)\. +(\w+) +(\S+?)\.?$/gm,
    )) {
      if (type === 'CNAME') names.set(name, type, value);
      if (type === 'NS') names.delegate(name, dns);
    }
    const pebble = await Pebble.prepare({ dns: names.address });
    t.after(() => pebble.stop());
    await pebble.start({ tlsPort: listen, httpPort: plain });
    const authority = join(directory, 'authority.pem');
    writeFileSync(authority, pebble.authority);
    const documented = yaml().parse(blockOf('start/first-server.md', 'yaml'));
    const here = {
      'data-dir': join(directory, 'data'),
      listen: `127.0.0.1:${listen}`,
      'http-listen': `127.0.0.1:${plain}`,
      'ssh-listen': `127.0.0.1:${ssh}`,
      'dns-listen': `127.0.0.1:${dns}`,
      'admin-listen': `127.0.0.1:${admin}`,
      'acme-directory': pebble.directory,
    };
    for (const key of Object.keys(here)) assert.ok(key in documented, key);
    const config = join(directory, 'underpass.yaml');
    const more = { 'acme-ca': authority, 'dns-resolver': [names.address] };
    writeFileSync(config, yaml().stringify({ ...documented, ...here, ...more }));
    const daemon = Process.node(DAEMON, ['serve', '--config', config]);
    t.after(() => daemon.stop());
    await daemon.line(/^ready /);
    const ca = await pebble.root();
    for (const servername of ['api.example.com', 'connect.example.com', 'anything.example.com'])
      await eventually(async () => (await Visitor.connect({ port: listen, servername, ca })).close());
    await eventually(async () => assert.equal((await fetch(`http://127.0.0.1:${admin}/readyz`)).status, 200));
  });
});
