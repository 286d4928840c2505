/** A command of underpassd that ends by itself, with what it printed and its exit code. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LooseJson } from './loose-json.ts';
import { pathToNode } from './process.ts';
import { startedFor } from './repository-command.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The standard output as JSON; throws when it is none. */
  readonly json: LooseJson;
}

export async function underpassd(
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  return await new Promise((resolve) => {
    const options = { env: { ...process.env, ...pathToNode, ...env } };
    execFile(startedFor(DAEMON), args, options, (error, stdout, stderr) => {
      resolve({
        code: error === null ? 0 : Number(error.code ?? 1),
        stdout,
        stderr,
        get json() {
          return JSON.parse(stdout);
        },
      });
    });
  });
}
