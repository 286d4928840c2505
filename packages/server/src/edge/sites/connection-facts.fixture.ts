/** Facts of a connection, for tests that need only some of them. */
import type { ConnectionFacts } from './facts.ts';

/** Returns facts of a plain connection from a documentation address, with changes. */
export function testConnection(changes: Partial<ConnectionFacts> = {}): ConnectionFacts {
  return {
    clientAddr: '192.0.2.1:1',
    serverAddr: '192.0.2.2:443',
    serverName: null,
    startedAt: new Date(0),
    ja4: '',
    tls: null,
    ...changes,
  };
}
