/** `wrk` at a modest rate until it is stopped, with its own counts of what failed. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface SteadyLoad {
  readonly host: string;
  /** Port at 127.0.0.1. */
  readonly port: number;
  readonly connections: number;
  /** False: a new connection for each request. */
  readonly isKept: boolean;
  /** Milliseconds before each request of a connection. */
  readonly pauseMs: number;
}

/** Counts of one run. */
export interface WrkCounts {
  readonly requests: number;
  readonly connect: number;
  readonly read: number;
  readonly write: number;
  readonly timeout: number;
  /** Responses outside 200 to 399. */
  readonly status: number;
  /** Milliseconds of the slowest response. */
  readonly longestMs: number;
}

/** Longer than any measurement: `stop` ends it. */
const SECONDS = 3600;

export class SteadyWrk {
  readonly #child: ChildProcess;
  readonly #ended: Promise<unknown>;
  #output = '';

  /** `dir`: an existing folder for its script. */
  constructor(dir: string, { host, port, connections, isKept, pauseMs }: SteadyLoad) {
    const script = join(dir, `steady-${host}-${isKept}.lua`);
    writeFileSync(
      script,
      `function wrk.resolve(host, service) wrk.addrs = wrk.lookup("127.0.0.1", service) end
       wrk.headers["Host"] = "${host}"
       ${isKept ? '' : 'wrk.headers["Connection"] = "close"'}
       function delay() return ${pauseMs} end
       function done(summary, latency)
         local e = summary.errors
         io.write(string.format("RESULT %d %d %d %d %d %d %d\\n", summary.requests, e.connect, e.read, e.write, e.timeout, e.status, latency.max))
       end`,
    );
    const args = ['-t1', `-c${connections}`, `-d${SECONDS}s`, '--timeout', '30s', '-s', script];
    this.#child = spawn('wrk', [...args, `https://${host}:${port}/`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child.stdout?.on('data', (chunk: Buffer) => {
      this.#output += chunk.toString();
    });
    this.#ended = once(this.#child, 'close');
  }

  /** Ends it, and resolves with its counts. What is under way is not counted. */
  async stop(): Promise<WrkCounts> {
    this.#child.kill('SIGINT');
    await this.#ended;
    const found = /RESULT (\d+) (\d+) (\d+) (\d+) (\d+) (\d+) (\d+)/.exec(this.#output);
    if (found === null) throw new Error(`wrk printed no result:\n${this.#output}`);
    const [requests = 0, connect = 0, read = 0, write = 0, timeout = 0, status = 0, longest = 0] = found
      .slice(1)
      .map(Number);
    return { requests, connect, read, write, timeout, status, longestMs: longest / 1000 };
  }
}
