/** The memory and the work of a child process, as the kernel counts them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { eventually } from './until.ts';

/** Reason why memory cannot be measured here, for node:test's `skip`; false when it can. */
export const residentMissing: string | false = existsSync('/proc/self/clear_refs')
  ? false
  : 'resident memory is read from /proc, which this system does not have';

/** Resident memory of a process now. */
export function residentMegabytes(pid: number): number {
  return megabytes(pid, 'VmRSS');
}

/** Memory of a process now, in MB: what it shares counts by the number of processes that share it (PSS). */
export function sharedMegabytes(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s*(\d+) kB$/m.exec(rollup)?.[1]) / 1024;
}

function megabytes(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
}

/** Milliseconds after which an idle daemon does almost no work. */
const REST_MS = 300;
/** CPU time that timers and garbage collection may use meanwhile, in hundredths of a second. */
const RESTING_TICKS = 2;

export class Resident {
  readonly #pid: number;
  #baseline = 0;

  constructor(pid: number) {
    this.#pid = pid;
  }

  /** Starts the measurement of `grown`. Freed memory stays resident: measure once with a new daemon. */
  async start(): Promise<void> {
    await this.rest();
    // Sets the peak back to what is resident now (proc(5)).
    writeFileSync(`/proc/${this.#pid}/clear_refs`, '5');
    this.#baseline = residentMegabytes(this.#pid);
  }

  /** MB by which the daemon was larger than at the start, at its peak. */
  get grown(): number {
    return megabytes(this.#pid, 'VmHWM') - this.#baseline;
  }

  /** Resolves when the daemon has nothing left to do. */
  async rest(): Promise<void> {
    await eventually(async () => {
      const before = this.#ticks();
      await new Promise((done) => setTimeout(done, REST_MS));
      if (this.#ticks() - before > RESTING_TICKS) throw new Error('the daemon is still at work');
    });
  }

  /** CPU time, user and system. */
  #ticks(): number {
    const stat = readFileSync(`/proc/${this.#pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(fields[11]) + Number(fields[12]);
  }
}
