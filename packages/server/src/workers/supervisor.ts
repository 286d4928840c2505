/**
 * Starts and watches several daemons on one machine, and presents them as one: its listening sockets outlive them, and
 * its admin listener shows all of them.
 * Invariant: when it has stopped, no worker runs.
 */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import type { Config } from '../command/config.ts';
import { ConfigError, type Values } from '../command/options.ts';
import type { WorkerOptions } from '../command/worker-options.ts';
import { type Admin, startAdmin } from '../daemon/admin.ts';
import { type Configuration, differences, RELOADED, reload } from '../daemon/reload.ts';
import { asStartError } from '../daemon/start-error.ts';
import { OperatorError } from '../operator/operator-error.ts';
import { descriptorLimit, descriptorsInUse, planDescriptors } from '../system/descriptors.ts';
import { WorkersHealth } from './health.ts';
import { roll } from './roll.ts';
import { migratesConnections, Sockets } from './sockets.ts';
import { SummedMetrics } from './summed-metrics.ts';
import { Worker, type WorkerPlan } from './worker.ts';

/** Milliseconds for the last responses of the admin listener. */
const LINGER_MS = 200;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** Options that hold until the supervisor starts again: it uses them itself, or all daemons must have the same. */
const OF_SUPERVISOR: readonly string[] = [
  ...['listen', 'http-listen', 'ssh-listen', 'admin-listen', 'admin-host', 'workers', 'worker-timeout'],
  ...['database', 'data-dir', 'alone', 'node-name', 'log-format'],
];

/** The result of a restart of workers. */
export interface Restarted {
  /** Numbers of the workers that were started. */
  readonly workers: readonly number[];
  /** Options that have changed and take effect only if the daemon itself is started again. */
  readonly waiting: readonly string[];
}

export class Supervisor {
  readonly #log: Logger;
  #started: Configuration;
  readonly #metrics = new SummedMetrics();
  readonly #health = new WorkersHealth(() => this.#workers);
  #workers: Worker[] = [];
  /** Workers that are about to serve, or that leave. */
  readonly #others = new Set<Worker>();
  #options: WorkerOptions = { count: 0, timeoutMs: 0 };
  #migrates = false;
  #isRolling = false;
  readonly #group = randomUUID();
  #sockets: Sockets | null = null;
  #admin: Admin | null = null;

  constructor(started: Configuration, log: Logger) {
    this.#started = started;
    this.#log = log;
  }

  get #config(): Config {
    return this.#started.config;
  }

  /**
   * Resolves with the file of the first start, or null, when all workers are ready. Rejects with StartError or
   * WorkerFailed; call `stop` then, too. The first worker prepares the database before the others start.
   */
  async start(options: WorkerOptions): Promise<string | null> {
    const { count } = options;
    this.#options = options;
    this.#migrates = count > 1 && migratesConnections();
    if (count > 1 && !this.#migrates)
      this.#log.info(
        'net.ipv4.tcp_migrate_req is not 1: connections that wait at a TCP port for a worker are reset if it ends; with 1 the system hands them to another worker',
      );
    try {
      await this.#startAdmin();
      const sockets = await Sockets.open(this.#config, count);
      this.#sockets = sockets;
      this.#workers = Array.from({ length: count }, (_, at) => {
        const { values } = this.#started;
        return this.#make(sockets, { number: at + 1, seat: at + 1, isFirst: at === 0, values });
      });
    } catch (error) {
      throw asStartError(error, this.#config);
    }
    const [first, ...others] = this.#workers;
    const outcome = await first?.start();
    await Promise.all(others.map((worker) => worker.start()));
    return outcome?.bootstrapFile ?? null;
  }

  #make(sockets: Sockets, plan: Pick<WorkerPlan, 'number' | 'seat' | 'isFirst' | 'values'>): Worker {
    const { timeoutMs } = this.#options;
    const served = (): void => this.#served();
    const ended = (): void => {
      this.#metrics.ended(plan.number);
      served();
    };
    const migrates = this.#migrates;
    const hasSiblings = this.#hasSiblings;
    return new Worker({
      ...plan,
      group: this.#group,
      hasSiblings,
      timeoutMs,
      sockets,
      migrates,
      served,
      ended,
      log: this.#log,
    });
  }

  /** Several daemons can use the database at a time. */
  get #hasSiblings(): boolean {
    const { database, isAlone } = this.#config;
    return database.kind === 'postgres' && !isAlone;
  }

  /** Takes over what can be read again, and passes the signal on. Workers that start later get the same. */
  reload(readAgain: () => Configuration): void {
    const all = [...this.#workers, ...this.#others];
    const read = (): Configuration => {
      const latest = readAgain();
      for (const worker of all)
        worker.values = mixed(worker.values, latest.values, (flag) => RELOADED.includes(flag));
      return latest;
    };
    reload(this.#started, read, this.#log, { choice: 'off' });
    for (const worker of all) worker.signal('SIGHUP');
  }

  /**
   * Restarts the workers one after the other, with the options as they are now. Rejects with OperatorError. `only`: the
   * number of the only one; null: all.
   */
  async restart(readAgain: () => Configuration, only: number | null): Promise<Restarted> {
    const sockets = this.#sockets;
    if (sockets === null || this.#health.draining !== null)
      throw new OperatorError('the daemon is starting or stopping: try again when it is ready');
    if (this.#isRolling)
      throw new OperatorError('workers are being restarted already: wait until that is done, then try again');
    this.#isRolling = true;
    try {
      const latest = latestOf(readAgain);
      const values = mixed(latest.values, this.#started.values, (flag) => OF_SUPERVISOR.includes(flag));
      const waiting = differences(latest.values, values);
      const parts = {
        ...{ workers: this.#workers, others: this.#others, sockets, log: this.#log },
        hasSiblings: this.#hasSiblings,
        isStopping: () => this.#health.draining !== null,
        make: (plan: Pick<WorkerPlan, 'number' | 'seat' | 'values'>) =>
          this.#make(sockets, { ...plan, isFirst: plan.seat === 1 }),
      };
      const workers = await roll(parts, { only, values });
      if (only === null) this.#started = { ...this.#started, values };
      return { workers, waiting };
    } finally {
      this.#isRolling = false;
    }
  }

  /** Lets the workers finish what runs. Resolves when all have ended. */
  async stop(): Promise<void> {
    this.#health.draining = 'the daemon is stopping';
    // From now on only the workers hold them, and close them when they have accepted what waits.
    this.#sockets?.close();
    const all = [...this.#workers, ...this.#others];
    if (all.length > 1) await Promise.all(all.map((worker) => worker.ask({ about: 'endTogether' })));
    await Promise.all(all.map((worker) => worker.stop('SIGTERM')));
    await this.#admin?.close(LINGER_MS);
  }

  /** Reports to workers that stop that the visitors of all of them are served, if they are. */
  #served(): void {
    const all = [...this.#workers, ...this.#others];
    if (this.#health.draining === null || all.some(({ isServing }) => isServing)) return;
    for (const worker of all) void worker.ask({ about: 'allServed' });
  }

  async #startAdmin(): Promise<void> {
    const { adminListen, adminHosts: hosts } = this.#config;
    if (adminListen === null) return;
    const { admin: connections } = planDescriptors(descriptorLimit(), descriptorsInUse());
    const metrics = {
      contentType: CONTENT_TYPE,
      text: () => this.#text(),
      acceptFailed: () => {},
    };
    this.#admin = await startAdmin(
      adminListen,
      { metrics, readiness: this.#health, connections, hosts },
      this.#log,
    );
  }

  async #text(): Promise<string> {
    await Promise.all(
      [...this.#workers, ...this.#others].map(async (worker) => {
        const text = await worker.ask({ about: 'metrics' });
        if (text !== null && worker.isReady) this.#metrics.update(worker.number, text);
      }),
    );
    return this.#metrics.text();
  }
}

function latestOf(readAgain: () => Configuration): Configuration {
  try {
    return readAgain();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new OperatorError(
      `the configuration cannot be read, and no worker was restarted: ${error.message}`,
      { cause: error },
    );
  }
}

/** Returns `values`, but those of `others` for the flags that `isOther` accepts. */
function mixed(values: Values, others: Values, isOther: (flag: string) => boolean): Values {
  const kept = [...values].filter(([flag]) => !isOther(flag));
  return new Map([...kept, ...[...others].filter(([flag]) => isOther(flag))]);
}
