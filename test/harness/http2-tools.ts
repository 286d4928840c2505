/** Programs that judge and load whatever speaks HTTP/2: h2load of nghttp2, and h2spec. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isOnPath, missingPrograms } from './missing.ts';
import type { Platform } from './platform.ts';
import { timeoutMs } from './timeouts.ts';

/** Reason why tests that need it are skipped; false when it is there. */
export const h2loadMissing = missingPrograms('h2load');
/** No Debian package has it: the gate builds it where Go is installed. */
export const h2specMissing = isOnPath('h2spec')
  ? missingPrograms('unshare', 'mount')
  : 'h2spec is not on the PATH';

const LOAD_MS = 60_000;

function run(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: timeoutMs(LOAD_MS), maxBuffer: 1e8 }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

/** Returns the output for requests to the URL, at the platform. */
export function h2load(platform: Platform, url: string, args: readonly string[]): Promise<string> {
  return run('h2load', [`--connect-to=127.0.0.1:${platform.port}`, ...args, url]);
}

/** Returns the output for the name, whose address is in a hosts file of its own. */
export async function h2spec(platform: Platform, hostname: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-hosts-'));
  const hosts = join(folder, 'hosts');
  writeFileSync(hosts, `127.0.0.1 ${hostname}\n`);
  const args = [
    '-t',
    '-k',
    '--strict',
    '-o',
    String(timeoutMs(5_000) / 1000),
    '-h',
    hostname,
    '-p',
    String(platform.port),
  ];
  const script = 'mount --bind "$0" /etc/hosts && exec h2spec "$@"';
  try {
    return await run('unshare', ['--map-root-user', '--mount', 'sh', '-c', script, hosts, ...args]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
