/** One large transfer by curl, which is quicker than any client in Node. Never beyond this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { ftruncateSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, type Target } from './peers/peer.ts';

export const BULK_BYTES = 256 * 1024 * 1024;

const curl = findProgram('curl');

/** Missing program; null for none. */
export const transferMissing = curl === null ? 'curl' : null;

/** A file of that size, which takes no room. */
export function bulkFile(dir: string): string {
  const file = join(dir, 'bulk');
  ftruncateSync(openSync(file, 'w'), BULK_BYTES);
  return file;
}

export async function download(target: Target): Promise<void> {
  await transfer(target, []);
}

export async function upload(target: Target, file: string): Promise<void> {
  await transfer(target, ['-T', file, '-H', 'Expect:']);
}

async function transfer(
  { scheme, host, port, address = '127.0.0.1' }: Target,
  how: readonly string[],
): Promise<void> {
  const resolve = `${host}:${port}:${address}`;
  const url = `${scheme}://${host}:${port}/bulk`;
  // Else curl would agree on HTTP/2 with some and not with others.
  const args = ['-skf', '--http1.1', '-o', '/dev/null', '--resolve', resolve, ...how, url];
  const child = spawn(curl ?? 'curl', args, { stdio: 'ignore', timeout: 120_000 });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`curl ended with ${code} at ${host}:${port}`);
}
