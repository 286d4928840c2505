/** The session and its tunnels. */
import type { TunnelView } from '../api-types.ts';
import { exchanges, status } from './state.ts';

export function Status() {
  const shown = status.value;
  if (shown === null) return <p class="nothing">…</p>;
  const { session, server, version, tunnels } = shown;
  const facts: [string, string][] = [
    ['Session', session.state],
    ['Since', new Date(session.since).toLocaleString()],
    ['Server', server],
    ['Region', session.region],
    ['Session id', session.id],
    ['Reason', session.reason],
    ['Agent', version],
  ];
  return (
    <section class="status-page" aria-label="Status">
      <h2>Session</h2>
      <dl class="facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
      <h2>Tunnels</h2>
      <ul class="tunnels">
        {tunnels.map((tunnel) => (
          <Tunnel key={tunnel.id} tunnel={tunnel} />
        ))}
      </ul>
    </section>
  );
}

function Tunnel({ tunnel }: { tunnel: TunnelView }) {
  const { id, name, proto, url, labels, forwardsTo, isOnline } = tunnel;
  const count = exchanges.value.filter((it) => it.tunnel === id).length;
  return (
    <li>
      <strong>{name ?? proto}</strong>{' '}
      <span class={isOnline ? 'status s2' : 'status s5'}>{isOnline ? 'online' : 'offline'}</span>
      <br />
      {url !== null && /^https?:/.test(url) ? (
        <a href={url} target="_blank" rel="noreferrer">
          {url}
        </a>
      ) : (
        (url ?? labelText(labels))
      )}{' '}
      → {forwardsTo}
      <br />
      <span class="remark">
        {proto === 'http' ? `${count} requests are kept` : `${proto}: its bytes are not looked into`}
      </span>
    </li>
  );
}

function labelText(labels: TunnelView['labels']): string {
  return Object.entries(labels ?? {})
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}
