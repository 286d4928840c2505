/** One name: the way of a request to it, its traffic, and what to do with it. */
import type { NameEntry, NameList } from '@underpass/client';
import { Copy } from '@underpass/ui/copy.tsx';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { Status } from '@underpass/ui/status.tsx';
import { useGet } from '../api/cache.ts';
import { Flow } from '../names/flow.tsx';
import { Protect } from '../names/protect.tsx';
import { Latest, Series } from '../names/traffic.tsx';
import { STATES } from '../names/words.ts';
import type { PageProps } from '../page.ts';
import { href } from '../router.ts';
import { RecordBodies } from '../traffic/recording.tsx';

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
          <p class="long">
            <code>{row.url}</code>
          </p>
          <Hint row={row} />
          <Flow row={row} />
          <Series key={`${row.resource.id} series`} row={row} />
          <Latest key={`${row.resource.id} latest`} row={row} />
        </>
      )}
    </>
  );
}

function Actions({ row }: { readonly row: NameEntry }) {
  const { name, url } = row;
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
      {isHttp && <RecordBodies site={row.resource.id} host={name} />}
    </div>
  );
}

/** The next step for a name that everybody reaches, or that nothing answers at. */
function Hint({ row }: { readonly row: NameEntry }) {
  if (row.served_by !== 'nothing') return <Protect row={row} />;
  return (
    <Empty title="No agent is online for this name." command={`underpass http 3000 --domain ${row.name}`} />
  );
}
