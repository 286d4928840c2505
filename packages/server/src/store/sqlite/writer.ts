/**
 * The writer thread: waits for batches, commits all that have arrived as one group, and reports the outcomes.
 * Invariant: there is only one writer.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Revision } from '../store.ts';
import { AnsweredRevision } from './answered.ts';
import type { Batch, WriterOptions } from './batch.ts';
import { GroupCommit } from './commit.ts';
import { connectWriter } from './connect.ts';
import { requireFiles } from './open-files.ts';
import { type Packed, unpack } from './packed.ts';

/** Batches in a group at most. It bounds the time until the first writer of a group has its outcome. */
const LARGEST_GROUP = 1000;

if (parentPort === null) throw new Error('the writer runs as a worker thread only');
const port = parentPort;
const { path, retainedRevisions, files } = workerData as WriterOptions;
// A replacement thread would create a new file.
requireFiles(files);
const database = connectWriter(path);
const group = new GroupCommit(database, retainedRevisions, files);
const answered = openAnswered();

/** A message is packed batches, or null to close. */
port.on('message', (first: Packed | null) => {
  const batches: Batch[] = [];
  let message: Packed | null | undefined = first;
  while (message) {
    batches.push(...unpack(message));
    message = batches.length < LARGEST_GROUP ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (batches.length > 0) commit(batches);
  if (message === null) close();
});

function commit(batches: readonly Batch[]): void {
  const acknowledgement = group.commit(batches);
  if (acknowledgement.revision > 0) remember(acknowledgement.revision);
  port.postMessage(acknowledgement);
}

/**
 * Returns null if the file cannot be opened, for example on a full disk. Completed writes must be acknowledged anyway.
 */
function openAnswered(): AnsweredRevision | null {
  try {
    return new AnsweredRevision(path);
  } catch {
    return null;
  }
}

function remember(revision: Revision): void {
  try {
    answered?.set(revision);
  } catch {
    // The file then has an earlier revision, and fewer losses are reported.
  }
}

function close(): void {
  answered?.close();
  // Leaves one plain file. Without it, the next start would only have to read the log.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  port.close();
}
