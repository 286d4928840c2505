/** Has the supervisor of a daemon restart its workers one after the other. */
import { join } from 'node:path';
import type { JsonObject } from '../store/store.ts';
import { OperatorError } from './operator-error.ts';
import type { RestartRequest } from './requests.ts';
import { askDaemon } from './socket.ts';

/** The socket of the supervisor. */
export function supervisorSocket(dataDir: string): string {
  return join(dataDir, 'supervisor.sock');
}

/** Resolves when all are restarted. Rejects with OperatorError. */
export async function restartWorkers(dataDir: string, request: RestartRequest): Promise<JsonObject> {
  const answer = await askDaemon(supervisorSocket(dataDir), request);
  if (answer !== null) return answer;
  throw new OperatorError(
    `no daemon with workers runs in ${dataDir}: name its data dir with --data-dir; a daemon without --workers is restarted as a whole`,
  );
}

/** The result for people. */
export function restartText({ workers, waiting }: JsonObject): string {
  const numbers = workers as readonly number[];
  const options = waiting as readonly string[];
  const text = `${numbers.length === 1 ? '1 worker was' : `${numbers.length} workers were`} restarted: now ${numbers.join(', ')}`;
  if (options.length === 0) return text;
  const flags = options.map((flag) => `--${flag}`).join(', ');
  return `${text}\n${flags}: changed, but not for workers. Restart the daemon itself.`;
}
