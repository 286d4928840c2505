/** One exchange: what was asked, what was answered, and what can be done with it. */
import { useSignal, useSignalEffect } from '@preact/signals';
import type { ExchangeDetails, Header } from '../api-types.ts';
import { statusClass } from '../filter.ts';
import { getJson, getText, replay } from './api.ts';
import { Body } from './body.tsx';
import { Edit } from './edit.tsx';
import { bytes, duration } from './format.ts';
import { Messages } from './messages.tsx';
import { attempt, edited, selectedSummary, status } from './state.ts';

/** Of the exchange that is selected, also when that changes; null until they are there. */
function useDetails() {
  const details = useSignal<ExchangeDetails | null>(null);
  useSignalEffect(() => {
    const id = selectedSummary.value?.id;
    const gone = new AbortController();
    if (id === undefined) details.value = null;
    else
      void attempt(async () => {
        details.value = await getJson<ExchangeDetails>(`exchanges/${id}`, gone.signal);
      });
    return () => gone.abort();
  });
  return details;
}

export function Details() {
  const details = useDetails().value;
  const summary = selectedSummary.value;
  if (summary === null || details === null || details.id !== summary.id)
    return (
      <section class="details none" aria-label="Details">
        <p class="nothing">
          Choose a request. <kbd>j</kbd> <kbd>k</kbd> go through them, <kbd>/</kbd> filters, <kbd>r</kbd>{' '}
          sends one again, <kbd>e</kbd> edits it before.
        </p>
      </section>
    );
  return (
    <section class="details" aria-label="Details">
      <Title details={details} />
      {edited.value === details.id && details.refusal === null ? (
        <Edit key={details.id} details={details} />
      ) : (
        <Parts details={details} />
      )}
    </section>
  );
}

function Title({ details }: { details: ExchangeDetails }) {
  const { id, method, path, url, replayOf, refusal } = details;
  return (
    <header>
      <a class="back" href="#requests" aria-label="Back to the list">
        ←
      </a>
      <h2>
        <span class="method">{method}</span> <span title={url ?? path}>{path}</span>{' '}
        <span class={`status s${statusClass(details.status)}`}>
          {details.status ?? 'no answer'} {details.response?.reason}
        </span>
      </h2>
      {replayOf !== null && (
        <p>
          Replay of <a href={`#${replayOf}`}>{replayOf}</a>
        </p>
      )}
      {refusal === null && (
        <div class="actions">
          <button type="button" onClick={() => void sendAgain(id)}>
            Replay
          </button>
          <button type="button" aria-pressed={edited.value === id} onClick={() => toggleEdit(id)}>
            Edit and replay
          </button>
          <CopyCurl id={id} />
        </div>
      )}
    </header>
  );
}

/** To the tunnel that it came through, or to the only one there is. */
export async function sendAgain(id: number): Promise<void> {
  await attempt(async () => {
    location.hash = String(await replay(id, {}));
  });
}

export function toggleEdit(id: number): void {
  edited.value = edited.value === id ? null : id;
}

function CopyCurl({ id }: { id: number }) {
  const isCopied = useSignal(false);
  const copy = () =>
    attempt(async () => {
      await navigator.clipboard.writeText(await getText(`exchanges/${id}/curl`));
      isCopied.value = true;
    });
  return (
    <button type="button" onClick={() => void copy()}>
      {isCopied.value ? 'Copied' : 'Copy as curl'}
    </button>
  );
}

function Parts({ details }: { details: ExchangeDetails }) {
  const { id, request, response, messages, requestSize, responseSize } = details;
  return (
    <>
      <Facts details={details} />
      {details.fault !== null && <p class="fault">{details.fault}</p>}
      <Timing details={details} />
      {messages !== null && <Messages id={id} count={messages} />}
      {response !== null && (
        <>
          <Headers title="Answer" headers={response.headers} />
          <Body
            key={`a${id}`}
            path={`exchanges/${id}/response-body`}
            summary={response.body}
            version={responseSize}
          />
        </>
      )}
      <Headers title="Request" headers={request.headers} />
      <Body
        key={`r${id}`}
        path={`exchanges/${id}/request-body`}
        summary={request.body}
        version={requestSize}
      />
    </>
  );
}

/** Nothing, unless the service refused it. */
function refusedBy({ refusal }: ExchangeDetails): readonly [string, string][] {
  if (refusal === null) return [];
  const by = ['the service', refusal.module, refusal.code].filter((part) => part !== '').join(', ');
  return [['Refused by', by]];
}

function Facts({ details }: { details: ExchangeDetails }) {
  const tunnel = status.value?.tunnels.find(({ id }) => id === details.tunnel);
  const facts: [string, string][] = [
    ['At', new Date(details.startedAt).toLocaleString()],
    ['From', details.client],
    [
      'Tunnel',
      details.tunnel === null
        ? 'from a file'
        : `${tunnel?.name ?? tunnel?.url ?? ''} → ${tunnel?.forwardsTo ?? ''}`,
    ],
    ...refusedBy(details),
    ['Sizes', `${bytes(details.requestSize)} asked, ${bytes(details.responseSize)} answered`],
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || '—'}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Bars from the request's head to the end of the answer. */
function Timing({ details }: { details: ExchangeDetails }) {
  const { sentMs, answeredMs, endedMs } = details.timing;
  const whole = Math.max(endedMs ?? answeredMs ?? sentMs ?? 0, 0.001);
  const sent = Math.min(sentMs ?? 0, answeredMs ?? Number.POSITIVE_INFINITY);
  const parts: [string, number, number | null][] = [
    ['sending', 0, sentMs],
    ['waiting', sent, answeredMs],
    ['receiving', answeredMs ?? whole, answeredMs === null ? null : endedMs],
  ];
  return (
    <table class="timing" aria-label="Timing">
      <tbody>
        {parts.map(([name, from, to]) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td class="track">
              <span
                class={`bar ${name}`}
                style={{
                  marginLeft: `${Math.min((from / whole) * 100, 99.5)}%`,
                  width: `${(Math.max(0, (to ?? from) - from) / whole) * 100}%`,
                }}
              />
            </td>
            <td>{to === null ? '—' : duration(Math.max(0, to - from))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Headers({ title, headers }: { title: string; headers: readonly Header[] }) {
  return (
    <details open>
      <summary>
        <h3>{title}</h3> {headers.length} headers
      </summary>
      <table class="headers">
        <tbody>
          {headers.map(([name, value], index) => (
            <tr key={index}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
