/**
 * A reporter of `node --test` that writes the path of each file with a failed test, one a line. A group that ended
 * early is a file, too.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The source of the suites of a group, whose names are paths. */
const TOGETHER = fileURLToPath(new URL('together.ts', import.meta.url));

interface TestEvent {
  readonly type: string;
  readonly data: {
    readonly name: string;
    readonly file?: string;
    readonly details?: { readonly error?: { readonly failureType?: string } };
  };
}

export default async function* failedFiles(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    const { name, file, details } = data;
    // The failed test of a suite has an event of its own.
    if (type !== 'test:fail' || file === undefined || details?.error?.failureType === 'subtestsFailed')
      continue;
    yield `${file === TOGETHER ? resolve(name) : file}\n`;
  }
}

/** Collects the failed files of one run. */
export class FailedFiles {
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-failed-'));

  /** Flags of `node --test`: the usual report on standard output, and this one. */
  readonly flags = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${fileURLToPath(import.meta.url)}`, `--test-reporter-destination=${this.#file}`],
  ];

  /** Absolute paths, each once. Call once, at the end of the run. */
  take(): readonly string[] {
    const lines = readFileSync(this.#file, 'utf8').split('\n');
    rmSync(this.#folder, { recursive: true });
    return [...new Set(lines.filter((line) => line !== ''))];
  }

  get #file(): string {
    return join(this.#folder, 'files');
  }
}
