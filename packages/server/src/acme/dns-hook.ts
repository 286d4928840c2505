/**
 * The operator's own way to publish TXT records, for a zone that the daemon does not answer itself: a command. Never through a shell, never
 * that it is waited for without end, and never that an authority is asked to look before DNS has what was published.
 */
import { execFile } from 'node:child_process';
import type { Logger } from 'pino';
import type { Hostname } from '../core/hostname.ts';
import { LookupError, type NameLookup } from '../dns/resolver.ts';
import { AcmeFailure } from './acme-failure.ts';
import { polls } from './polls.ts';

/** Where the TXT records are written that a certificate authority asks for. */
export interface ProofTexts {
  /** Resolves when it is there. */
  add(name: Hostname, value: string, signal: AbortSignal): Promise<void>;
  /** All of a name. Resolves also when there is none. */
  clear(name: Hostname): Promise<void>;
}

/** With what a name server of the operator's needs to take it over. */
const HOOK_MS = 120_000;
const LARGEST_OUTPUT = 64 * 1024;
const RECORD = 'DNS_RECORD';
const TTL_SECONDS = 60;
/** For name servers that take a change over after the command has ended. */
const SEEN_MS = 60_000;

interface Call {
  /** That is to be there, or of which all are to go. */
  readonly record: string;
  readonly signal?: AbortSignal;
}

export interface DnsHookOptions {
  readonly command: string;
  readonly lookup: Pick<NameLookup, 'texts'>;
  readonly log: Pick<Logger, 'warn'>;
  /** For how long what was published may be missing in DNS, in milliseconds; default a minute. */
  readonly seenMs?: number;
}

/**
 * Runs `COMMAND add NAME VALUE` and `COMMAND remove NAME`. One value in 64 begins with a hyphen, which tools take for an option: so the
 * record is in the environment, too, as it stands in a zone.
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
      'the command of --dns-hook succeeded, and DNS has not what it was told to add',
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
          // What it says is the operator's to read, not the account's.
          log.warn({ args, stderr, reason: error.message }, 'the command of --dns-hook failed');
          reject(new AcmeFailure('The service could not publish the proof in DNS.'));
        },
      );
    });
  }
}

/** Without what is the daemon's own there, such as its keys. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERPASS_')));
}
