/**
 * Listening sockets that a service manager opened and keeps. Connections wait in them while one daemon ends and the
 * next one starts (sd_listen_fds(3)).
 * Invariant: a socket for another process is never taken, and no inherited socket stays unserved.
 */
import { ConfigError } from './options.ts';

/** The first descriptor that is passed on; the others follow it. */
const FIRST = 3;
/** Names that sockets may be passed on with: the options that they stand for. */
const NAMES = ['listen', 'http-listen', 'admin-listen', 'ssh-listen'] as const;

/** The descriptor for each option that has one. */
export type Inherited = Readonly<Partial<Record<(typeof NAMES)[number], number>>>;

/** Throws ConfigError when it cannot be known what a socket is for. */
export function inheritedSockets(env: NodeJS.ProcessEnv, pid: number): Inherited {
  if (env.LISTEN_PID !== String(pid)) return {};
  const count = Number(env.LISTEN_FDS);
  if (!Number.isInteger(count) || count < 0) {
    throw new ConfigError(`LISTEN_FDS=${env.LISTEN_FDS}: must be the number of sockets that are passed on`);
  }
  const given = (env.LISTEN_FDNAMES ?? '').split(':');
  const inherited: { [name in (typeof NAMES)[number]]?: number } = {};
  for (let at = 0; at < count; at++) {
    const text = given[at] ?? '';
    // Without FileDescriptorName= it is called after its unit.
    const name = NAMES.find((known) => known === text) ?? (count === 1 ? 'listen' : undefined);
    if (name === undefined || inherited[name] !== undefined) {
      throw new ConfigError(
        `the inherited socket ${at + 1} is named "${text}": of several, each needs another one of the names ${NAMES.join(', ')} (FileDescriptorName= in its socket unit)`,
      );
    }
    inherited[name] = FIRST + at;
  }
  return inherited;
}
