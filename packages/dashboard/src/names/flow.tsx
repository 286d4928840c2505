/** The way of a request to a name: listener, edge, routes with their modules, backends, tunnels and agents. */
import type { Endpoint, NameEntry } from '@underpass/client';
import type { Json } from '@underpass/ui/form/openapi.ts';
import { Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { useGet } from '../api/cache.ts';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';
import { BackendView, TunnelView } from './backend-view.tsx';
import { isEnabled, Modules, type Row } from './module-switch.tsx';
import { moduleWord } from './words.ts';

const COLLECTIONS: Readonly<Record<string, string>> = {
  https_edge: '/edges/https',
  tls_edge: '/edges/tls',
  tcp_edge: '/edges/tcp',
};

export function Flow({ row }: { readonly row: NameEntry }) {
  return (
    <section class="related" aria-label="Way of a request">
      <h2>Way of a request</h2>
      {row.served_by === 'edge' && <EdgeFlow row={row} />}
      {row.served_by === 'agent' && <AgentFlow row={row} />}
      {row.served_by === 'nothing' && (
        <p class="flow">
          visitor &gt; {listenerOf(row)} &gt; <Status kind="4">○ nothing answers</Status>{' '}
          <a href={href(['id', row.resource.id])}>reservation</a>
        </p>
      )}
    </section>
  );
}

function EdgeFlow({ row }: { readonly row: NameEntry }) {
  const { kind, resource } = row;
  const collection = COLLECTIONS[kind] ?? '';
  const path = `${collection}/${resource.id}`;
  const entry = useGet<Row>(path);
  const { value: edge } = entry.data;
  const { value: error } = entry.error;
  if (edge === undefined && error !== null)
    return <Failure error={error} retry={() => void entry.refresh()} />;
  if (edge === undefined) return <Loading what="the edge" />;
  const routes = Array.isArray(edge.routes) ? edge.routes.filter(isRow) : null;
  return (
    <>
      <p class="flow">
        visitor &gt; {listenerOf(row)} {tlsOf(edge, kind)} &gt;{' '}
        <a href={href(['resources', kind, resource.id])}>{String(edge.description || '') || 'edge'}</a>
        {routes !== null && isEnabled(edge.mutual_tls) && ' > '}
        {routes !== null && edge.mutual_tls != null && (
          <Modules
            row={{ mutual_tls: edge.mutual_tls }}
            {...{ path, template: `${collection}/{id}` }}
            place="the edge"
          />
        )}
      </p>
      <ul class="routes">
        {routes?.map((route) => (
          <RouteFlow key={String(route.id)} {...{ route, path, edge: resource.id }} />
        ))}
        {routes?.length === 0 && (
          <li>
            <Status kind="4">○ no route</Status>{' '}
            {mayWrite() && (
              <a
                class="button"
                href={href(['resources', 'https_edge_route', 'new'], { parent: resource.id })}
              >
                New: route
              </a>
            )}
          </li>
        )}
        {routes === null && (
          <li class="route">
            <Modules row={edge} {...{ path, template: `${collection}/{id}` }} place="the edge" />
            <Backend module={edge.backend} />
          </li>
        )}
      </ul>
    </>
  );
}

interface RouteParts {
  readonly route: Row;
  readonly path: string;
  readonly edge: string;
}

function RouteFlow({ route, path, edge }: RouteParts) {
  const match = String(route.match);
  const id = String(route.id);
  return (
    <li class="route">
      <span>
        <code>{match}</code> {route.match_type === 'exact_path' && <span class="remark">exactly</span>}{' '}
        <a
          class="button small"
          href={href(['resources', 'https_edge_route', id], { parent: edge })}
          aria-label={`${mayWrite() ? 'Edit' : 'Show'} route ${match}`}
        >
          {mayWrite() ? 'Edit' : 'Show'}
        </a>
      </span>
      <Modules
        row={route}
        path={`${path}/routes/${id}`}
        template="/edges/https/{edge_id}/routes/{id}"
        place={match}
      />
      <Backend module={route.backend} />
    </li>
  );
}

function Backend({ module }: { readonly module: Json | undefined }) {
  const id = isRow(module) && isRow(module.backend) ? String(module.backend.id) : '';
  if (id === '') return <Status kind="4">○ no backend</Status>;
  return (
    <span>
      {!isEnabled(module) && <Status kind="4">off: </Status>}
      <BackendView id={id} />
    </span>
  );
}

function AgentFlow({ row }: { readonly row: NameEntry }) {
  const { data } = useGet<Endpoint>(`/endpoints/${row.resource.id}`);
  const tunnel = data.value?.tunnel ?? null;
  return (
    <>
      <p class="flow">visitor &gt; {listenerOf(row)}</p>
      <ul class="routes">
        <li class="route">
          {row.modules.length === 0 ? (
            <span class="remark">no modules</span>
          ) : (
            <ul class="modules" aria-label="Modules">
              {row.modules.map((name) => (
                <li key={name} class="module">
                  {moduleWord(name)} on
                </li>
              ))}
            </ul>
          )}
          <span>
            {tunnel === null ? `agent > ${row.forwards_to}` : <TunnelView id={tunnel.id} />}
            {row.agents > 1 && <span class="remark"> and {row.agents - 1} more</span>}
          </span>
        </li>
      </ul>
    </>
  );
}

function listenerOf({ url }: NameEntry): string {
  const { protocol, port } = new URL(url.replace('*.', 'any.'));
  const standard = protocol === 'http:' ? '80' : protocol === 'https:' ? '443' : '';
  return `${protocol === 'tcp:' ? 'TCP ' : protocol === 'http:' ? 'HTTP ' : 'TLS '}:${port || standard}`;
}

/** The end of TLS in words. */
function tlsOf({ tls_termination: tls }: Row, kind: string): string {
  if (kind === 'tcp_edge') return '';
  if (kind === 'https_edge') return '(ends here)';
  return isRow(tls) && tls.enabled === true && tls.terminate_at === 'edge'
    ? '(ends here)'
    : '(passes through)';
}

function isRow(value: Json | undefined): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
