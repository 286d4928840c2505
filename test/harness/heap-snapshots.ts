/** Preloaded into a daemon: at SIGUSR2 it writes the snapshot of its heap to the file that HEAP_SNAPSHOT names. */
import { renameSync } from 'node:fs';
import { writeHeapSnapshot } from 'node:v8';
import { isMainThread } from 'node:worker_threads';

const file = process.env.HEAP_SNAPSHOT;
if (isMainThread && file !== undefined)
  process.on('SIGUSR2', () => {
    // The name of a file that is not whole yet is another one.
    writeHeapSnapshot(`${file}.part`);
    renameSync(`${file}.part`, file);
  });
