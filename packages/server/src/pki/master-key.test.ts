import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { loadMasterKeys, MasterKeyError, newMasterKey, saveMasterKeys } from './master-key.ts';

async function temporaryDirectory(context: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'underpass-key-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('the master key', () => {
  test('is made on first use, for its owner only, and found again', async (context) => {
    const dataDir = join(await temporaryDirectory(context), 'made', 'as-needed');
    const [key, ...more] = await loadMasterKeys({ dataDir, env: {} });
    assert.deepEqual([key.length, more], [32, []]);
    assert.deepEqual(await loadMasterKeys({ dataDir, env: {} }), [key]);
    assert.deepEqual(await readdir(dataDir), ['master.key']);
    assert.equal((await stat(join(dataDir, 'master.key'))).mode & 0o777, 0o600);
  });

  test('is the same for all who make it at once', async (context) => {
    const dataDir = await temporaryDirectory(context);
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadMasterKeys({ dataDir, env: {} })));
    assert.equal(new Set(keys.map(([key]) => key.toString('hex'))).size, 1);
    assert.deepEqual(await readdir(dataDir), ['master.key']);
  });

  test('may be several while one takes the place of another, in the order that they have', async (context) => {
    const dataDir = await temporaryDirectory(context);
    const keys = [newMasterKey(), newMasterKey()] as const;
    await saveMasterKeys(dataDir, keys);
    assert.deepEqual(await loadMasterKeys({ dataDir, env: {} }), keys);
    const given = keys.map((key) => key.toString('hex')).join(', ');
    assert.deepEqual(await loadMasterKeys({ dataDir, env: { UNDERPASS_MASTER_KEY: given } }), keys);
    await saveMasterKeys(dataDir, [keys[1]]);
    assert.deepEqual(await loadMasterKeys({ dataDir, env: {} }), [keys[1]]);
    assert.deepEqual(await readdir(dataDir), ['master.key']);
    assert.equal((await stat(join(dataDir, 'master.key'))).mode & 0o777, 0o600);
  });

  test('from the environment wins, and then no file is made', async (context) => {
    const dataDir = await temporaryDirectory(context);
    const key = await loadMasterKeys({ dataDir, env: { UNDERPASS_MASTER_KEY: 'aB'.repeat(32) } });
    assert.deepEqual(key, [Buffer.alloc(32, 0xab)]);
    assert.deepEqual(await readdir(dataDir), []);
  });

  test('that is malformed is refused by the name of where it stands, without showing it, and never replaced', async (context) => {
    const dataDir = await temporaryDirectory(context);
    const path = join(dataDir, 'master.key');
    for (const value of [
      '',
      'x'.repeat(64),
      'ab'.repeat(31),
      `${'ab'.repeat(32)}ab`,
      `${'ab'.repeat(32)},x`,
    ]) {
      await assert.rejects(loadMasterKeys({ dataDir, env: { UNDERPASS_MASTER_KEY: value } }), (error) => {
        assert.ok(error instanceof MasterKeyError);
        assert.match(error.message, /UNDERPASS_MASTER_KEY/);
        assert.ok(value === '' || !error.message.includes(value));
        return true;
      });
      await writeFile(path, value);
      await assert.rejects(
        loadMasterKeys({ dataDir, env: {} }),
        (error) => error instanceof MasterKeyError && error.message.includes(path),
      );
      assert.equal(await readFile(path, 'utf8'), value);
    }
  });

  test('that can be neither read nor made is an error that names the file', async (context) => {
    const file = join(await temporaryDirectory(context), 'a-file');
    await writeFile(file, '');
    await assert.rejects(
      loadMasterKeys({ dataDir: file, env: {} }),
      (error) => error instanceof MasterKeyError && error.message.includes(join(file, 'master.key')),
    );
  });
});
