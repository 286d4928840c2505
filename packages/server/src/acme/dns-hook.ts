/**
 * The operator's own way to publish TXT records, for a zone that the daemon does not answer itself: a command. Never through a shell, and never
 * that it is waited for without end.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';
import type { Hostname } from '../core/hostname.ts';
import { AcmeFailure } from './acme-failure.ts';

/** Where the TXT records are written that a certificate authority asks for. */
export interface ProofTexts {
  /** Resolves when it is there. */
  add(name: Hostname, value: string): Promise<void>;
  /** All of a name. Resolves also when there is none. */
  clear(name: Hostname): Promise<void>;
}

/** With what a name server of the operator's needs to take it over. */
const HOOK_MS = 120_000;
const LARGEST_OUTPUT = 64 * 1024;

/** Runs `COMMAND add NAME VALUE` and `COMMAND remove NAME`. */
export class DnsHook implements ProofTexts {
  readonly #command: string;
  readonly #log: Pick<Logger, 'warn'>;

  constructor(command: string, log: Pick<Logger, 'warn'>) {
    this.#command = command;
    this.#log = log;
  }

  /** Rejects with AcmeFailure, as `clear` does. */
  add(name: Hostname, value: string): Promise<void> {
    return this.#run(['add', name, value]);
  }

  clear(name: Hostname): Promise<void> {
    return this.#run(['remove', name]);
  }

  #run(args: readonly string[]): Promise<void> {
    const bounds = { timeout: HOOK_MS, maxBuffer: LARGEST_OUTPUT, killSignal: 'SIGKILL' } as const;
    return new Promise((resolve, reject) => {
      execFile(this.#command, args, bounds, (error, _, stderr) => {
        if (error === null) return resolve();
        // What it says is the operator's to read, not the account's.
        this.#log.warn({ args, stderr, reason: error.message }, 'the command of --dns-hook failed');
        reject(new AcmeFailure('The service could not publish the proof in DNS.'));
      });
    });
  }
}
