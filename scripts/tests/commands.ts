/**
 * Bundles the commands of this repository into a few files. Tests that start many daemons would spend half of their
 * time on opening a thousand sources.
 * Invariant: a bundle behaves like the sources. Files that the sources look up beside themselves lie beside the
 * bundle too.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { onDemand } from '../packages/on-demand.ts';

/** The folder of the bundle in each package, as deep as `src`. It stays, so that its compiled code is reused. */
const FOLDER = '.bundle';
const COMMANDS = [
  {
    file: 'packages/server/bin/underpassd.js',
    main: 'src/main.ts',
    threads: ['src/access/bcrypt-thread.ts', 'src/operator/backup-thread.ts', 'src/store/sqlite/writer.ts'],
    assets: [],
  },
  {
    file: 'packages/agent/bin/underpass.js',
    main: 'src/cli.ts',
    threads: [],
    assets: ['src/inspector/page'],
  },
] as const;
type Command = (typeof COMMANDS)[number];

/** Lets CommonJS code load modules of Node. */
const REQUIRE =
  "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);";
/** Clients of clouds, which few daemons load, are taken apart wrongly, esbuild has a program beside it; the other one is never there. */
const LEFT_OUT = ['@aws-sdk/*', '@smithy/*', '@underpass/dashboard/*', 'esbuild', 'pg-native'];
/** Milliseconds for which a bundle is kept, because another run may still load it. */
const KEPT_MS = 60 * 60_000;

/** Returns the bundle of each command by the path of its source. Returns nothing if esbuild is not installed. */
export async function bundleCommands(): Promise<Readonly<Record<string, string>>> {
  const esbuild = await import('esbuild').catch(() => null);
  if (esbuild === null) {
    console.log('esbuild is not installed: commands start from their sources, which takes longer');
    return {};
  }
  const bundle = async (command: Command): Promise<readonly [string, string]> => {
    const root = resolve(dirname(command.file), '..');
    const folder = join(root, FOLDER);
    const { outputFiles } = await esbuild.build({
      entryPoints: [command.main, ...command.threads].map((file) => join(root, file)),
      ...{ outdir: folder, entryNames: '[name]', write: false, logLevel: 'error' },
      ...{ bundle: true, splitting: true, platform: 'node', format: 'esm', target: 'node24' },
      // Names of classes are shown, in logs for one.
      ...{ keepNames: true, external: LEFT_OUT, banner: { js: REQUIRE }, plugins: [onDemand] },
    });
    mkdirSync(folder, { recursive: true });
    for (const { path, text } of outputFiles) write(path, text);
    for (const asset of command.assets) link(join(root, asset), folder);
    const start = writeStart(command, folder);
    removeOld(folder);
    return [resolve(command.file), start];
  };
  try {
    return Object.fromEntries(await Promise.all(COMMANDS.map(bundle)));
  } finally {
    await esbuild.stop();
  }
}

/** The command's own file, which has its first line, with the bundle in place of the sources. */
function writeStart({ file, main }: Command, folder: string): string {
  const path = join(folder, `start-${basename(file)}`);
  const text = readFileSync(file, 'utf8').replace(`../${main}`, `./${basename(main, '.ts')}.js`);
  write(path, text);
  return path;
}

/** Replaces the file atomically, because another run may read it now. */
function write(path: string, text: string): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) {
    utimesSync(path, new Date(), new Date());
    return;
  }
  const unfinished = `${path}.${process.pid}`;
  writeFileSync(unfinished, text);
  chmodSync(unfinished, 0o755);
  renameSync(unfinished, path);
}

function link(asset: string, folder: string): void {
  const path = join(folder, basename(asset));
  if (!existsSync(path)) symlinkSync(asset, path);
}

function removeOld(folder: string): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const status = lstatSync(path);
    if (status.isFile() && status.mtimeMs < Date.now() - KEPT_MS) rmSync(path, { force: true });
  }
}
