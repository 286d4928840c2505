/**
 * One subject of a measurement: the address of its front, and how to stop it. A peer that this machine lacks has a
 * reason instead.
 */
import { spawnSync } from 'node:child_process';

export interface Target {
  /** URL scheme, host name (also the SNI) and port; every name is dialled on loopback. */
  readonly scheme: 'http' | 'https';
  readonly host: string;
  readonly port: number;
  /** Address on this machine; default 127.0.0.1. */
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Peer {
  readonly name: string;
  readonly target: Target;
  /** The processes whose CPU time is what it costs, with those below them. */
  readonly pids: readonly number[];
  stop(): Promise<void>;
}

export interface MissingPeer {
  readonly name: string;
  /** Package to install. */
  readonly missing: string;
}

export function isMissing(peer: Peer | MissingPeer): peer is MissingPeer {
  return 'missing' in peer;
}

/** Returns true if a program is on the PATH (or in /usr/sbin, where Debian puts servers). */
export function findProgram(name: string): string | null {
  const { stdout, status } = spawnSync(
    'sh',
    ['-c', `PATH="$PATH:/usr/sbin:/usr/local/sbin" command -v ${name}`],
    { encoding: 'utf8' },
  );
  return status === 0 ? stdout.trim() : null;
}
