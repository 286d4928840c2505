/** The rule of the layers, on made-up trees. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check, emptyFolders } from './check.ts';
import { importsOf } from './imports.ts';
import type { Layer } from './layers.ts';
import { picture } from './picture.ts';

const SRC = 'packages/server/src';
const inn: readonly Layer[] = [
  [{ name: 'rooms', what: 'where guests are' }],
  [{ name: '.', what: 'the inn' }],
];
const server: readonly Layer[] = [
  [{ name: 'core', what: 'words' }],
  [
    { name: 'inn', what: 'guests', inside: inn },
    { name: 'mill', what: 'flour' },
  ],
  [{ name: '.', what: 'the whole' }],
];
const rules = {
  layers: [
    [{ name: 'wire', what: 'the protocol', inside: 'any' }],
    [{ name: 'server', what: 'the server', inside: server }],
  ] satisfies readonly Layer[],
  packageRules: [{ names: /^pg$/, only: ['server/mill'], why: 'one folder knows PostgreSQL' }],
};

/** `files`: by their paths in the server's sources, what they import from there, or packages. */
function found(files: Readonly<Record<string, readonly string[]>>): readonly string[] {
  const path = (name: string): string => (/^(@|pg$)/.test(name) ? name : `${SRC}/${name}`);
  return check(new Map(Object.entries(files).map(([file, names]) => [path(file), names.map(path)])), rules);
}

test('imports go down, within a folder and to what is inside of it', () => {
  const files = {
    'main.ts': ['inn/inn.ts', 'mill/mill.ts', 'core/word.ts', '@underpass/wire'],
    'inn/inn.ts': ['inn/table.ts', 'inn/rooms/room.ts', 'core/word.ts'],
    'inn/table.ts': [],
    'inn/rooms/room.ts': ['core/word.ts'],
    'mill/mill.ts': ['pg'],
    'core/word.ts': [],
  };
  assert.deepEqual(found(files), []);
});

test('an import that goes up is found, between folders, inside of one, and out of all', () => {
  assert.deepEqual(found({ 'core/word.ts': ['inn/inn.ts'] }), [
    `${SRC}/core/word.ts imports ${SRC}/inn/inn.ts: server/inn is above server/core`,
  ]);
  assert.deepEqual(found({ 'inn/rooms/room.ts': ['inn/inn.ts'] }), [
    `${SRC}/inn/rooms/room.ts imports ${SRC}/inn/inn.ts: server/inn is above server/inn/rooms`,
  ]);
  assert.deepEqual(found({ 'core/word.ts': ['main.ts'] }), [
    `${SRC}/core/word.ts imports ${SRC}/main.ts: server is above server/core`,
  ]);
  assert.deepEqual(check(new Map([['packages/wire/src/frame.ts', ['@underpass/server']]]), rules), [
    'packages/wire/src/frame.ts imports @underpass/server: server is above wire',
  ]);
});

test('folders of one layer do not know each other', () => {
  assert.deepEqual(found({ 'mill/mill.ts': ['inn/rooms/room.ts'] }), [
    `${SRC}/mill/mill.ts imports ${SRC}/inn/rooms/room.ts: server/inn/rooms lies beside server/mill`,
  ]);
});

test('a folder that the layers do not have is found, also inside of one that they have', () => {
  for (const folder of ['barn', 'mill/wheels', 'inn/rooms/shelves']) {
    assert.deepEqual(found({ [`${folder}/one.ts`]: [] }), [
      `server/${folder} is a folder without a place in scripts/dependencies/layers.ts`,
    ]);
  }
});

test('a folder that has a place and no files is found', () => {
  const files = ['main.ts', 'inn/rooms/room.ts', 'core/word.ts'].map((name) => `${SRC}/${name}`);
  const imports = new Map(files.map((file) => [file, []]));
  assert.deepEqual(emptyFolders(imports, rules.layers), [
    'wire has a place in the layers and no files',
    'server/inn has a place in the layers and no files',
    'server/mill has a place in the layers and no files',
  ]);
});

test('a circle is reported by its path, of files and of folders', () => {
  assert.deepEqual(
    found({ 'core/a.ts': ['core/b.ts'], 'core/b.ts': ['core/c.ts'], 'core/c.ts': ['core/a.ts'] }),
    [`a circle of files: ${SRC}/core/a.ts → ${SRC}/core/b.ts → ${SRC}/core/c.ts → ${SRC}/core/a.ts`],
  );
  const between = found({ 'core/word.ts': ['mill/mill.ts'], 'mill/other.ts': ['core/word.ts'] });
  assert.deepEqual(between.slice(1), ['a circle of folders: server/core → server/mill → server/core']);
});

test('circles that have nothing in common are reported each, and one is reported once', () => {
  const files = {
    'core/a.ts': ['core/b.ts'],
    'core/b.ts': ['core/a.ts', 'core/c.ts'],
    'core/c.ts': ['core/b.ts'],
    'core/d.ts': ['core/d.ts', 'core/a.ts'],
  };
  assert.deepEqual(found(files), [
    `a circle of files: ${SRC}/core/a.ts → ${SRC}/core/b.ts → ${SRC}/core/a.ts`,
    `a circle of files: ${SRC}/core/d.ts → ${SRC}/core/d.ts`,
  ]);
});

test('a circle is found behind what only leads to it', () => {
  const files = { 'core/in.ts': ['core/a.ts'], 'core/a.ts': ['core/b.ts'], 'core/b.ts': ['core/a.ts'] };
  assert.deepEqual(found(files), [
    `a circle of files: ${SRC}/core/a.ts → ${SRC}/core/b.ts → ${SRC}/core/a.ts`,
  ]);
});

test('a package stays where it may be', () => {
  assert.deepEqual(found({ 'inn/inn.ts': ['pg'] }), [
    `${SRC}/inn/inn.ts imports pg: one folder knows PostgreSQL`,
  ]);
});

test('tests import what they want, and nobody but tests their fixtures', () => {
  assert.deepEqual(
    found({ 'core/word.test.ts': ['main.ts', 'core/word.fixture.ts'], 'core/word.fixture.ts': ['main.ts'] }),
    [],
  );
  assert.deepEqual(found({ 'core/word.ts': ['core/word.fixture.ts'] }), [
    `${SRC}/core/word.ts imports ${SRC}/core/word.fixture.ts: a fixture is for tests`,
  ]);
});

test('no source reaches out of the packages', () => {
  const imports = new Map([[`${SRC}/main.ts`, ['test/harness/index.ts']]]);
  assert.deepEqual(check(imports, rules), [
    `${SRC}/main.ts imports test/harness/index.ts: it lies outside of the packages`,
  ]);
});

test('every way of importing is read', () => {
  const source = [
    "import { a } from './a.ts';",
    "import type { B } from '../b.ts';",
    "import {\n  c,\n} from './c.ts';",
    "import './d.ts';",
    "export * from './e.ts';",
    "export type { F } from './f.ts';",
    "const { g } = await import('./g.ts');",
    "import Type from 'typebox';",
  ].join('\n');
  const names = ['one/a.ts', 'b.ts', 'one/c.ts', 'one/d.ts', 'one/e.ts', 'one/f.ts', 'one/g.ts', 'typebox'];
  assert.deepEqual(importsOf('one/file.ts', source), names);
});

test('the picture has the uppermost layer first', () => {
  const lines = picture(server, 'src').split('\n');
  assert.deepEqual(lines, [
    'src          the whole',
    '------------',
    'inn          guests',
    '             inn > rooms',
    'mill         flour',
    '------------',
    'core         words',
  ]);
});
