import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';

test('the image installs the packages of each workspace, as the lock file has them', () => {
  const dockerfile = readFileSync('deploy/docker/Dockerfile', 'utf8');
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: string[] };
  const folders = workspaces.flatMap((pattern) => globSync(`${pattern}/package.json`)).map(dirname);
  assert.ok(folders.length > 6);
  const missing = folders.filter(
    (folder) => !dockerfile.includes(`COPY ${folder}/package.json ${folder}/\n`),
  );
  assert.deepEqual(missing, []);
});
