import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/harness/temporary-folder.ts';
import { inVersion } from './chart.ts';
import { releaseFacts, versionOfTags } from './release-facts.ts';

const root = join(import.meta.dirname, '../..');

test('the version comes from the only tag of a version', () => {
  assert.equal(versionOfTags(['other', 'v1.2.3']), '1.2.3');
  assert.equal(versionOfTags(['']), null);
  assert.throws(() => versionOfTags(['v1.2.3', 'v1.2.4']), /several versions/);
});

test('outside of a repository the version is that of the package, and the time is fixed', (t) => {
  const folder = temporaryFolder('underpass-facts-');
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'package.json'), '{"version":"4.5.6"}');
  assert.deepEqual(releaseFacts(folder, undefined, {}), {
    version: '4.5.6',
    time: 315_532_800,
    commit: null,
  });
});

test('version and time can be given', () => {
  const { version, time } = releaseFacts(root, '1.2.3', { SOURCE_DATE_EPOCH: '5' });
  assert.deepEqual([version, time], ['1.2.3', 5]);
  assert.throws(() => releaseFacts(root, '1.2', {}), /no version/);
  assert.throws(() => releaseFacts(root, '1.2.3', { SOURCE_DATE_EPOCH: 'now' }), /no time/);
});

test('the chart has the version of the release, and starts its image', () => {
  const text = 'name: some\nversion: 0.1.0\n# Of the image.\nappVersion: 0.1.0\n';
  assert.equal(
    inVersion(text, '1.2.3'),
    'name: some\nversion: 1.2.3\n# Of the image.\nappVersion: "1.2.3"\n',
  );
  assert.throws(() => inVersion('name: some\n', '1.2.3'), /no version/);
});
