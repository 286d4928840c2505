/**
 * Checks imports against the layers.
 * Invariant: a file outside all layers is a breach.
 */
import { circlesIn } from './circles.ts';
import type { Imports } from './imports.ts';
import type { Layer, PackageRule } from './layers.ts';
import { direction, nameOf, namesIn, type Place, placeOf } from './place.ts';

export interface Rules {
  readonly layers: readonly Layer[];
  readonly packageRules: readonly PackageRule[];
}

interface Import {
  readonly file: string;
  readonly name: string;
}

/** A sentence for each import, folder and circle that the rule does not allow. Tests may import what they want, and only tests their fixtures. */
export function check(imports: Imports, rules: Rules): readonly string[] {
  const files = [...imports.keys()].filter((file) => !isTest(file));
  const all = files.flatMap((file) => imports.get(file)!.map((name) => ({ file, name })));
  return [
    ...unknownFolders(files, rules.layers),
    ...all.flatMap((one) => wrongDirection(one, rules.layers)),
    ...all.flatMap((one) => wrongPackage(one, rules.packageRules)),
    ...all.filter(({ name }) => isTest(name)).map((one) => `${said(one)}: a fixture is for tests`),
    ...all.filter(isOutside).map((one) => `${said(one)}: it lies outside of the packages`),
    ...circles('files', all),
    ...circles(
      'folders',
      all.flatMap((one) => betweenFolders(one, rules.layers)),
    ),
  ];
}

/** A sentence for each folder that the layers have and nothing is in. */
export function emptyFolders(imports: Imports, layers: readonly Layer[]): readonly string[] {
  const places = [...imports.keys()].map((file) => placeOfImport(file, layers));
  const used = new Set(places.map((place) => place && nameOf(place)));
  return namesIn(layers)
    .filter((name) => !used.has(name))
    .map((name) => `${name} has a place in the layers and no files`);
}

function isTest(file: string): boolean {
  return /\.(test|fixture)\.tsx?$/.test(file);
}

function said({ file, name }: Import): string {
  return `${file} imports ${name}`;
}

function isOutside({ name }: Import): boolean {
  return name.endsWith('.ts') && folderOf(name) === null;
}

function unknownFolders(files: readonly string[], layers: readonly Layer[]): readonly string[] {
  const folders = new Set(files.map((file) => folderOf(file)!.join('/')));
  return [...folders]
    .filter((folder) => placeOf(folder.split('/'), layers) === null)
    .map((folder) => `${folder} is a folder without a place in scripts/dependencies/layers.ts`);
}

/** `packages/server/src/edge/http/head.ts` and `@underpass/wire` lie in `server/edge/http` and `wire`; null for what is not ours. */
function folderOf(name: string): readonly string[] | null {
  const ours = /^@underpass\/([a-z]+)/.exec(name)?.[1];
  if (ours !== undefined) return [ours];
  const [, pkg, inside] = /^packages\/([^/]+)\/src\/(?:(.*)\/)?[^/]+$/.exec(name) ?? [];
  if (pkg === undefined) return null;
  return inside === undefined ? [pkg] : [pkg, ...inside.split('/')];
}

/** Null for what is not ours, or nowhere. */
function placeOfImport(name: string, layers: readonly Layer[]): Place | null {
  const folder = folderOf(name);
  return folder === null ? null : placeOf(folder, layers);
}

function wrongDirection(one: Import, layers: readonly Layer[]): readonly string[] {
  const from = placeOfImport(one.file, layers);
  const to = placeOfImport(one.name, layers);
  if (from === null || to === null) return [];
  const way = direction(from, to);
  if (way === 'same' || way === 'down') return [];
  const why = way === 'up' ? 'is above' : 'lies beside';
  return [`${said(one)}: ${nameOf(to)} ${why} ${nameOf(from)}`];
}

function wrongPackage(one: Import, rules: readonly PackageRule[]): readonly string[] {
  const folder = folderOf(one.file)!.join('/');
  const isIn = (of: string): boolean => folder === of || folder.startsWith(`${of}/`);
  return rules
    .filter(({ names }) => names.test(one.name))
    .filter(({ only, never }) => only?.some(isIn) === false || never?.some(isIn) === true)
    .map(({ why }) => `${said(one)}: ${why}`);
}

function betweenFolders({ file, name }: Import, layers: readonly Layer[]): readonly Import[] {
  const from = placeOfImport(file, layers);
  const to = placeOfImport(name, layers);
  if (from === null || to === null || direction(from, to) === 'same') return [];
  return [{ file: nameOf(from), name: nameOf(to) }];
}

function circles(of: string, imports: readonly Import[]): readonly string[] {
  const graph = new Map<string, Set<string>>();
  for (const { file, name } of imports) graph.set(file, (graph.get(file) ?? new Set()).add(name));
  return circlesIn(graph).map((circle) => `a circle of ${of}: ${circle.join(' → ')}`);
}
