/**
 * Records the CPU time and the wall time of each test file. CPU time is comparable on a busy machine, too.
 * Files run in groups as usual, so that the sum is that of a usual run.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

/** The variable with the path of the file that test processes append to, as lines of JSON. */
export const DURATIONS_FILE = 'TEST_DURATIONS';
const SHOWN = 20;

/** Times in seconds. */
export interface FileDuration {
  readonly file: string;
  readonly own: number;
  /** CPU time of started processes, such as daemons. */
  readonly children: number;
  readonly wall: number;
}

export class Durations {
  readonly #folder = mkdtempSync(join(tmpdir(), 'underpass-durations-'));

  /** Flags of Node that measure each file. */
  readonly flags = [`--import=${import.meta.resolve('./measure.ts')}`];

  get environment(): Readonly<Record<string, string>> {
    return { [DURATIONS_FILE]: this.#file };
  }

  /** The files that took most, by CPU and by the wall. Call once, at the end: what was written down is removed. */
  report(): string {
    const lines = existsSync(this.#file) ? readFileSync(this.#file, 'utf8').trim().split('\n') : [];
    rmSync(this.#folder, { recursive: true });
    return reportOf(lines.map((line) => JSON.parse(line) as FileDuration));
  }

  get #file(): string {
    return join(this.#folder, 'durations');
  }
}

export function reportOf(durations: readonly FileDuration[]): string {
  const orders = {
    'CPU seconds': (one: FileDuration) => one.own + one.children,
    'seconds on the wall': (one: FileDuration) => one.wall,
  };
  return Object.entries(orders)
    .map(([what, by]) => {
      const most = durations.toSorted((a, b) => by(b) - by(a)).slice(0, SHOWN);
      return [`files with the most ${what}:`, ...most.map(line)].join('\n');
    })
    .join('\n');
}

function line({ file, own, children, wall }: FileDuration): string {
  const [cpu, started, passed] = [own + children, children, wall].map((value) =>
    value.toFixed(1).padStart(6),
  );
  return `${cpu} CPU (${started} in processes it started) ${passed} wall  ${relative(process.cwd(), file)}`;
}
