/** The units of deploy/systemd, read by systemd, and the daemon's notifications. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { Platform, Process } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';

const skip = missingPrograms('systemd-analyze', 'python3');
/** A socket that prints each line of its notifications. */
const LISTEN = `
import socket, sys
told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.bind(sys.argv[1])
print('listens', flush=True)
while True:
  for line in told.recv(4096).decode().splitlines(): print(line, flush=True)`;
let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-units-'));
});
after(() => rmSync(folder, { recursive: true, force: true }));

async function analyze(...args: readonly string[]): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)('systemd-analyze', args, { cwd: folder });
  return stdout + stderr;
}

test('systemd finds nothing wrong with the units, and the services have few ways out', { skip }, async () => {
  const units = globSync(join(import.meta.dirname, '../../deploy/systemd/*')).map((file) => {
    const name = basename(file);
    // The commands are not installed here.
    const text = readFileSync(file, 'utf8').replaceAll(/\/opt\/underpass\/bin\/underpassd? /g, '/bin/true ');
    writeFileSync(join(folder, name), text);
    return `./${name}`;
  });
  assert.equal(await analyze('verify', '--man=no', ...units), '');
  const services = units.filter((name) => name.endsWith('.service'));
  assert.equal(services.length, 2);
  // In tenths: what systemd calls exposed begins at 5.
  for (const service of services) await analyze('security', '--offline=true', '--threshold=20', service);
});

test('a service manager is told that the daemon is ready, lives, and stops', { skip }, async () => {
  const socket = join(folder, 'notify');
  const told = Process.program('python3', ['-c', LISTEN, socket]);
  await told.line(/^listens$/);
  const settings = `NOTIFY_SOCKET=${socket} WATCHDOG_USEC=100000 WATCHDOG_PID=$$`;
  const platform = await Platform.start({ through: ['/bin/sh', '-c', `${settings} exec "$0" "$@"`] });
  await told.line(/^READY=1$/);
  await told.line(/^STATUS=serves https:/);
  await told.line(/^WATCHDOG=1$/);
  await platform.stop();
  await told.line(/^STOPPING=1$/);
  await told.stop();
});

test('without systemd-notify the daemon serves, and says what is missing', { skip }, async () => {
  const settings = `NOTIFY_SOCKET=${join(folder, 'nobody')}`;
  const withoutPath = 'node=$(command -v node); PATH=/nowhere exec "$node" "$0" "$@"';
  const platform = await Platform.start({ through: ['/bin/sh', '-c', `export ${settings}; ${withoutPath}`] });
  await platform.daemon.line(/install systemd-notify \(package systemd\)/);
  await platform.stop();
});
