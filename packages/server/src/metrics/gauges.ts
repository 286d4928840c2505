/** Gauges that each scrape reads from the parts of the daemon. */

import { type CertificateExpiry, firstToExpire } from '../pki/certificate-expiry.ts';
import { Gauge, type Registry } from './prometheus.ts';

/** Values that each scrape reads. */
export interface Parts {
  readonly sessions: () => number;
  readonly tunnels: () => number;
  readonly connections: () => number;
  readonly connectionLimit: number;
  /** True if there is an edge, a route or a backend by this id. */
  readonly exists: (id: string) => boolean;
  readonly tcpListeners: () => { readonly open: number; readonly missing: number };
  /** This daemon in the directory of its database; null: it is the only one, or it has not joined. */
  readonly node: () => { readonly name: string; readonly incarnation: number } | null;
  /** Daemons of the database that may live. */
  readonly nodes: () => number;
  /** This daemon serves nothing, because it alone is cut off from the database. */
  readonly isIsolated: () => boolean;
  /** Links to other daemons that are up. */
  readonly links: () => number;
  /** Tunnels of other daemons that visitors are led to. */
  readonly remoteTunnels: () => number;
  /** Streams of visitors who came to other daemons. */
  readonly hops: () => number;
  /** Expiries of the local authority, and of certificates by other authorities. */
  readonly certificates: () => Iterable<CertificateExpiry>;
}

/** So many certificates have a series of their own: those that expire first. */
const CERTIFICATES = 100;

/** `parts`: null while the daemon starts. */
export function watchGauges(registers: Registry[], parts: () => Parts | null): void {
  const gauge = (name: string, help: string, read: (parts: Parts) => number): void => {
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const now = parts();
        if (now !== null) this.set(read(now));
      },
    });
  };
  gauge('underpass_agent_sessions', 'Agent sessions online', ({ sessions }) => sessions());
  gauge('underpass_tunnels', 'Tunnels online', ({ tunnels }) => tunnels());
  gauge(
    'underpass_front_door_connections',
    'Open connections at the front door and at the ports of TCP edges',
    ({ connections }) => connections(),
  );
  gauge(
    'underpass_front_door_connections_limit',
    'Connections at the front door and at the ports of TCP edges, and these ports, for which the process has file descriptors',
    ({ connectionLimit }) => connectionLimit,
  );
  gauge(
    'underpass_tcp_listeners',
    'Ports of TCP edges that are listened on',
    ({ tcpListeners }) => tcpListeners().open,
  );
  gauge(
    'underpass_tcp_listeners_missing',
    'Ports of TCP edges that cannot be listened on; they are tried again',
    ({ tcpListeners }) => tcpListeners().missing,
  );
  gauge(
    'underpass_certificate_first_expiry_timestamp_seconds',
    'Earliest expiry of the certificates that the daemon does not renew by itself',
    ({ certificates }) => (firstToExpire(certificates(), 1)[0]?.notAfterMs ?? Number.NaN) / 1000,
  );
  gauge(
    'underpass_nodes',
    'Daemons of the database that may live, as this one knows; 1 for a daemon alone',
    ({ nodes }) => nodes(),
  );
  gauge(
    'underpass_isolated',
    '1 while the daemon serves nothing because it alone is cut off from the database, else 0; with workers the number of such workers',
    ({ isIsolated }) => Number(isIsolated()),
  );
  gauge(
    'underpass_links',
    'Links to other daemons that are up; one less than underpass_nodes if visitors here reach all tunnels',
    ({ links }) => links(),
  );
  gauge(
    'underpass_remote_tunnels',
    'Tunnels of other daemons that visitors of this one are led to',
    ({ remoteTunnels }) => remoteTunnels(),
  );
  gauge(
    'underpass_hop_streams',
    'Open streams to tunnels of this daemon for visitors of other daemons',
    ({ hops }) => hops(),
  );
  new Gauge({
    name: 'underpass_node_info',
    help: 'Always 1; the name and the incarnation of the daemon among those of its database. No sample for a daemon alone',
    labelNames: ['node', 'incarnation'],
    registers,
    collect() {
      this.reset();
      const now = parts()?.node() ?? null;
      if (now !== null) this.set({ node: now.name, incarnation: String(now.incarnation) }, 1);
    },
  });
  new Gauge({
    name: 'underpass_certificate_expiry_timestamp_seconds',
    help: `Expiry of a certificate: "local_authority", the file of --tls-cert, or the id of an uploaded one that is in use; the ${CERTIFICATES} that expire first`,
    labelNames: ['certificate'],
    registers,
    collect() {
      this.reset();
      for (const { name, notAfterMs } of firstToExpire(parts()?.certificates() ?? [], CERTIFICATES))
        this.set({ certificate: name }, notAfterMs / 1000);
    },
  });
}
