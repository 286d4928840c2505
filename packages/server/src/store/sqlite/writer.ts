/**
 * The writer thread: waits for batches, commits everything that has arrived as one group, answers. Never that there is a
 * second writer.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import type { Batch, WriterOptions } from './batch.ts';
import { GroupCommit } from './commit.ts';
import { connectWriter } from './connect.ts';

/** Bounds the time until the first writer of a group is answered. */
const LARGEST_GROUP = 1000;

if (parentPort === null) throw new Error('the writer runs as a worker thread only');
const port = parentPort;
const { path, retainedRevisions } = workerData as WriterOptions;
const database = connectWriter(path);
const group = new GroupCommit(database, retainedRevisions);

/** A message is an array of batches, or null: close. */
port.on('message', (first: readonly Batch[] | null) => {
  const batches: Batch[] = [];
  let message: readonly Batch[] | null | undefined = first;
  while (message) {
    batches.push(...message);
    message = batches.length < LARGEST_GROUP ? receiveMessageOnPort(port)?.message : undefined;
  }
  if (batches.length > 0) port.postMessage(group.commit(batches));
  if (message === null) close();
});

function close(): void {
  // Leaves a plain file behind; without it the next start would only have to read the log.
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  port.close();
}
