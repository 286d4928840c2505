/** The facts of a connection of which a test cares for some only. */
import type { ConnectionFacts } from './facts.ts';

/** Plain, from an address of the documentation unless told otherwise. */
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
