/**
 * An installation that moves between databases.
 * Invariant: an interrupted copy is recognizable.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/store.ts';
import type { WriteOperation } from '../../packages/server/src/store/store.ts';
import {
  type Answer,
  Platform,
  Postgres,
  Process,
  postgresMissing,
  shareMasterKey,
  underpassd,
} from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

// A copy does not take the master key along.
shareMasterKey();

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));

/** Makes the process stop itself after the copy and before its commit, so that a kill is not too late. */
const stopsBeforeTheEnd = `
  const say = console.error;
  console.error = (line) => {
    say(line);
    if (line.startsWith('compared ')) process.kill(process.pid, 'SIGSTOP');
  };`;
const stopping = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(stopsBeforeTheEnd)}`,
};

describe('a copy of a whole installation', { skip: postgresMissing }, () => {
  let server: Postgres;
  let directory: string;
  before(async () => {
    server = await Postgres.shared();
    directory = mkdtempSync(join(tmpdir(), 'underpass-copy-'));
  });
  after(async () => {
    rmSync(directory, { recursive: true, force: true });
    await server?.stop();
  });

  test('moves to PostgreSQL and back; keys, ids, names and certificates are what they were', async () => {
    const first = await Platform.start();
    const { api_key } = first.bootstrap;
    const api = (at: Platform, method: string, path: string, body?: unknown): Promise<Answer> => {
      const headers = { authorization: `Bearer ${api_key}`, 'service-version': '2' };
      const url = new URL(path, `https://api.underpass.localhost:${at.port}`);
      if (body === undefined) return at.client.request(url, { method, headers });
      const json = { ...headers, 'content-type': 'application/json' };
      return at.client.request(url, { method, headers: json, body: JSON.stringify(body) });
    };
    const idsAt = async (at: Platform): Promise<string[]> => {
      const paths = ['/edges/tls', '/backends/http_response', '/reserved_domains', '/credentials'];
      const answers = await Promise.all(paths.map((path) => api(at, 'GET', path)));
      return answers.flatMap(({ text }) => text.match(/"id":"\w+"/g) ?? []);
    };
    const continues = async (at: Platform, ids: readonly string[]): Promise<void> => {
      assert.deepEqual(await idsAt(at), ids);
      assert.equal(at.ca, first.ca);
      assert.equal((await at.visit('kept.underpass.localhost')).text, 'still here');
      assert.equal((await api(at, 'POST', '/reserved_domains', { name: 'kept' })).status, 409);
      const { id } = (await api(at, 'POST', '/credentials', {})).json;
      const [newest] = (await api(at, 'GET', '/credentials')).json.credentials;
      assert.equal(newest.id, id, 'the newest id is the greatest');
    };

    await fixedEdge(first, 'kept', 'still here');
    const source = `sqlite:${first.dataDir}`;
    const url = await server.database();
    const whileInUse = await underpassd(['copy', '--from', source, '--to', url]);
    assert.equal(whileInUse.code, 1);
    assert.match(whileInUse.stderr, /is in use by another process/);
    await first.restart();
    const ids = await idsAt(first);
    await first.daemon.stop();

    const there = await underpassd(['copy', '--from', source, '--to', url]);
    assert.equal(there.code, 0, there.stderr);
    assert.match(
      there.stdout,
      /^copied \d+ documents, \d+ links, \d+ names, \d+ notes, \d+ changes from .* to postgres:/,
    );
    assert.equal(there.stderr, 'copying\ncomparing\n');
    assert.ok(!`${there.stdout}${there.stderr}`.includes(new URL(url).password));
    const second = await Platform.start({ args: ['--database', url] });
    assert.ok(!existsSync(join(second.dataDir, 'bootstrap.json')), 'it is no first start');
    await continues(second, ids);
    const busy = await underpassd(['copy', '--from', url, '--to', `sqlite:${directory}/busy`]);
    assert.equal(busy.code, 1);
    assert.match(busy.stderr, /is in use by a daemon: stop every daemon on it first/);
    const more = await idsAt(second);
    await second.daemon.stop();

    const place = `sqlite:${join(directory, 'back')}`;
    const back = await underpassd(['copy', '--from', url, '--to', place]);
    assert.equal(back.code, 0, back.stderr);
    const twice = await underpassd(['copy', '--from', url, '--to', place]);
    assert.equal(twice.code, 1);
    assert.match(twice.stderr, /is not empty/);
    const third = await Platform.start({ args: ['--database', place] });
    await continues(third, more);
    const listed = await underpassd(['account', 'list', '--json', '--database', place]);
    assert.equal(listed.json.accounts[0].id, first.bootstrap.account_id, 'asked through its socket');
    await Promise.all([first, second, third].map((platform) => platform.stop()));
  });

  test('killed in the middle it leaves an empty target, and the next copy makes it whole', async () => {
    const path = join(directory, 'large', 'underpass.db');
    const store = await openSqliteStore({ path });
    const claim = { kind: 'n', value: 'last' };
    for (let batch = 0; batch < 20; batch++) {
      await store.write((newId) =>
        Array.from({ length: 1000 }, (_, at): WriteOperation => {
          const row = { id: newId('th'), account: 'ac_1', kind: 'thing', parent: null, links: [] };
          const names = batch === 19 && at === 999 ? [claim] : [];
          return { op: 'insert', ...row, body: { text: 'x'.repeat(200), batch, at }, names };
        }),
      );
    }
    await store.close();
    const url = await server.database();
    const count = async () =>
      Number((await server.query(url, 'SELECT count(*) FROM underpass.documents'))[0]?.count);
    const file = join(directory, 'target', 'underpass.db');
    for (const to of [url, `sqlite:${file}`]) {
      const args = ['copy', '--from', `sqlite:${path}`, '--to', to];
      const copying = Process.node(DAEMON, args, { env: stopping });
      await copying.line(/^comparing$/);
      assert.equal((await copying.stop('SIGKILL')).signal, 'SIGKILL', copying.output);
      if (to === url) assert.equal(await count(), 0);
      else assert.ok(!existsSync(file));
      const again = await underpassd(args);
      assert.equal(again.code, 0, again.stderr);
      assert.match(again.stdout, /^copied 20000 documents, 1 names, 20000 changes from /);
    }
    assert.equal(await count(), 20_000);
    const copied = await openSqliteStore({ path: file });
    assert.ok(await copied.findName(claim));
    await copied.close();
  });
});
