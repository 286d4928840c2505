import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { changesUpTo } from '../conformance/harness.fixture.ts';
import { StoreOpenError } from '../open-error.ts';
import type { Store, StoredDocument } from '../store.ts';
import { type Answer, bodyOf } from './crash-writer.fixture.ts';
import { openSqliteStore } from './store.ts';

const KILLS = propertyRuns(20);
const PROGRAM = fileURLToPath(new URL('./crash-writer.fixture.ts', import.meta.url));

/**
 * Runs a real process until it has acknowledged `writes` writes, kills it during the next ones, and reads the pipe to
 * its end.
 */
async function writeAndKill(
  path: string,
  answers: number,
  whileItRuns: () => Promise<void>,
): Promise<Answer[]> {
  const child = spawn(process.execPath, [PROGRAM, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  let lines = 0;
  const { promise: busy, resolve } = Promise.withResolvers<void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    lines += text.split('\n').length - 1;
    if (lines >= answers) resolve();
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.on('close', (_code, signal) => resolve(signal)),
  );
  await Promise.race([busy, ended]);
  await whileItRuns();
  child.kill('SIGKILL');
  assert.equal(await ended, 'SIGKILL');
  const whole = output.slice(0, output.lastIndexOf('\n') + 1);
  return whole.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Answer]));
}

/** Checks that every acknowledged write is present, or a later one of the same pair. */
async function checkAnswered(store: Store, answers: readonly Answer[]): Promise<void> {
  const latest = new Map(answers.map((answer) => [answer.left, answer]));
  for (const answer of latest.values()) {
    const left = await store.get(answer.left);
    if (left === null) {
      assert.ok(answer.generation >= 3, `${answer.left} was answered at ${answer.generation} and is gone`);
      continue;
    }
    assert.equal(answer.deleted, false, `${answer.left} was deleted and is there`);
    assert.ok(Number(left.body.generation) >= answer.generation, `${answer.left} went back`);
    assert.ok(left.revision >= answer.revision);
  }
}

/** Checks that nothing is half written: both documents of a pair, their link, their name, their change. */
async function checkWhole(store: Store): Promise<void> {
  const { revision, documents } = await store.snapshot(['left', 'right']);
  const logged = new Map<string, StoredDocument | null>();
  for (const change of await changesUpTo(store, 0, revision, ['left', 'right']))
    logged.set(change.id, change.document);
  for (const document of documents) assert.deepEqual(logged.get(document.id), document);
  for (const left of documents.filter(({ kind }) => kind === 'left')) {
    const [link, ...more] = await store.linksTo(left.id, 10);
    assert.ok(link !== undefined && more.length === 0);
    const right = await store.get(link.from);
    const generation = Number(left.body.generation);
    assert.deepEqual(left.body, bodyOf(left.id, generation));
    assert.deepEqual([right?.body, right?.revision], [left.body, left.revision]);
    const value = generation === 0 ? left.id : `${left.id}.${generation}`;
    assert.equal((await store.findName({ kind: 'pair', value }))?.id, left.id);
  }
  assert.equal(documents.length % 2, 0);
  for (const [id, document] of logged) if (document === null) assert.equal(await store.get(id), null);
}

test(`${KILLS} times kill -9 in mid-write: every answered write is there, none is half there`, async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'underpass-kill-'));
  context.after(() => rm(directory, { recursive: true, force: true }));
  const path = join(directory, 'underpass.db');
  let total = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const answers = await writeAndKill(path, 1 + kill * 5, async () => {
      if (kill === 0) {
        await assert.rejects(
          openSqliteStore({ path }),
          (error) => error instanceof StoreOpenError && error.reason === 'locked',
        );
      }
    });
    total += answers.length;
    const store = await openSqliteStore({ path });
    await checkAnswered(store, answers);
    await checkWhole(store);
    await store.close();
  }
  context.diagnostic(`${total} answered writes`);
});
