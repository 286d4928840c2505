/** Opens one session with a service and ends it, to check that the service accepts this agent. */
import { ErrorCode } from '@underpass/wire';
import { parseFirstServer } from './address.ts';
import type { Welcome } from './hello.ts';
import { openSession } from './session.ts';
import type { Service } from './settings.ts';
import { TlsMemory } from './tls-memory.ts';

const TIMEOUT_MS = 15_000;

/**
 * Returns the service's data about itself. Rejects with Refused, or with the socket's error if it is unreachable.
 * Throws InvalidInput.
 */
export async function tryService(service: Service, signal: AbortSignal): Promise<Welcome> {
  const session = await openSession({
    server: parseFirstServer(service.server),
    authtoken: service.authtoken,
    earlier: { clientId: '', cookie: '' },
    leg: { number: 0, isFurther: false, most: 0 },
    heartbeat: { intervalMs: TIMEOUT_MS, toleranceMs: TIMEOUT_MS },
    dial: { tls: new TlsMemory(service), signal, timeoutMs: TIMEOUT_MS },
    beat: () => {},
    proxy: (stream) => stream.reset(ErrorCode.streamRefused),
    stop: () => {},
    restart: () => {},
    stopTunnel: () => {},
    refusals: () => {},
    connections: () => {},
  });
  await session.close();
  return session.welcome;
}
