/** One exchange: its request, its response, and what can be done with it. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { grpcForm } from '../../grpc.ts';
import type { BodySummary, ExchangeDetails, Header, MessageHead } from '../api-types.ts';
import { getJson, getText, replay } from './api.ts';
import { Body } from './body.tsx';
import { Copy } from './copy.tsx';
import { Edit } from './edit.tsx';
import { bytes, duration } from './format.ts';
import { Messages } from './messages.tsx';
import { Result } from './result.tsx';
import { attempt, edited, selectedSummary, status } from './state.ts';

/** The details of the selected exchange, updated when the selection changes. Null until they arrive. */
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
      <div class="scrolled" key={details.id}>
        {edited.value === details.id && details.refusal === null ? (
          <Edit key={details.id} details={details} />
        ) : (
          <Parts details={details} />
        )}
      </div>
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
        <Result exchange={details} reason={details.response?.reason ?? ''} />
      </h2>
      {replayOf !== null && (
        <p>
          Replay of <a href={`#${replayOf}`}>{replayOf}</a>
        </p>
      )}
      <div class="actions">
        {refusal === null && (
          <>
            <button type="button" onClick={() => void sendAgain(id)}>
              Replay
            </button>
            <button type="button" aria-pressed={edited.value === id} onClick={() => toggleEdit(id)}>
              Edit and replay
            </button>
            <Copy what="as curl" label="Copy as curl" text={() => getText(`exchanges/${id}/curl`)} />
          </>
        )}
        {url !== null && <Copy what="URL" label="Copy URL" text={url} />}
      </div>
    </header>
  );
}

/** Replays to the original tunnel, or to the only one there is. */
export async function sendAgain(id: number): Promise<void> {
  await attempt(async () => {
    location.hash = String(await replay(id, {}));
  });
}

export function toggleEdit(id: number): void {
  edited.value = edited.value === id ? null : id;
}

function Parts({ details }: { details: ExchangeDetails }) {
  const { id, request, response, grpc, messages, requestSize, responseSize } = details;
  return (
    <>
      <Facts details={details} />
      {details.fault !== null && <Fault text={details.fault} />}
      {grpc !== null && grpc.message !== '' && <Fault text={grpc.message} />}
      <Timing details={details} />
      <Message title="Request" id={id} head={request} version={requestSize} />
      {response !== null && <Message title="Response" id={id} head={response} version={responseSize} />}
      {messages !== null && <Messages id={id} version={messages} />}
    </>
  );
}

function Fault({ text }: { text: string }) {
  return (
    <p class="fault">
      {text} <Copy what="message" text={text} />
    </p>
  );
}

interface MessageParts {
  readonly title: 'Request' | 'Response';
  readonly id: number;
  readonly head: MessageHead & { readonly body: BodySummary };
  /** Bytes that there are of the body. */
  readonly version: number;
}

function Message({ title, id, head, version }: MessageParts) {
  const side = title === 'Request' ? 'request' : 'response';
  const body = (
    <Body path={`exchanges/${id}/${side}-body`} what={`${side} body`} summary={head.body} version={version} />
  );
  const isCall = grpcForm(head.body.contentType) !== null;
  return (
    <>
      <Headers title={title} headers={head.headers} />
      {isCall ? (
        <>
          <Messages id={id} version={version} direction={side === 'request' ? 'sent' : 'received'} />
          <details>
            <summary>Body with its frames</summary>
            {body}
          </details>
        </>
      ) : (
        body
      )}
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
  const facts: (readonly [string, string])[] = [
    ['At', new Date(details.startedAt).toLocaleString()],
    ['From', details.client],
    [
      'Tunnel',
      details.tunnel === null
        ? 'from a file'
        : `${tunnel?.name ?? tunnel?.url ?? ''} → ${tunnel?.forwardsTo ?? ''}`,
    ],
    ...refusedBy(details),
    ['Sizes', `${bytes(details.requestSize)} request, ${bytes(details.responseSize)} response`],
    ...(details.grpc === null ? [] : ([['HTTP', String(details.status)]] as const)),
  ];
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value || '—'}</dd>
          {name === 'From' && value !== '' && <Copy what="client address" text={value} />}
        </div>
      ))}
    </dl>
  );
}

/** Bars from the request's header to the end of the response. */
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
      <Copy
        what={`${title.toLowerCase()} headers`}
        label="Copy headers"
        text={headers.map(([name, value]) => `${name}: ${value}\n`).join('')}
      />
      <table class="headers">
        <tbody>
          {headers.map(([name, value], index) => (
            <tr key={index}>
              <th scope="row">{name}</th>
              <td>{value}</td>
              <td class="last">
                <Copy what={name} text={value} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
