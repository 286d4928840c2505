/**
 * Runs operators' requests in a running daemon.
 * Invariant: no request blocks the thread that serves traffic.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { deadline } from '@underpass/wire';
import type { Logger } from 'pino';
import { moduleBeside } from '../core/modules/module-beside.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { Sealer } from '../pki/seal.ts';
import type { Database } from '../store/databases/database.ts';
import type { JsonObject } from '../store/store.ts';
import type { BackupPlan } from './backup.ts';
import { drain } from './drain-node.ts';
import { listNodes } from './nodes.ts';
import { OperatorError } from './operator-error.ts';
import { type OperatorRequest, perform } from './requests.ts';
import { Rotation } from './rotation.ts';
import type { Reply } from './socket.ts';

/** Longer than any request of the API takes: what was sealed before is stored by then, or never will be. In milliseconds. */
const QUIESCE_MS = 60_000;

/** One whose database is this process's alone. */
export interface Installation {
  readonly store: DocumentStore;
  readonly sealer: Sealer;
  readonly database: Database;
  readonly dataDir: string;
}

/** Goes on with what a former process left unfinished. What is answered rejects with OperatorError. */
export function performerInDaemon(
  { store, sealer, database, dataDir }: Installation,
  log: Logger,
): (request: OperatorRequest) => Promise<JsonObject> {
  const rotation = new Rotation({
    store,
    sealer,
    dataDir,
    isAlone: true,
    quiesce: () => new Promise((resolve) => void deadline(QUIESCE_MS, resolve)),
    onError: (error) =>
      log.error({ err: error }, 'the old master key stays in its file: the next start goes on'),
  });
  void rotation.resume();
  return async (request) => {
    switch (request.operation) {
      case 'backup':
        return await backUpInThread(database, { dataDir, directory: request.directory });
      case 'rotate-master-key':
        return await rotation.rotate();
      case 'list-nodes':
        return await listNodes(database);
      case 'drain-node':
        return await drain(database, request);
      default:
        return await perform(store, request);
    }
  };
}

async function backUpInThread(database: Database, plan: BackupPlan): Promise<JsonObject> {
  const worker = new Worker(moduleBeside(import.meta.url, 'backup-thread'), {
    workerData: { database, plan },
  });
  const [reply] = (await once(worker, 'message')) as [Reply];
  if ('error' in reply) throw new OperatorError(reply.error);
  return reply.answer;
}
