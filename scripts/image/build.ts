/**
 * Carries out the steps of a Dockerfile without Docker, each image in a root of its own. An image with Node is this
 * machine with this Node, and with writes that go to memory. Any other image is an empty folder with the libraries of
 * this machine that it would have. It needs root in a mount namespace of its own, which ends with it.
 * Invariant: the machine itself is not changed.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Stage, Step } from './dockerfile.ts';

interface Places {
  /** Source folder of `COPY`, without files and folders of the ignored names. */
  readonly context: string;
  readonly ignored: readonly string[];
  /** An empty folder. */
  readonly folder: string;
}

/** Answers the root of each stage. */
export function buildStages(stages: readonly Stage[], places: Places): ReadonlyMap<string, string> {
  const roots = new Map<string, string>();
  mount('-t', 'tmpfs', 'none', places.folder);
  for (const { name, base, steps } of stages) {
    // Stages on another one only change settings, so that they can share its root.
    const shared = roots.get(base);
    if (shared !== undefined && steps.length > 0) throw new Error(`${name} has steps on ${base}`);
    const root = shared ?? makeRoot(base, join(places.folder, name));
    roots.set(name, root);
    let directory = '/';
    for (const step of steps) {
      console.log(`${name}: ${Object.values(step).flat().join(' ')}`);
      if (step.kind === 'WORKDIR') {
        directory = step.path;
        mkdirSync(join(root, directory), { recursive: true });
      } else if (step.kind === 'RUN') {
        inRoot(root, ['/bin/sh', '-ec', `cd ${directory}; ${step.command}`]);
      } else {
        copy(step, { root, directory, places, from: step.from === undefined ? null : roots.get(step.from) });
      }
    }
  }
  return roots;
}

/** The names in a file like `.dockerignore`, which are ignored wherever they are. */
export function ignoredNames(text: string): readonly string[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => {
    const [, name] = /^\*\*\/([^*/]+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`${line}: only **/NAME is known here`);
    return name;
  });
}

function makeRoot(image: string, folder: string): string {
  return image.startsWith('node:') ? thisMachine(folder) : libraryAlone(folder);
}

function thisMachine(folder: string): string {
  const inside = (name: string): string => join(folder, name);
  for (const name of ['root', 'written', 'work']) mkdirSync(inside(name), { recursive: true });
  const root = inside('root');
  mount(
    '-t',
    'overlay',
    'overlay',
    '-o',
    `lowerdir=/,upperdir=${inside('written')},workdir=${inside('work')}`,
    root,
  );
  bindSystem(root);
  mkdirSync(join(root, 'usr/local/bin'), { recursive: true });
  copyFileSync(process.execPath, join(root, 'usr/local/bin/node'));
  return root;
}

/** Libraries of the distroless `cc` image, and no others of this machine. */
const LIBRARIES =
  /^(ld-linux.*|lib(c|m|dl|rt|pthread|resolv|nss_dns|nss_files|gcc_s|stdc\+\+|gomp|ssl|crypto)\.so\.\d+)$/;

function libraryAlone(root: string): string {
  mkdirSync(join(root, 'tmp'), { recursive: true, mode: 0o1777 });
  for (const name of ['lib', 'lib64']) {
    mkdirSync(join(root, 'usr', name), { recursive: true });
    symlinkSync(join('usr', name), join(root, name));
  }
  for (const path of librariesOf(process.execPath).filter((path) => LIBRARIES.test(basename(path)))) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    copyFileSync(path, join(root, path));
  }
  bindSystem(root);
  return root;
}

/** The paths of those that a program is linked with, and of what loads them. */
function librariesOf(program: string): readonly string[] {
  const said = execFileSync('ldd', [program], { encoding: 'utf8' });
  return [...said.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path);
}

function bindSystem(root: string): void {
  for (const name of ['proc', 'dev']) {
    mkdirSync(join(root, name), { recursive: true });
    mount('--rbind', join('/', name), join(root, name));
  }
}

interface CopyPlaces {
  readonly root: string;
  readonly directory: string;
  readonly places: Places;
  /** The root of the stage that is copied from; null: the context. */
  readonly from: string | null | undefined;
}

function copy(step: Step & { kind: 'COPY' }, { root, directory, places, from }: CopyPlaces): void {
  if (from === undefined) throw new Error(`there is no stage ${step.from}`);
  const to = step.to.startsWith('/') ? step.to : join(directory, step.to);
  const isFolder = step.to.endsWith('/') || step.sources.length > 1;
  const isCopied = (path: string): boolean => from !== null || !places.ignored.includes(basename(path));
  for (const source of step.sources) {
    const path = join(from ?? places.context, source);
    const isFile = statSync(path).isFile();
    const target = join(root, to, isFile && isFolder ? basename(path) : '');
    cpSync(path, target, { recursive: true, verbatimSymlinks: true, filter: isCopied });
    if (step.owner !== undefined) execFileSync('chown', ['--recursive', step.owner, target]);
  }
}

/** Runs a command with the variables of this machine, and with the image's folder of Node in PATH. */
function inRoot(root: string, command: readonly string[]): void {
  const env = { ...process.env, PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' };
  execFileSync('chroot', [root, ...command], { env, stdio: ['ignore', 'inherit', 'inherit'] });
}

function mount(...args: readonly string[]): void {
  execFileSync('mount', args, { stdio: 'inherit' });
}
