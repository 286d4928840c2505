/** Loaded into the process of each test file before it, with `--durations`: writes down at its end what the file took. */
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { cpuSeconds } from './cpu.ts';
import { DURATIONS_FILE, type FileDuration } from './durations.ts';

const output = process.env[DURATIONS_FILE];

// The runner itself loads this, too.
if (isMainThread && output !== undefined && process.env.NODE_TEST_CONTEXT !== undefined) {
  process.on('exit', () => {
    const { own, children } = cpuSeconds();
    const duration: FileDuration = {
      file: process.argv[1] ?? '',
      own,
      children,
      wall: performance.now() / 1000,
    };
    appendFileSync(output, `${JSON.stringify(duration)}\n`);
  });
}
