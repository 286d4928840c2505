/** Home: what needs attention first, then figures. While nothing exists, the first steps. */
import { useSignal } from '@preact/signals';
import type { AccountOverview, OverviewFigures, Warning } from '@underpass/client';
import { bytes, duration } from '@underpass/ui/format.ts';
import { Spark } from '@underpass/ui/spark.tsx';
import { Failure, Loading } from '@underpass/ui/states.tsx';
import { mayWrite } from '../api/session.ts';
import { FirstRun } from '../home/first-run.tsx';
import type { Made } from '../home/new-agent.tsx';
import { useOverview } from '../home/overview.ts';
import { sum } from '../names/recent.ts';
import { href } from '../router.ts';

export default function Home() {
  const made = useSignal<Made | null>(null);
  const { overview, error, refresh } = useOverview();
  // The steps stay while their agent comes online.
  const isFirstRun = made.value !== null || (overview !== undefined && isNew(overview));
  const leave = () => {
    made.value = null;
  };
  return (
    <>
      <h1>Home</h1>
      {error !== null && <Failure error={error} retry={refresh} />}
      {overview === undefined && error === null && <Loading what="the overview" />}
      {overview !== undefined &&
        (isFirstRun ? <FirstRun made={made} leave={leave} /> : <Overview overview={overview} />)}
    </>
  );
}

function isNew({ counts }: AccountOverview): boolean {
  return counts.names === 0 && counts.agents === 0 && counts.edges === 0;
}

function Overview({
  overview: { warnings, warning_count, counts, last_minute, last_hour, last_hour_requests: line },
}: {
  overview: AccountOverview;
}) {
  return (
    <>
      <section class="related" aria-label="Needs attention">
        <h2>Needs attention ({warning_count})</h2>
        {warnings.length === 0 && <p>Nothing needs attention.</p>}
        <ul class="warnings">
          {warnings.map((warning) => (
            <Attention
              key={`${warning.code} ${warning.resource?.id ?? ''} ${warning.name}`}
              warning={warning}
            />
          ))}
        </ul>
        {warning_count > warnings.length && <a href={href(['system'])}>All warnings</a>}
      </section>
      <div class="cards">
        <Figures title="Last minute" seconds={60} figures={last_minute} />
        <Figures title="Last hour" seconds={3_600} figures={last_hour} line={line} />
        <section class="card" aria-label="Counts">
          <h2>Online now</h2>
          <dl class="facts">
            <Count label="Names" value={counts.names} to="names" />
            <Count label="Agents" value={counts.agents} to="agents" />
            <Count label="Tunnels" value={counts.tunnels} to="agents" />
            <Count label="Edges" value={counts.edges} to="resources" />
            <Count label="Certificates" value={counts.tls_certificates} to="certificates" />
          </dl>
          {mayWrite() && (
            <p>
              <a class="button" href={href(['add-agent'])}>
                Add an agent
              </a>
            </p>
          )}
        </section>
      </div>
    </>
  );
}

function Attention({ warning: { msg, remedy, resource, name } }: { warning: Warning }) {
  const to = resource !== null ? ['id', resource.id] : name !== '' ? ['names', name] : ['system'];
  return (
    <li>
      <a href={href(to)}>{msg}</a>
      <p class="remark">{remedy}</p>
    </li>
  );
}

function Figures({
  title,
  seconds,
  figures,
  line = null,
}: {
  title: string;
  seconds: number;
  figures: OverviewFigures | null;
  /** Requests of each minute; null for no line. */
  line?: readonly number[] | null;
}) {
  return (
    <section class="card" aria-label={title}>
      <h2>{title}</h2>
      {figures === null && <p>The figures are not known at the moment.</p>}
      {figures !== null && (
        <dl class="facts">
          <Fact label="Requests a second" value={(figures.requests / seconds).toFixed(1)} />
          <Fact label="Errors" value={shareOf(figures)} />
          <Fact label="p50" value={figures.p50_ms === null ? '—' : duration(figures.p50_ms)} />
          <Fact label="p95" value={figures.p95_ms === null ? '—' : duration(figures.p95_ms)} />
          <Fact label="In" value={bytes(figures.bytes_in)} />
          <Fact label="Out" value={bytes(figures.bytes_out)} />
        </dl>
      )}
      {line !== null && (
        <p class="hour-line">
          <Spark values={line} label={`${sum(line)} requests in the last hour`} />
        </p>
      )}
    </section>
  );
}

function shareOf({ requests, errors }: OverviewFigures): string {
  return requests === 0 ? '—' : `${((100 * errors) / requests).toFixed(1)} %`;
}

function Fact({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{value}</dd>
    </div>
  );
}

function Count({ label, value, to }: { label: string; value: number; to: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <a href={href([to])} aria-label={`${value} ${label.toLowerCase()}`}>
          {value}
        </a>
      </dd>
    </div>
  );
}
