/**
 * The backend that is an address, which the daemon dials itself.
 * Invariant: connections to an address end when it changes.
 */
import { isIP } from 'node:net';
import type { StoredDocument } from '../../documents/index.ts';
import type { ExplainedBackend, Opener } from '../sites/site.ts';
import type { BackendContext } from './backend-context.ts';

/** Connections to one address; visitors' addresses share them as they share the streams of an agent. */
const CAPACITY = 2048;

export function staticBackend(
  { id, account, body }: StoredDocument<'static_backend'>,
  { dialler }: BackendContext,
): ExplainedBackend {
  const { host, port, tls } = body;
  const gone = new AbortController();
  const opener: Opener = {
    id,
    session: id,
    capacity: CAPACITY,
    outstanding: 0,
    closed: gone.signal,
    // TLS that passes through is the visitor's own: another layer around it would not be understood.
    open: ({ passthroughTls, proto }) =>
      gone.signal.aborted
        ? null
        : dialler.dial({
            host,
            port,
            account,
            isTls: tls.enabled && !passthroughTls,
            fromPort: proto === 'tcp',
          }),
    expectAnswer() {},
  };
  return {
    id,
    pick: (tried) => (tried.has(opener) ? 'upstreamDialFailed' : opener),
    leadsTo: (other) => other === opener && !gone.signal.aborted,
    tunnels: () => null,
    preview({ proto }) {
      const place = { host, port, account, isTls: tls.enabled, fromPort: proto === 'tcp' };
      const instead = dialler.refusalOf(place);
      const at = `${host}:${port}`;
      if (instead !== null) return { id, instead, why: `The service does not dial ${at}.` };
      const how = isIP(host) === 0 ? ' Each address of the name is checked when it is dialled.' : '';
      return { id, instead, why: `The service would dial ${at}, which an explanation does not do.${how}` };
    },
    dispose: () => gone.abort(),
  };
}
