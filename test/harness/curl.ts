/** The real curl, as the README uses it. It maps names below .localhost to loopback by itself. */
import { execFile } from 'node:child_process';
import { missingPrograms } from './missing.ts';
import type { Platform } from './platform.ts';
import { timeoutMs } from './timeouts.ts';

/** The reason to skip tests that need it; false if there is none. */
export const curlMissing = missingPrograms('curl');

export interface CurlResult {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs curl with the platform's authority trusted. */
export async function curl(platform: Platform, args: readonly string[]): Promise<CurlResult> {
  return await new Promise((resolve) => {
    execFile(
      'curl',
      [
        '-sS',
        '--max-time',
        String(timeoutMs(20_000) / 1000),
        '--cacert',
        platform.bootstrap.ca_file,
        ...args,
      ],
      (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : Number(error.code ?? 1);
        resolve({ exitCode, stdout, stderr });
      },
    );
  });
}
