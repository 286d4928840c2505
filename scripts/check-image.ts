/**
 * `npm run check:image`: carries out deploy/docker/Dockerfile in folders of its own, without Docker, and starts the
 * result as the image would: with its user, its settings and no other programs. It needs root.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmdirSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildStages, ignoredNames } from './image/build.ts';
import { readDockerfile, type Settings } from './image/dockerfile.ts';

const ROOT = join(import.meta.dirname, '..');
const FILE = join(ROOT, 'deploy/docker/Dockerfile');
/** The folder that the process in the namespace may mount over. */
const FOLDER = 'UNDERPASS_IMAGE_FOLDER';

const given = process.env[FOLDER];
if (given !== undefined) await check(given);
else if (process.getuid?.() === 0) process.exitCode = inNamespace();
else {
  console.error('check:image mounts file systems of its own: run it as root');
  process.exitCode = 2;
}

/** The mounts end with the process that is started here. */
function inNamespace(): number {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-image-'));
  const args = ['--mount', '--propagation', 'private', process.execPath, import.meta.filename];
  const { status } = spawnSync('unshare', args, {
    env: { ...process.env, [FOLDER]: folder },
    stdio: 'inherit',
  });
  rmdirSync(folder);
  return status ?? 1;
}

async function check(folder: string): Promise<void> {
  const stages = readDockerfile(readFileSync(FILE, 'utf8'));
  const ignored = ignoredNames(readFileSync(`${FILE}.dockerignore`, 'utf8'));
  const roots = buildStages(stages, { context: ROOT, ignored, folder });
  const image = (name: string): Image => {
    const settings = stages.find((stage) => stage.name === name)?.settings;
    const root = roots.get(name);
    if (settings === undefined || root === undefined) throw new Error(`there is no stage ${name}`);
    return { root, settings };
  };
  await checkAgent(image('agent'));
  await checkDaemon(image('daemon'));
}

interface Image {
  readonly root: string;
  readonly settings: Settings;
}

async function checkAgent({ root, settings }: Image): Promise<void> {
  await expectCode(
    run({ root, settings }, [...settings.entrypoint, '--version']),
    0,
    'the agent prints its version',
  );
}

async function checkDaemon(image: Image): Promise<void> {
  const { entrypoint, command, healthCheck, env } = image.settings;
  const [port, adminPort] = [await freePort(), await freePort()];
  const settings = {
    ...image.settings,
    env: { ...env, UNDERPASS_LISTEN: `127.0.0.1:${port}`, UNDERPASS_ADMIN_LISTEN: `127.0.0.1:${adminPort}` },
  };
  const here = { ...image, settings };
  await expectCode(run(here, healthCheck), 1, 'without a daemon the health check fails');
  const daemon = run(here, [...entrypoint, ...command]);
  await Promise.race([
    ready(daemon),
    once(daemon, 'exit').then(([code]) => fail(`the daemon ended with ${code}`)),
  ]);
  await expectCode(run(here, healthCheck), 0, 'the daemon is ready, and the health check agrees');
  daemon.kill('SIGTERM');
  await expectCode(daemon, 0, 'the daemon ends at SIGTERM');
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
