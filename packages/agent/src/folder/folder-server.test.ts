import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { warningsOf } from '../../../../test/harness/warnings.ts';
import { FolderServer } from './folder-server.ts';

test('many folders are served by one agent without a warning, and leave nothing behind', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'underpass-folders-'));
  t.after(() => rmSync(root, { recursive: true }));
  const warnings = warningsOf(t, /MaxListeners/);
  const target = { scheme: 'http', folder: { root, hidden: false }, text: 'file:///x' } as const;
  const servers = await Promise.all(Array.from({ length: 15 }, () => FolderServer.start(target)));
  await new Promise(setImmediate);
  assert.deepEqual(warnings, []);
  const paths = servers.map(({ upstream: { at } }) => ('path' in at ? at.path : ''));
  assert.ok(paths.every(existsSync));
  for (const server of servers) server.close();
  assert.ok(!paths.some((path) => existsSync(join(path, '..'))));
});
