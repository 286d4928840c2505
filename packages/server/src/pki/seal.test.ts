import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { loadMasterKey, MasterKeyError, SealError, Sealer } from './seal.ts';

async function temporaryDirectory(context: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'underpass-seal-'));
  context.after(() => rm(path, { recursive: true, force: true }));
  return path;
}

describe('a sealed secret', () => {
  const sealer = new Sealer(randomBytes(32));

  test('opens to what was sealed, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (plain, context) => {
        const sealed = sealer.seal(plain, context);
        assert.match(sealed, /^v1\.[A-Za-z0-9_-]+$/);
        assert.equal(sealer.open(sealed, context), plain);
      }),
    );
  });

  test('does not open for another place or under another key', () => {
    const sealed = sealer.seal('secret', 'local_ca/private_key');
    assert.throws(() => sealer.open(sealed, 'local_ca/other'), SealError);
    assert.throws(() => new Sealer(randomBytes(32)).open(sealed, 'local_ca/private_key'), SealError);
  });

  test('does not open once a bit of it has changed', () => {
    const sealed = sealer.seal('secret', 'c');
    const bytes = Buffer.from(sealed.slice(3), 'base64url');
    fc.assert(
      fc.property(fc.nat(bytes.length * 8 - 1), (bit) => {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        assert.throws(() => sealer.open(`v1.${changed.toString('base64url')}`, 'c'), SealError);
      }),
    );
  });

  test('of an unknown shape gives the same typed error', () => {
    for (const text of [
      '',
      'v1.',
      'v1.AAAA',
      'v2.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      'plain text',
      'v1.§§',
    ]) {
      assert.throws(() => sealer.open(text, 'c'), SealError, text);
    }
  });

  test('looks different each time', () => {
    assert.notEqual(sealer.seal('secret', 'c'), sealer.seal('secret', 'c'));
  });
});

test('derived keys are stable, and differ by purpose and by master key', () => {
  const master = randomBytes(32);
  const key = new Sealer(master).derive('mac');
  assert.equal(key.length, 32);
  assert.deepEqual(key, new Sealer(master).derive('mac'));
  assert.notDeepEqual(key, new Sealer(master).derive('other'));
  assert.notDeepEqual(key, new Sealer(randomBytes(32)).derive('mac'));
});

describe('the master key', () => {
  test('is made on first use, for its owner only, and found again', async (context) => {
    const dataDir = join(await temporaryDirectory(context), 'made', 'as-needed');
    const key = await loadMasterKey({ dataDir, env: {} });
    assert.equal(key.length, 32);
    assert.deepEqual(await loadMasterKey({ dataDir, env: {} }), key);
    assert.deepEqual(await readdir(dataDir), ['master.key']);
    assert.equal((await stat(join(dataDir, 'master.key'))).mode & 0o777, 0o600);
  });

  test('is the same for all who make it at once', async (context) => {
    const dataDir = await temporaryDirectory(context);
    const keys = await Promise.all(Array.from({ length: 8 }, () => loadMasterKey({ dataDir, env: {} })));
    assert.equal(new Set(keys.map((key) => key.toString('hex'))).size, 1);
    assert.deepEqual(await readdir(dataDir), ['master.key']);
  });

  test('from the environment wins, and then no file is made', async (context) => {
    const dataDir = await temporaryDirectory(context);
    const key = await loadMasterKey({ dataDir, env: { UNDERPASS_MASTER_KEY: 'aB'.repeat(32) } });
    assert.deepEqual(key, Buffer.alloc(32, 0xab));
    assert.deepEqual(await readdir(dataDir), []);
  });

  test('that is malformed is refused by the name of where it stands, without showing it, and never replaced', async (context) => {
    const dataDir = await temporaryDirectory(context);
    const path = join(dataDir, 'master.key');
    for (const value of ['', 'x'.repeat(64), 'ab'.repeat(31), `${'ab'.repeat(32)}ab`]) {
      await assert.rejects(loadMasterKey({ dataDir, env: { UNDERPASS_MASTER_KEY: value } }), (error) => {
        assert.ok(error instanceof MasterKeyError);
        assert.match(error.message, /UNDERPASS_MASTER_KEY/);
        assert.ok(value === '' || !error.message.includes(value));
        return true;
      });
      await writeFile(path, value);
      await assert.rejects(
        loadMasterKey({ dataDir, env: {} }),
        (error) => error instanceof MasterKeyError && error.message.includes(path),
      );
      assert.equal(await readFile(path, 'utf8'), value);
    }
  });

  test('that can be neither read nor made is an error that names the file', async (context) => {
    const file = join(await temporaryDirectory(context), 'a-file');
    await writeFile(file, '');
    await assert.rejects(
      loadMasterKey({ dataDir: file, env: {} }),
      (error) => error instanceof MasterKeyError && error.message.includes(join(file, 'master.key')),
    );
  });
});
