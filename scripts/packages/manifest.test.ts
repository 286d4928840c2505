import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { installedManifest, ownDependencies } from './manifest.ts';

const manifest = {
  ...{
    name: '@underpass/some',
    version: '1.2.3',
    private: true,
    type: 'module',
    bin: { some: 'bin/some.js' },
  },
  exports: { '.': './src/index.ts', './other': './src/other.ts' },
  dependencies: { '@aws-sdk/client-one': '3.0.0', '@underpass/wire': '1.2.3', pino: '10.0.0', yaml: '2.0.0' },
  scripts: { prepack: 'false' },
  devDependencies: { typebox: '1.0.0' },
};

test('an installed package leads to what was built, in which others are, brings along what it is given, and leaves the cloud to whoever needs it', () => {
  assert.deepEqual(installedManifest(manifest, ['@underpass/wire', 'yaml']), {
    ...{ name: '@underpass/some', version: '1.2.3', type: 'module', bin: { some: 'bin/some.js' } },
    engines: { node: '>=24' },
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './other': { types: './dist/other.d.ts', default: './dist/other.js' },
    },
    files: ['bin', 'dist', 'THIRD-PARTY-LICENSES'],
    dependencies: { '@underpass/wire': '1.2.3', yaml: '2.0.0' },
    peerDependencies: { '@aws-sdk/client-one': '3.0.0' },
    peerDependenciesMeta: { '@aws-sdk/client-one': { optional: true } },
    bundleDependencies: ['@underpass/wire', 'yaml'],
  });
});

test('a package that stands on nothing says nothing of it', () => {
  const alone = { name: '@underpass/wire', version: '1.2.3', exports: './src/index.ts' };
  assert.deepEqual(ownDependencies(alone), []);
  assert.deepEqual(installedManifest(alone, []), {
    ...{ name: '@underpass/wire', version: '1.2.3', engines: { node: '>=24' } },
    exports: { '.': { types: './dist/index.d.ts', default: './dist/index.js' } },
    ...{ files: ['bin', 'dist', 'THIRD-PARTY-LICENSES'], dependencies: {} },
  });
});

test('sources are not packed by mistake', () => {
  for (const name of ['wire', 'client', 'agent', 'server']) {
    const cwd = join(import.meta.dirname, '../../packages', name);
    const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], { cwd, encoding: 'utf8' });
    assert.notEqual(status, 0, name);
    assert.match(stderr, /Run "npm run pack" in the checkout/);
  }
});
