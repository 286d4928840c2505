/**
 * Publishes TXT records by the operator's command, for a zone that the daemon does not serve itself.
 * Invariant: no shell runs, and every wait has a limit.
 * Invariant: the authority validates only after DNS has the records.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';
import type { Hostname } from '../core/names/hostname.ts';
import { LookupError, type NameLookup } from '../dns/resolver.ts';
import { AcmeFailure } from './acme-failure.ts';
import { polls } from './polls.ts';

/** Publishes the TXT records that a certificate authority requests. */
export interface ProofTexts {
  /** Resolves when the record is published. */
  add(name: Hostname, value: string, signal: AbortSignal): Promise<void>;
  /** Removes all records of a name. Resolves also if there is none. */
  clear(name: Hostname): Promise<void>;
}

/** Milliseconds for the command, including the time in which the operator's name server takes over the change. */
const HOOK_MS = 120_000;
const LARGEST_OUTPUT = 64 * 1024;
const RECORD = 'DNS_RECORD';
const TTL_SECONDS = 60;
/** Milliseconds for name servers that take over a change after the command has ended. */
const SEEN_MS = 60_000;

interface Call {
  /** The record that must exist, or the name whose records must not. */
  readonly record: string;
  readonly signal?: AbortSignal;
}

export interface DnsHookOptions {
  readonly command: string;
  readonly lookup: Pick<NameLookup, 'texts'>;
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds that a published record may be missing in DNS; default a minute. */
  readonly seenMs?: number;
}

/**
 * Runs `COMMAND add NAME VALUE` and `COMMAND remove NAME`. One value in 64 begins with a hyphen, like an option. So the
 * environment has the record, too, in the syntax of a zone.
 */
export class DnsHook implements ProofTexts {
  readonly #options: DnsHookOptions;

  constructor(options: DnsHookOptions) {
    this.#options = options;
  }

  /** Rejects with AcmeFailure, as `clear` does. */
  async add(name: Hostname, value: string, signal: AbortSignal): Promise<void> {
    await this.#run(['add', name, value], { record: `${name}. ${TTL_SECONDS} IN TXT "${value}"`, signal });
    await this.#untilSeen(name, value, signal);
  }

  clear(name: Hostname): Promise<void> {
    return this.#run(['remove', name], { record: `${name}. IN TXT` });
  }

  async #untilSeen(name: Hostname, value: string, signal: AbortSignal): Promise<void> {
    const { lookup, log, seenMs = SEEN_MS } = this.#options;
    let reason = 'other texts, or none, are there';
    for await (const _ of polls(signal, seenMs)) {
      try {
        if ((await lookup.texts(name)).includes(value)) return;
      } catch (error) {
        if (!(error instanceof LookupError)) throw error;
        reason = error.message;
      }
    }
    log.warn(
      { name, reason },
      'the command of --dns-hook succeeded, but DNS does not have the record that it added',
    );
    throw new AcmeFailure(`The proof that the service published at ${name} is not seen in DNS.`);
  }

  #run(args: readonly string[], { record, signal }: Call): Promise<void> {
    const { command, log } = this.#options;
    const bounds = { timeout: HOOK_MS, maxBuffer: LARGEST_OUTPUT, killSignal: 'SIGKILL' } as const;
    const env = { ...environment(), [RECORD]: record };
    return new Promise((resolve, reject) => {
      execFile(
        command,
        args,
        { ...bounds, env, ...(signal === undefined ? {} : { signal }) },
        (error, _, stderr) => {
          if (error === null) return resolve();
          // The output is for the operator only, not for the account.
          log.warn({ args, stderr, reason: error.message }, 'the command of --dns-hook failed');
          reject(new AcmeFailure('The service could not publish the proof in DNS.'));
        },
      );
    });
  }
}

/** Returns the environment without the daemon's own variables, such as its keys. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERPASS_')));
}
