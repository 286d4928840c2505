/** Result and subject of one check. */
import type { HostPort } from '../address.ts';
import type { ReachableService } from '../settings.ts';
import type { TlsMemory } from '../tls-memory.ts';

/** `warning`: it works, and may not tomorrow or not for everything; `skipped`: what it needs is not there, or failed before. */
export type Status = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  readonly status: Status;
  /** May contain text of a peer, unescaped. */
  readonly found: string;
  /** The remedy; '' if there is none. */
  readonly remedy: string;
}

export interface Subject {
  readonly service: ReachableService;
  readonly server: HostPort;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export interface Target extends Subject {
  /** Trust of all checks. The check of TLS finds a pinned authority. */
  readonly tls: TlsMemory;
}

export type Look = (target: Target) => Promise<Finding>;

/** Milliseconds for each connection and each response. */
export const TIMEOUT_MS = 10_000;

export function ok(found: string): Finding {
  return { status: 'ok', found, remedy: '' };
}

export function warning(found: string, remedy: string): Finding {
  return { status: 'warning', found, remedy };
}

export function failed(found: string, remedy: string): Finding {
  return { status: 'failed', found, remedy };
}

export function skipped(found: string, remedy = ''): Finding {
  return { status: 'skipped', found, remedy };
}
