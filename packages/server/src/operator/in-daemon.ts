/** What a running daemon does of operators' requests. Never that one of them keeps the thread that serves traffic. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { DocumentStore } from '../documents/index.ts';
import type { Database } from '../store/database.ts';
import type { JsonObject } from '../store/store.ts';
import type { BackupPlan } from './backup.ts';
import { OperatorError, type OperatorRequest, perform } from './requests.ts';
import type { Reply } from './socket.ts';

export interface Installation {
  readonly store: DocumentStore;
  readonly database: Database;
  readonly dataDir: string;
}

/** Rejects with OperatorError. */
export async function performInDaemon(
  { store, database, dataDir }: Installation,
  request: OperatorRequest,
): Promise<JsonObject> {
  switch (request.operation) {
    case 'backup':
      return await backUpInThread(database, { dataDir, directory: request.directory });
    default:
      return await perform(store, request);
  }
}

async function backUpInThread(database: Database, plan: BackupPlan): Promise<JsonObject> {
  const worker = new Worker(new URL('./backup-thread.ts', import.meta.url), {
    workerData: { database, plan },
  });
  const [reply] = (await once(worker, 'message')) as [Reply];
  if ('error' in reply) throw new OperatorError(reply.error);
  return reply.answer;
}
