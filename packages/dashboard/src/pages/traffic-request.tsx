/** One recorded request: its facts and the decisions in their order. */
import type { TrafficRequest, TrafficRequestDetails } from '@underpass/client';
import { Copy } from '@underpass/ui/copy.tsx';
import { Facts } from '@underpass/ui/facts.tsx';
import { bytes, dateTime, duration } from '@underpass/ui/format.ts';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { type Column, Table } from '@underpass/ui/table.tsx';
import { AddressRuleLink } from '../address-rule/link.tsx';
import { useGet } from '../api/cache.ts';
import { addressState } from '../explain/network-note.tsx';
import type { PageProps } from '../page.ts';
import { href } from '../router.ts';
import { Bodies } from '../traffic/bodies.tsx';
import { RecordBodies } from '../traffic/recording.tsx';
import { SaveHar } from '../traffic/save-har.tsx';
import { Result, titleOf, urlOf } from '../traffic/words.tsx';

type Decision = TrafficRequest['decisions'][number];

const DECISIONS: readonly Column<Decision>[] = [
  { name: 'Module', width: 'minmax(0, 1fr)', cell: ({ module }) => module },
  { name: 'Decision', width: 'minmax(0, 1fr)', cell: ({ decision }) => decision },
];

export default function RecordedRequest({ params }: PageProps) {
  const id = params.id ?? '';
  const entry = useGet<TrafficRequestDetails>(`/traffic/requests/${encodeURIComponent(id)}`);
  const { value: error } = entry.error;
  const request = entry.data.value;
  return (
    <>
      <p class="crumbs">
        <a href={href(['traffic'])}>Traffic</a>
      </p>
      <header class="page-head">
        <h1 class="long">{request === undefined ? 'Request' : titleOf(request)}</h1>
        {request !== undefined && <Actions request={request} />}
      </header>
      {error?.status === 404 && <Empty title="This request is no longer recorded." />}
      {error !== null && error.status !== 404 && <Failure error={error} retry={() => void entry.refresh()} />}
      {request === undefined && error === null && <Loading what={id} />}
      {request !== undefined && <Details request={request} />}
      {request !== undefined && <Bodies request={request} />}
    </>
  );
}

function Actions({ request }: { request: TrafficRequest }) {
  const url = urlOf(request);
  const explain = { url, ...addressState(request.client_ip), method: request.method };
  return (
    <div class="actions">
      <a class="button" href={href(['explain'], explain)}>
        Explain
      </a>
      <AddressRuleLink request={request} />
      <Copy what="as curl" label="Copy as curl" text={`curl --request ${request.method || 'GET'} '${url}'`} />
      <SaveHar rows={[request]} />
      <RecordBodies site={request.site} host={request.host} />
    </div>
  );
}

function Details({ request }: { request: TrafficRequest }) {
  const { tls, decisions } = request;
  return (
    <>
      <Facts
        facts={[
          { name: 'Result', value: <Result request={request} /> },
          { name: 'Time', value: dateTime(request.end_ts) },
          { name: 'Took', value: duration(request.duration_ms) },
          {
            name: 'First byte',
            value: request.first_byte_ms === null ? '' : duration(request.first_byte_ms),
          },
          { name: 'From', value: request.client_ip },
          { name: 'TLS', value: tls === null ? '' : `${tls.version} ${tls.cipher_suite}` },
          { name: 'In', value: bytes(request.bytes_in) },
          { name: 'Out', value: bytes(request.bytes_out) },
          { name: 'Site', value: <Resource id={request.site} /> },
          { name: 'Route', value: <Resource id={request.route} /> },
          { name: 'Backend', value: <Resource id={request.backend} /> },
          { name: 'Served by', value: <Resource id={request.served_by} /> },
          { name: 'Node', value: request.node },
          { name: 'Error', value: [request.error_code, request.error].filter((it) => it !== '').join(': ') },
          { name: 'Reason', value: request.reason === request.error ? '' : request.reason },
          { name: 'Fault of the upstream', value: request.upstream_fault },
        ]}
      />
      <h2>Decisions</h2>
      {decisions.length === 0 && <Empty title="No module decided." />}
      {decisions.length > 0 && (
        <Table label="Decisions" columns={DECISIONS} rows={decisions} keyOf={({ module }) => module} />
      )}
    </>
  );
}

/** Only edges, routes and backends have pages that outlive the request. */
function Resource({ id }: { id: string }) {
  if (!/^(?:edg|bkd)\w*_/.test(id) || id.startsWith('edghtsrt_')) return <>{id}</>;
  return <a href={href(['id', id])}>{id}</a>;
}
