/**
 * Logs the expiry of a certificate: 30, 7 and 1 days before, and after it.
 * Invariant: each of these is logged once, with a limit on lines at a time.
 */
import type { CertificateExpiry } from './certificate-expiry.ts';

const dayMs = 24 * 60 * 60_000;
const warnedDays = [0, 1, 7, 30] as const;
const mostDays = Math.max(...warnedDays);
const lookMs = 60 * 60_000;
/** Number of lines of each check; the next checks log the rest. */
const linesAtOnce = 100;

export interface ExpiryLogOptions {
  /** Expiries of the certificates in use. */
  readonly expiries: () => Iterable<CertificateExpiry>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly log: {
    warn(about: { readonly certificate: string; readonly expires_at: string }, message: string): void;
  };
}

interface Said {
  readonly notAfterMs: number;
  readonly days: number;
}

export class ExpiryLog {
  readonly #options: ExpiryLogOptions;
  #said = new Map<string, Said>();

  constructor(options: ExpiryLogOptions) {
    this.#options = options;
  }

  /** Looks now, and every hour until what is answered is called. */
  start(): () => void {
    this.look();
    const timer = setInterval(() => this.look(), lookMs);
    timer.unref();
    return () => clearInterval(timer);
  }

  look(): void {
    const { expiries, now, log } = this.#options;
    const said = new Map<string, Said>();
    let lines = 0;
    const soon = Iterator.from(expiries()).filter(({ notAfterMs }) => notAfterMs - now() <= mostDays * dayMs);
    for (const { name, notAfterMs } of [...soon].sort((a, b) => a.notAfterMs - b.notAfterMs)) {
      const days = warnedDays.find((each) => notAfterMs - now() <= each * dayMs);
      if (days === undefined) continue;
      const former = this.#said.get(name);
      const isSaid = former?.notAfterMs === notAfterMs && former.days <= days;
      if (!isSaid && lines === linesAtOnce) continue;
      said.set(name, isSaid ? former : { notAfterMs, days });
      if (isSaid) continue;
      lines += 1;
      const expires_at = new Date(notAfterMs).toISOString();
      const text = days === 0 ? 'a certificate has expired' : 'a certificate expires soon: replace it';
      log.warn({ certificate: name, expires_at }, text);
    }
    // Forgets certificates that are no longer in use.
    this.#said = said;
  }
}
