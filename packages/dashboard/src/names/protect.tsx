/**
 * The place where protection is added to a name that visitors reach without any, on all its routes or on some.
 * The state `hint=protect` of the page focuses it. If there is only one place, it is opened at once.
 */
import type { NameEntry } from '@underpass/client';
import { Copy } from '@underpass/ui/copy.tsx';
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { useGet } from '../api/cache.ts';
import { mayWrite } from '../api/session.ts';
import { href, query, replace } from '../router.ts';
import { isEnabled, type Row } from './module-switch.tsx';
import { isOpen } from './words.ts';

export function Protect({ row }: { readonly row: NameEntry }) {
  if (!isOpen(row) || !mayWrite()) return null;
  if (row.kind === 'https_edge') return <OpenRoutes row={row} />;
  if (row.served_by === 'edge') return <OpenEdge row={row} />;
  return <OpenAgent row={row} />;
}

interface Place {
  readonly title: string;
  readonly to: string;
}

/** Modules of routes that keep visitors out. */
const KEEPERS = ['ip_restriction', 'user_agent_filter', 'webhook_verification', 'saml', 'oidc', 'oauth'];

function OpenRoutes({ row: { resource, protection } }: { readonly row: NameEntry }) {
  const { data } = useGet<{ readonly routes?: readonly Row[] }>(`/edges/https/${resource.id}`);
  const routes = data.value?.routes?.filter((route) => !KEEPERS.some((name) => isEnabled(route[name])));
  const places = routes?.map(({ id, match }) => ({
    title: String(match),
    to: href(['resources', 'https_edge_route', String(id)], { parent: resource.id }),
  }));
  const words =
    protection === 'some'
      ? 'Everybody is served on some routes. Add an IP restriction or a login to '
      : 'Everybody is served. Add an IP restriction or a login to its routes: ';
  return <Places words={words} places={places} />;
}

function OpenEdge({ row: { kind, resource } }: { readonly row: NameEntry }) {
  const places = [{ title: 'the edge', to: href(['resources', kind, resource.id]) }];
  return <Places words="Everybody is served. Add an IP restriction to " places={places} />;
}

/** `places`: undefined until they are known. */
function Places({
  words,
  places = [],
}: {
  readonly words: string;
  readonly places?: readonly Place[] | undefined;
}) {
  const [only] = places;
  const isOnly = isAsked() && places.length === 1;
  useEffect(() => {
    if (isOnly && only !== undefined) replace(only.to.replace('/ui/', ''));
  }, [isOnly]);
  return (
    <Region>
      {words}
      {places.map(({ title, to }, at) => (
        <>
          {at > 0 && ', '}
          <a href={to}>{title}</a>
        </>
      ))}
      .
    </Region>
  );
}

function OpenAgent({ row: { name, url, forwards_to: to } }: { readonly row: NameEntry }) {
  if (!/^https?:/.test(url)) return <Region>Everybody is served. Restrict it with --cidr-allow.</Region>;
  const port = /:(\d+)$/.exec(to)?.[1] ?? '3000';
  const command = `underpass http ${port} --domain ${name} --basic-auth 'user:a long password'`;
  return (
    <Region>
      Everybody is served. Add a password:{' '}
      <span class="command">
        <code>{command}</code> <Copy what="command" text={command} />
      </span>
    </Region>
  );
}

function Region({ children }: { readonly children: ComponentChildren }) {
  const region = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isAsked()) region.current?.focus();
  }, []);
  return (
    <section class="banner" aria-label="Protection" tabIndex={-1} ref={region}>
      {children}
    </section>
  );
}

function isAsked(): boolean {
  return query.value.get('hint') === 'protect';
}
