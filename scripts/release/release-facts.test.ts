import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { inVersion } from './chart.ts';
import { releaseFacts, versionOfTags } from './release-facts.ts';

const root = join(import.meta.dirname, '../..');

test('the version comes from the only tag of a version', () => {
  assert.equal(versionOfTags(['other', 'v1.2.3']), '1.2.3');
  assert.throws(() => versionOfTags(['']), /no tag vX.Y.Z/);
  assert.throws(() => versionOfTags(['v1.2.3', 'v1.2.4']), /several versions/);
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
