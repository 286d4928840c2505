/**
 * A reporter of `node --test` that writes the path of each file with a failed or a skipped test, one a line. A group
 * that ended early is a file, too.
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
    readonly skip?: string | boolean;
    readonly details?: { readonly error?: { readonly failureType?: string } };
  };
}

/** Absolute paths, each once. */
export interface FileResults {
  readonly failed: readonly string[];
  /** Files of which a test was skipped. */
  readonly skipped: readonly string[];
}

export default async function* fileResults(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const { type, data } of events) {
    const { name, file, skip = false, details } = data;
    // The failed test of a suite has an event of its own.
    const isFailed = type === 'test:fail' && details?.error?.failureType !== 'subtestsFailed';
    const isSkipped = type === 'test:pass' && skip !== false;
    if (file === undefined || !(isFailed || isSkipped)) continue;
    yield `${isFailed ? 'failed' : 'skipped'} ${file === TOGETHER ? resolve(name) : file}\n`;
  }
}

/** Collects the results of one run. */
export class FileReport {
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-results-'));

  /** Flags of `node --test`: the usual report on standard output, and this one. */
  readonly flags = [
    ...['--test-reporter=spec', '--test-reporter-destination=stdout'],
    ...[`--test-reporter=${fileURLToPath(import.meta.url)}`, `--test-reporter-destination=${this.#file}`],
  ];

  /** Call once, at the end of the run. */
  take(): FileResults {
    const lines = readFileSync(this.#file, 'utf8').split('\n');
    rmSync(this.#folder, { recursive: true });
    const of = (word: string): readonly string[] => [
      ...new Set(lines.filter((line) => line.startsWith(word)).map((line) => line.slice(word.length))),
    ];
    return { failed: of('failed '), skipped: of('skipped ') };
  }

  get #file(): string {
    return join(this.#folder, 'files');
  }
}
