/**
 * Loaded into each process of a run before all else: what it writes has left it when the write returns. Without this the last results of a
 * file are lost with `--test-force-exit`, which ends the process before a pipe has taken them (nodejs/node#64833).
 */
import { isMainThread } from 'node:worker_threads';

declare global {
  namespace NodeJS {
    interface WriteStream {
      /** Handle of the stream's bytes: files, pipes and terminals have it, but Node's own types do not. */
      readonly _handle?: { setBlocking?(isBlocking: boolean): void } | null;
    }
  }
}

if (isMainThread) process.stdout._handle?.setBlocking?.(true);
