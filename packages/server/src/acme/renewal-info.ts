/**
 * Reads the renewal window that a certificate authority suggests (RFC 9773).
 * Invariant: a renewal never moves past the certificate's end.
 */
import { certificateIdentifier } from '../pki/certificate-identifier.ts';
import type { AcmeClient } from './acme-client.ts';

export interface RenewalInfo {
  /** Milliseconds since 1970. The renewal should begin between start and end. */
  readonly start: number;
  readonly end: number;
  /** Milliseconds until the next request. */
  readonly askAfterMs: number;
}

const HOUR_MS = 60 * 60_000;
/**
 * Milliseconds between two requests (RFC 9773, section 4.3.3): the default, and the limits of the authority's value.
 */
const USUALLY_ASKED_MS = 6 * HOUR_MS;
const SOONEST_ASKED_MS = HOUR_MS;
const LATEST_ASKED_MS = 24 * HOUR_MS;
/**
 * Milliseconds after the issuance before which no renewal begins. Otherwise an authority with past windows would cause
 * one order after another.
 */
const SOONEST_RENEWED_MS = 6 * HOUR_MS;

export class RenewalInfoSource {
  readonly #client: AcmeClient;
  readonly #directory: string;
  #url: string | null | undefined;

  constructor(client: AcmeClient, directory: string) {
    this.#client = client;
    this.#directory = directory;
  }

  /** Returns true if the authority offers renewal information. Rejects with AcmeFailure. */
  async isOffered(signal: AbortSignal): Promise<boolean> {
    return (await this.#base(signal)) !== null;
  }

  /** Returns null if the authority has no information about this certificate. Rejects with AcmeFailure. */
  async read(chain: string, signal: AbortSignal): Promise<RenewalInfo | null> {
    const base = await this.#base(signal);
    const identifier = base === null ? null : certificateIdentifier(chain);
    if (base === null || identifier === null) return null;
    const { data, retryAfterMs } = await this.#client.read(signal, `${base}/${identifier}`);
    return parseInfo(data, retryAfterMs);
  }

  async #base(signal: AbortSignal): Promise<string | null> {
    if (this.#url === undefined) {
      const { data } = await this.#client.read(signal, this.#directory);
      const url = isRecord(data) ? data.renewalInfo : undefined;
      this.#url = typeof url === 'string' ? url.replace(/\/+$/, '') : null;
    }
    return this.#url;
  }
}

/** Returns null if the response contains no window. */
function parseInfo(data: unknown, retryAfterMs: number): RenewalInfo | null {
  const window = isRecord(data) ? data.suggestedWindow : undefined;
  const [start, end] = isRecord(window) ? [window.start, window.end].map(toTime) : [];
  if (start === undefined || end === undefined || !(start <= end)) return null;
  const wanted = retryAfterMs === 0 ? USUALLY_ASKED_MS : retryAfterMs;
  return { start, end, askAfterMs: Math.min(Math.max(wanted, SOONEST_ASKED_MS), LATEST_ASKED_MS) };
}

/** Milliseconds since 1970. */
export interface CertificateTimes {
  readonly issuedAt: number;
  /** The current time of the renewal. */
  readonly renewsAt: number;
  readonly notAfter: number;
}

/**
 * Returns a time in the window: the current one if it is in it, so that repeated requests change nothing. `random` is a
 * number from 0 to 1.
 */
export function renewalWithin(
  { start, end }: Pick<RenewalInfo, 'start' | 'end'>,
  { issuedAt, renewsAt, notAfter }: CertificateTimes,
  random: number,
): number {
  if (renewsAt >= start && renewsAt <= end) return renewsAt;
  const wanted = Math.min(start + (end - start) * random, Math.max(renewsAt, notAfter - HOUR_MS));
  return Math.round(Math.max(wanted, Math.min(issuedAt + SOONEST_RENEWED_MS, renewsAt)));
}

function toTime(value: unknown): number {
  return typeof value === 'string' ? Date.parse(value) : Number.NaN;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
