/**
 * `npm run check:image`: carries out deploy/docker/Dockerfile in folders of its own, without Docker, and starts the
 * result as the image would: with its user, its settings, read-only files and no other programs. It needs root. The
 * variable IMAGE_DATABASE names an empty PostgreSQL database; then the daemon is started with it as well.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { allowedCores } from '../packages/server/src/system/cores.ts';
import { buildImages, type Image, imageFolder, inMountNamespace } from './image/images.ts';

/** The folder of the volume in the image. */
const STATE = 'var/lib/underpass';

const given = imageFolder(process.env);
if (given !== null) await check(given);
else if (process.getuid?.() === 0) process.exitCode = inMountNamespace(import.meta.filename, [], process.env);
else {
  console.error('check:image mounts file systems of its own: run it as root');
  process.exitCode = 2;
}

async function check(folder: string): Promise<void> {
  const image = buildImages(join(import.meta.dirname, '..'), folder);
  await checkAgent(image('agent'));
  await checkDaemon(image('daemon'));
}

/** Makes the files of the image read-only and gives it a new volume, like `docker run --read-only`. */
function makeReadOnly(root: string, user: string): void {
  const [uid, gid] = user.split(':');
  execFileSync('mount', ['--rbind', root, root]);
  execFileSync('mount', ['--options', 'remount,bind,ro', root]);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `uid=${uid},gid=${gid}`, 'none', join(root, STATE)]);
}

/** Removes the volume, and with it all that the daemon wrote. */
function removeState(root: string): void {
  execFileSync('umount', [join(root, STATE)]);
}

async function checkAgent({ root, settings }: Image): Promise<void> {
  await expectCode(
    run({ root, settings }, [...settings.entrypoint, '--version']),
    0,
    'the agent prints its version',
  );
}

async function checkDaemon(image: Image): Promise<void> {
  const here = await withPorts(image);
  await expectCode(run(here, image.settings.healthCheck), 1, 'without a daemon the health check fails');
  await startAndStop(here, 1, 'the daemon');
  const { IMAGE_DATABASE: database } = process.env;
  if (database === undefined) return;
  // Ports of containers are the same, but the ports of the first daemon may be in use again.
  const { root, settings } = await withPorts(image);
  const shared = { root, settings: { ...settings, env: { ...settings.env, UNDERPASS_DATABASE: database } } };
  await startAndStop(shared, allowedCores(), 'with PostgreSQL the daemon');
}

async function withPorts({ root, settings }: Image): Promise<Image> {
  const env = {
    UNDERPASS_LISTEN: `127.0.0.1:${await freePort()}`,
    UNDERPASS_ADMIN_LISTEN: `127.0.0.1:${await freePort()}`,
  };
  return { root, settings: { ...settings, env: { ...settings.env, ...env } } };
}

/** Starts the daemon with the command of the image and a new volume. */
async function startAndStop(image: Image, workers: number, what: string): Promise<void> {
  const { root, settings } = image;
  makeReadOnly(root, settings.user ?? '0:0');
  const daemon = run(image, [...settings.entrypoint, ...settings.command]);
  await Promise.race([
    ready(daemon),
    once(daemon, 'exit').then(([code]) => fail(`${what} ended with ${code}`)),
  ]);
  await expectCode(run(image, settings.healthCheck), 0, `${what} is ready, and the health check agrees`);
  const folders = readdirSync(join(root, STATE)).filter((name) => name.startsWith('worker-'));
  if (folders.length !== workers) fail(`expected ${workers} workers, but there are ${folders.length}`);
  console.log(`${what} has ${workers === 1 ? 'one worker' : `${workers} workers`}`);
  daemon.kill('SIGTERM');
  await expectCode(daemon, 0, `${what} ends at SIGTERM`);
  removeState(root);
}

function run({ root, settings: { user = '0:0', env } }: Image, command: readonly string[]): ChildProcess {
  return spawn('/usr/sbin/chroot', [`--userspec=${user}`, root, ...command], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function ready(daemon: ChildProcess): Promise<void> {
  if (daemon.stdout === null) return;
  for await (const line of createInterface({ input: daemon.stdout })) if (line.startsWith('ready ')) return;
}

async function expectCode(child: ChildProcess, expected: number, what: string): Promise<void> {
  child.stdout?.resume();
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== expected) fail(`expected: ${what}, but it ended with ${code}`);
  console.log(what);
}

function fail(message: string): never {
  throw new Error(message);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
