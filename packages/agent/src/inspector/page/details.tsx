/** One exchange: its request, its response, and what can be done with it. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { attempt } from '@underpass/ui/attempt.ts';
import { Copy } from '@underpass/ui/copy.tsx';
import { type Fact, Facts } from '@underpass/ui/facts.tsx';
import { bytes } from '@underpass/ui/format.ts';
import { Headers } from '@underpass/ui/headers.tsx';
import { TimingBars } from '@underpass/ui/timing.tsx';
import { grpcForm } from '../../grpc.ts';
import type { BodySummary, ExchangeDetails, MessageHead } from '../api-types.ts';
import { getJson, getText, replay } from './api.ts';
import { Body } from './body.tsx';
import { Edit } from './edit.tsx';
import { Messages } from './messages.tsx';
import { Result } from './result.tsx';
import { edited, selectedSummary, status } from './state.ts';

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
      <Facts facts={factsOf(details)} />
      {details.fault !== null && <Fault text={details.fault} />}
      {grpc !== null && grpc.message !== '' && <Fault text={grpc.message} />}
      <TimingBars timing={details.timing} />
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
function refusedBy({ refusal }: ExchangeDetails): readonly Fact[] {
  if (refusal === null) return [];
  const by = ['the service', refusal.module, refusal.code].filter((part) => part !== '').join(', ');
  return [{ name: 'Refused by', value: by }];
}

function factsOf(details: ExchangeDetails): readonly Fact[] {
  const { client, tunnel: id, grpc, requestSize, responseSize, startedAt } = details;
  const tunnel = status.value?.tunnels.find((it) => it.id === id);
  const place = `${tunnel?.name ?? tunnel?.url ?? ''} → ${tunnel?.forwardsTo ?? ''}`;
  return [
    { name: 'At', value: new Date(startedAt).toLocaleString() },
    { name: 'From', value: client, copied: client, what: 'client address' },
    { name: 'Tunnel', value: id === null ? 'from a file' : place },
    ...refusedBy(details),
    { name: 'Sizes', value: `${bytes(requestSize)} request, ${bytes(responseSize)} response` },
    ...(grpc === null ? [] : [{ name: 'HTTP', value: String(details.status) }]),
  ];
}
