/**
 * Builds the packages into folders as they are installed: JavaScript and declarations in `dist`, no tests. Each
 * contains the packages that it depends on, so that one archive is enough and nothing is downloaded.
 * Invariant: the checkout itself is not changed.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundlePage } from '../../packages/agent/src/inspector/page-bundle.ts';
import { bundlePages } from '../../packages/dashboard/src/bundle.ts';
import { bundle } from './bundle.ts';
import { licensesOf } from './licenses.ts';
import { installedManifest, isPacked, type Manifest, ownDependencies } from './manifest.ts';
import { inVersion } from './versioned.ts';

const PACKAGES = ['wire', 'client', 'agent', 'server'] as const;
type PackageName = (typeof PACKAGES)[number];

/** Paths in the commands of a checkout, and their replacements where the commands are installed. */
const IN_COMMANDS = [
  [/\.\.\/src\/(\w+)\.ts/, '../dist/$1.js'],
  ['../../../node_modules/.cache/underpass', '../.cache'],
] as const;

/**
 * Returns the folders of the packages below `folder`, each after its dependencies. `version`: the one of the packages;
 * undefined: the one of the checkout.
 */
export async function stagePackages(
  root: string,
  folder: string,
  version?: string,
): Promise<readonly string[]> {
  const declarations = join(folder, 'declarations');
  declare(root, declarations);
  const staged: string[] = [];
  for (const name of PACKAGES) staged.push(await stage(name, { root, declarations, folder, version }));
  return staged;
}

/** Writes declarations for the packages that programs import. The command's package has none. */
function declare(root: string, outDir: string): void {
  const source = (pattern: string): string => join(root, 'packages', pattern);
  const config = {
    extends: join(root, 'tsconfig.json'),
    compilerOptions: {
      ...{ noEmit: false, incremental: false, tsBuildInfoFile: null },
      ...{ declaration: true, emitDeclarationOnly: true, rewriteRelativeImportExtensions: true },
      ...{ rootDir: join(root, 'packages'), outDir, typeRoots: [join(root, 'node_modules/@types')] },
    },
    include: PACKAGES.filter((name) => isImported(join(root, 'packages', name))).map((name) =>
      source(`${name}/src`),
    ),
    exclude: ['*.test.ts', '*.fixture.ts', '*/inspector/page/*'].map((name) => source(`**/${name}`)),
  };
  mkdirSync(outDir, { recursive: true });
  const file = join(outDir, 'tsconfig.json');
  writeFileSync(file, JSON.stringify(config));
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', file], {
    cwd: root,
    stdio: 'inherit',
  });
}

interface Places {
  readonly root: string;
  readonly declarations: string;
  readonly folder: string;
  readonly version: string | undefined;
}

async function stage(name: PackageName, { root, declarations, folder, version }: Places): Promise<string> {
  const from = join(root, 'packages', name);
  const to = join(folder, name);
  const manifest = inVersion(readManifest(from), version);
  const inside = [
    ...(await bundle({ root, from, to: join(to, 'dist'), version })),
    ...(name === 'agent' ? await buildPage(to) : []),
    ...(name === 'server' ? await buildDashboard(to) : []),
  ];
  if (inside.length > 0) writeFileSync(join(to, 'THIRD-PARTY-LICENSES'), licensesOf(root, inside));
  if (isImported(from)) cpSync(join(declarations, name, 'src'), join(to, 'dist'), { recursive: true });
  cpSync(join(root, 'LICENSE'), join(to, 'LICENSE'));
  if (existsSync(join(from, 'bin'))) copyCommands(from, to);
  const bundled = withTheirs(manifest, root);
  for (const one of bundled) {
    const place = isPacked(one) ? join(root, 'node_modules', one) : join(folder, shortName(one));
    cpSync(place, join(to, 'node_modules', one), { recursive: true });
  }
  writeFileSync(join(to, 'package.json'), JSON.stringify(installedManifest(manifest, bundled), null, 2));
  return to;
}

/** The inspector's, since what is installed has nothing that could build it. Answers the files of node_modules that are in it. */
async function buildPage(to: string): Promise<readonly string[]> {
  const { html, js, css, inside } = await bundlePage();
  const folder = join(to, 'dist/page-built');
  mkdirSync(folder);
  for (const [name, text] of Object.entries({ 'index.html': html, 'page.js': js, 'page.css': css }))
    writeFileSync(join(folder, name), text);
  return inside;
}

/** The dashboard and the page of the API. Returns the files of node_modules in it. */
async function buildDashboard(to: string): Promise<readonly string[]> {
  const { files, inside } = await bundlePages();
  const folder = join(to, 'dist/dashboard-built');
  mkdirSync(folder);
  for (const [name, content] of files) writeFileSync(join(folder, name), content);
  writeFileSync(join(folder, 'files.json'), JSON.stringify([...files.keys()].sort()));
  return inside;
}

function copyCommands(from: string, to: string): void {
  cpSync(join(from, 'bin'), join(to, 'bin'), { recursive: true });
  for (const file of globSync('bin/*.js', { cwd: to })) {
    const path = join(to, file);
    let text = readFileSync(path, 'utf8');
    for (const [said, instead] of IN_COMMANDS) {
      const changed = text.replace(said, instead);
      if (changed === text) throw new Error(`${file} does not say ${said}`);
      text = changed;
    }
    writeFileSync(path, text);
  }
}

function isImported(packageFolder: string): boolean {
  return readManifest(packageFolder).exports !== undefined;
}

function withTheirs(manifest: Manifest, root: string): readonly string[] {
  const direct = ownDependencies(manifest);
  const theirs = direct.flatMap((name) =>
    withTheirs(readManifest(join(root, 'packages', shortName(name))), root),
  );
  const packed = Object.keys(manifest.dependencies ?? {}).filter(isPacked);
  return [...new Set([...direct, ...packed, ...theirs])];
}

function shortName(name: string): string {
  return name.slice(name.indexOf('/') + 1);
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;
}
