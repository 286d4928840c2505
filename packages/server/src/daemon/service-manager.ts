/**
 * Notifies a service manager that started the daemon: that it is ready, that it lives, that it stops (sd_notify(3)).
 * `systemd-notify` sends the notices, because Node cannot write datagrams to Unix sockets.
 * Invariant: no program that the daemon starts can send notices in its name.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';

const COMMAND = 'systemd-notify';

export class ServiceManager {
  /** Path of the notification socket; null: no service manager wants notices. */
  readonly #socket: string | null;
  /** Milliseconds between notices that the daemon lives; null: no such notices. */
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
    // Half the time, so that a slightly late notice still arrives in time.
    this.#everyMs = microseconds > 0 ? microseconds / 2000 : null;
    this.#log = log;
  }

  /** Sends the notice of readiness. Then notices that the daemon lives follow for as long as its event loop turns. */
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
        `the service manager gets no notices of the daemon: install ${COMMAND} (package systemd), or set Type=exec in the unit`,
      );
    });
  }
}
