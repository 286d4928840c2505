/**
 * Starts and watches several daemons on one machine, and presents them as one: its listening sockets outlive them, and
 * its admin listener shows all of them.
 * Invariant: when it has stopped, no worker runs.
 */
import type { Logger } from 'pino';
import type { Config } from '../command/config.ts';
import type { Values } from '../command/options.ts';
import type { WorkerOptions } from '../command/worker-options.ts';
import { type Admin, startAdmin } from '../daemon/admin.ts';
import { type Configuration, RELOADED, reload } from '../daemon/reload.ts';
import { asStartError } from '../daemon/start-error.ts';
import { descriptorLimit, descriptorsInUse, planDescriptors } from '../system/descriptors.ts';
import { WorkersHealth } from './health.ts';
import { migratesConnections, Sockets } from './sockets.ts';
import { SummedMetrics } from './summed-metrics.ts';
import { Worker } from './worker.ts';

/** Milliseconds for the last responses of the admin listener. */
const LINGER_MS = 200;
const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

export class Supervisor {
  readonly #log: Logger;
  readonly #started: Configuration;
  /** The options of the next worker that starts. */
  #values: Values;
  readonly #metrics = new SummedMetrics();
  readonly #health = new WorkersHealth(() => this.#workers);
  #workers: readonly Worker[] = [];
  #sockets: Sockets | null = null;
  #admin: Admin | null = null;

  constructor(started: Configuration, log: Logger) {
    this.#started = started;
    this.#values = started.values;
    this.#log = log;
  }

  get #config(): Config {
    return this.#started.config;
  }

  /**
   * Resolves with the file of the first start, or null, when all workers are ready. Rejects with StartError or
   * WorkerFailed; call `stop` then, too. The first worker prepares the database before the others start.
   */
  async start({ count, timeoutMs }: WorkerOptions): Promise<string | null> {
    const log = this.#log;
    const migrates = count > 1 && migratesConnections();
    if (count > 1 && !migrates)
      log.info(
        'net.ipv4.tcp_migrate_req is not 1: connections that wait at a TCP port for a worker are reset if it ends; with 1 the system hands them to another worker',
      );
    try {
      await this.#startAdmin();
      const sockets = await Sockets.open(this.#config, count);
      this.#sockets = sockets;
      this.#workers = Array.from({ length: count }, (_, at) => {
        const number = at + 1;
        const ended = (): void => this.#metrics.ended(number);
        const values = (): Values => this.#values;
        return new Worker({ number, count, timeoutMs, sockets, migrates, values, ended, log });
      });
    } catch (error) {
      throw asStartError(error, this.#config.settings.dataDir);
    }
    const [first, ...others] = this.#workers;
    const outcome = await first?.start();
    await Promise.all(others.map((worker) => worker.start()));
    return outcome?.bootstrapFile ?? null;
  }

  /** Takes over what can be read again, and passes the signal on. Workers that start later get the same. */
  reload(readAgain: () => Configuration): void {
    const read = (): Configuration => {
      const latest = readAgain();
      const kept = [...this.#started.values].filter(([flag]) => !RELOADED.includes(flag));
      this.#values = new Map([...kept, ...[...latest.values].filter(([flag]) => RELOADED.includes(flag))]);
      return latest;
    };
    reload(this.#started, read, this.#log, { choice: 'off' });
    for (const worker of this.#workers) worker.signal('SIGHUP');
  }

  /** Lets the workers finish what runs. Resolves when all have ended. */
  async stop(): Promise<void> {
    this.#health.draining = 'the daemon is stopping';
    // From now on only the workers hold them, and close them when they have accepted what waits.
    this.#sockets?.close();
    await Promise.all(this.#workers.map((worker) => worker.stop('SIGTERM')));
    await this.#admin?.close(LINGER_MS);
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
      this.#workers.map(async (worker) => {
        const text = await worker.ask({ about: 'metrics' });
        if (text !== null && worker.isReady) this.#metrics.update(worker.number, text);
      }),
    );
    return this.#metrics.text();
  }
}
