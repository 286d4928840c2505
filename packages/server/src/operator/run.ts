/** Runs an operator's command: through the daemon that holds the database, or on the database itself. */
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { DocumentStore } from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import { loadMasterKeys, MasterKeyError } from '../pki/master-key.ts';
import { SealError, Sealer } from '../pki/seal.ts';
import { type Database, nameOf } from '../store/databases/database.ts';
import { openStore } from '../store/databases/open.ts';
import { openLiveSource, openSource } from '../store/databases/open-copy.ts';
import { StoreOpenError } from '../store/open-error.ts';
import type { JsonObject } from '../store/store.ts';
import { backUp } from './backup.ts';
import { reporting } from './copy.ts';
import { drain } from './drain-node.ts';
import { listNodes } from './nodes.ts';
import { OperatorError } from './operator-error.ts';
import { type OperatorRequest, perform, type StoreRequest } from './requests.ts';
import { Rotation } from './rotation.ts';
import { askDaemon, socketPath } from './socket.ts';

export interface Place {
  readonly dataDir: string;
  readonly database: Database;
}

/** A daemon that is starting or stopping holds the database for a moment without listening, in milliseconds. */
const PATIENCE_MS = 10_000;
const ASK_AGAIN_MS = 100;

/** Rejects with OperatorError or StoreOpenError. */
export async function operate(place: Place, request: OperatorRequest): Promise<JsonObject> {
  const { database, dataDir } = place;
  const socket = socketPath(database);
  if (database.kind === 'sqlite' && !existsSync(database.path)) {
    throw new OperatorError(
      `there is no installation at ${database.path}: start the daemon there first, or name the place of yours with ${dirname(database.path) === dataDir ? '--data-dir' : '--database'}`,
    );
  }
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const answer = socket === null ? null : await askDaemon(socket, request);
    if (answer !== null) return answer;
    try {
      return await performHere(place, request);
    } catch (error) {
      const isLocked = error instanceof StoreOpenError && error.reason === 'locked';
      if (!isLocked || performance.now() > deadline) throw error;
      await pause(ASK_AGAIN_MS);
    }
  }
}

async function performHere({ database, dataDir }: Place, request: OperatorRequest): Promise<JsonObject> {
  if (request.operation === 'backup') {
    const source = database.kind === 'postgres' ? await openLiveSource(database) : await openSource(database);
    return await backUp({ dataDir, directory: request.directory }, source, reporting());
  }
  if (request.operation === 'list-nodes') return await listNodes(database);
  if (request.operation === 'drain-node') return await drain(database, request);
  const store = documentsIn(await openStore(database, { onLostWrites: console.error }));
  if (request.operation === 'rotate-master-key') return await rotateOn(store, dataDir, database);
  return await performOn(store, database, request);
}

/** If no daemon runs, nothing is in progress, so the old key can be removed at once. */
async function rotateOn(store: DocumentStore, dataDir: string, database: Database): Promise<JsonObject> {
  try {
    await requireInstallation(store, database);
    const sealer = new Sealer(...(await loadMasterKeys({ dataDir, env: process.env, inUse: true })));
    const failures: unknown[] = [];
    const rotation = new Rotation({
      store,
      sealer,
      dataDir,
      isAlone: database.kind === 'sqlite',
      quiesce: async () => {},
      onError: (error) => failures.push(error),
    });
    const answer = await rotation.rotate();
    await rotation.idle();
    if (failures.length > 0) throw failures[0];
    return answer;
  } catch (error) {
    if (error instanceof MasterKeyError) throw new OperatorError(error.message, { cause: error });
    if (error instanceof SealError)
      throw new OperatorError(
        `${error.message}. Put back the key that belongs to the database (master.key in ${dataDir}, or UNDERPASS_MASTER_KEY), then try again.`,
        { cause: error },
      );
    throw error;
  } finally {
    await store.close();
  }
}

async function performOn(
  store: DocumentStore,
  database: Database,
  request: StoreRequest,
): Promise<JsonObject> {
  try {
    await requireInstallation(store, database);
    return await perform(store, request);
  } finally {
    await store.close();
  }
}

async function requireInstallation(store: DocumentStore, database: Database): Promise<void> {
  const { documents } = await store.snapshot(['account']);
  if (documents.length === 0)
    throw new OperatorError(
      `the database ${nameOf(database)} holds no installation: start a daemon on it first, or correct --database`,
    );
}
