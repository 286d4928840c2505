/** One name: the way of a request to it, its traffic, and what to do with it. */
import type { NameEntry, NameList } from '@underpass/client';
import { Copy } from '@underpass/ui/copy.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { useGet } from '../api/cache.ts';
import { mayWrite } from '../api/session.ts';
import { Flow } from '../names/flow.tsx';
import { Latest, Series } from '../names/traffic.tsx';
import { isOpen, STATES } from '../names/words.ts';
import type { PageProps } from '../page.ts';
import { href } from '../router.ts';

export default function Name({ params }: PageProps) {
  const name = params.name ?? '';
  const entry = useGet<NameList>(`/names?${new URLSearchParams({ name })}`);
  const { value: list } = entry.data;
  const { value: error } = entry.error;
  if (list === undefined && error !== null)
    return <Failure error={error} retry={() => void entry.refresh()} />;
  if (list === undefined) return <Loading what={name} />;
  const row = list.names[0];
  return (
    <>
      <p class="crumbs">
        <a href={href(['names'])}>Names</a>
      </p>
      <header class="page-head">
        <h1 class="long">{name}</h1>
        {row !== undefined && <Status kind={STATES[row.state][1]}>{STATES[row.state][0]}</Status>}
        {row !== undefined && <Actions row={row} />}
      </header>
      {row === undefined ? (
        <Empty title="Nothing has this name now." command={`underpass http 3000 --domain ${name}`} />
      ) : (
        <>
          <Hint row={row} />
          <Flow row={row} />
          <Series key={`${row.resource.id} series`} row={row} />
          <Latest key={`${row.resource.id} latest`} row={row} />
        </>
      )}
    </>
  );
}

function Actions({ row: { name, url } }: { readonly row: NameEntry }) {
  const isHttp = /^https?:/.test(url);
  const isOne = !name.startsWith('*');
  return (
    <div class="actions">
      {isHttp && isOne && (
        <a class="button" href={url} target="_blank" rel="noreferrer noopener">
          Open
        </a>
      )}
      <Copy what="URL" text={url} label="Copy URL" />
      {isHttp && isOne && <Copy what="as curl" text={`curl -i ${url}`} label="Copy as curl" />}
      <a class="button" href={href(['explain'], { url })}>
        Why?
      </a>
    </div>
  );
}

/** The next step for a name that everybody reaches, or that nothing answers at. */
function Hint({ row }: { readonly row: NameEntry }) {
  const { name, served_by: by, forwards_to: to, kind, resource } = row;
  if (by === 'nothing')
    return (
      <Empty title="No agent is online for this name." command={`underpass http 3000 --domain ${name}`} />
    );
  if (!isOpen(row) || !mayWrite()) return null;
  if (by === 'edge')
    return (
      <p class="banner">
        Everybody is served. Add an IP restriction or a login to{' '}
        <a href={href(['resources', kind, resource.id])}>
          {kind === 'https_edge' ? 'its routes' : 'the edge'}
        </a>
        .
      </p>
    );
  if (!/^https?:/.test(row.url))
    return <p class="banner">Everybody is served. Restrict it with --cidr-allow.</p>;
  const port = /:(\d+)$/.exec(to)?.[1] ?? '3000';
  const command = `underpass http ${port} --domain ${name} --basic-auth 'user:a long password'`;
  return (
    <div class="banner">
      Everybody is served. Add a password:{' '}
      <span class="command">
        <code>{command}</code> <Copy what="command" text={command} />
      </span>
    </div>
  );
}
