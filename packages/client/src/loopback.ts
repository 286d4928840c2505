/** Reaches names below `.localhost`, which DNS does not know. */
import type { LookupAddress, LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** `localhost` and every name below it: loopback by definition (RFC 6761 section 6.3), without DNS. */
function isLoopbackName(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

const LOOPBACK: readonly LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

const answerLoopback: LookupFunction = (_hostname, options: LookupOptions, callback) => {
  if (options.all === true) callback(null, [...LOOPBACK]);
  else callback(null, '127.0.0.1', 4);
};

export interface Route {
  readonly host: string;
  readonly port: number;
  readonly lookup?: LookupFunction;
  readonly autoSelectFamily?: boolean;
  readonly autoSelectFamilyAttemptTimeout?: number;
}

/** Options of net.connect, tls.connect and https.request that reach `host`: loopback names are not resolved with DNS. */
export function routeTo(host: string, port: number): Route {
  if (!isLoopbackName(host)) return { host, port };
  // The second address is for a refusal only. A short attempt timeout would give up on a live 127.0.0.1 whenever
  // this process is busy for a moment.
  return {
    host,
    port,
    lookup: answerLoopback,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 10_000,
  };
}
