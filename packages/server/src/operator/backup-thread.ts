/** The thread that makes a backup beside the daemon that holds the database: the one that serves traffic does not wait for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { ForOperator } from '../core/for-operator.ts';
import type { Database } from '../store/databases/database.ts';
import { openLiveSource } from '../store/databases/open-copy.ts';
import { type BackupPlan, backUp } from './backup.ts';
import type { Reply } from './socket.ts';

const { database, plan } = workerData as { readonly database: Database; readonly plan: BackupPlan };

async function reply(): Promise<Reply> {
  try {
    return { answer: await backUp(plan, await openLiveSource(database), () => {}) };
  } catch (error) {
    // An error of ours loses its class on the way.
    if (error instanceof ForOperator) return { error: error.message };
    throw error;
  }
}

parentPort?.postMessage(await reply());
