/**
 * What a service manager that started the daemon is told: that it is ready, that it lives, that it stops (sd_notify(3)). `systemd-notify` says it,
 * since Node writes no datagrams to sockets of files. Never that a program which the daemon starts could speak in its name.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

const COMMAND = 'systemd-notify';

export class ServiceManager {
  /** Null: nobody asked to be told. */
  readonly #socket: string | null;
  /** How often it has to be told that the daemon lives; null: never. */
  readonly #everyMs: number | null;
  readonly #log: Pick<Logger, 'warn'>;
  #hasFailed = false;

  /** Takes out of `env` what is meant for the process `pid` alone. */
  constructor(env: NodeJS.ProcessEnv, pid: number, log: Pick<Logger, 'warn'>) {
    const { NOTIFY_SOCKET = '', WATCHDOG_USEC = '', WATCHDOG_PID = String(pid) } = env;
    delete env.NOTIFY_SOCKET;
    delete env.WATCHDOG_USEC;
    delete env.WATCHDOG_PID;
    this.#socket = NOTIFY_SOCKET === '' ? null : NOTIFY_SOCKET;
    const microseconds = WATCHDOG_PID === String(pid) ? Number(WATCHDOG_USEC) : 0;
    // Half the time: what is said a little later than meant is still heard.
    this.#everyMs = microseconds > 0 ? microseconds / 2000 : null;
    this.#log = log;
  }

  /** From now on it is told, too, that the daemon lives, for as long as its event loop turns. */
  ready(status: string): void {
    this.#tell('READY=1', `STATUS=${status}`);
    if (this.#everyMs !== null) setInterval(() => this.#tell('WATCHDOG=1'), this.#everyMs).unref();
  }

  stopping(): void {
    this.#tell('STOPPING=1', 'STATUS=lets what runs finish');
  }

  #tell(...assignments: readonly string[]): void {
    if (this.#socket === null) return;
    const env = { ...process.env, NOTIFY_SOCKET: this.#socket };
    execFile(COMMAND, assignments, { env }, (error) => {
      if (error === null || this.#hasFailed) return;
      this.#hasFailed = true;
      this.#log.warn(
        { err: error },
        `the service manager cannot be told how the daemon is: ${COMMAND} has to be installed (package systemd), or Type=exec said in the unit`,
      );
    });
  }
}
