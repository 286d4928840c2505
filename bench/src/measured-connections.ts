/** New TLS connections to something, with the CPU that all its processes used for them. */
import { runScript } from './children.ts';
import type { ConnectionLoad, ConnectionOutcome } from './connection-driver.ts';
import { cpuMicroseconds } from './cpu.ts';
import type { Loaded } from './measured-load.ts';

export interface ConnectionSubject extends Loaded {
  /** The path to request on each connection. */
  readonly path: string;
}

export interface MeasuredConnections {
  readonly perSecond: number;
  /** Microseconds per connection. */
  readonly cpu: number;
}

export async function measureConnections(
  { name, target, pids, path }: ConnectionSubject,
  how: Omit<ConnectionLoad, 'target' | 'path'>,
): Promise<MeasuredConnections> {
  const load: ConnectionLoad = { target, path, ...how };
  const before = cpuMicroseconds(pids);
  const printed = await runScript('connection-driver.ts', [JSON.stringify(load)]);
  const { connections, perSecond, errors } = JSON.parse(printed) as ConnectionOutcome;
  if (errors > 0) console.error(`${name}: ${errors} errors`);
  return { perSecond, cpu: (cpuMicroseconds(pids) - before) / connections };
}
