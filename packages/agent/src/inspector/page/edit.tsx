/** A request that is changed before it is sent again. */
import { useSignal } from '@preact/signals';
import { attempt } from '@underpass/ui/attempt.ts';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { ExchangeDetails, Header, ReplayRequest } from '../api-types.ts';
import { getBytes, replay } from './api.ts';
import { edited, status } from './state.ts';

/** Headers that are written anew, or belong to a connection that has ended. */
const LEFT_OUT = ['content-length', 'transfer-encoding', 'connection'];

export function Edit({ details }: { details: ExchangeDetails }) {
  const { id, request } = details;
  const kept = request.headers.filter(([name]) => !LEFT_OUT.includes(name.toLowerCase()));
  const method = useSignal(details.method);
  const path = useSignal(details.path);
  const headers = useSignal(kept.map(([name, value]) => `${name}: ${value}`).join('\n'));
  const body = useBody(details);
  const tunnel = useSignal(details.tunnel ?? 0);
  const first = useRef<HTMLInputElement>(null);
  // A user of the keyboard goes on typing: no key goes to the page while the form is drawn.
  useLayoutEffect(() => first.current?.focus(), []);
  const send = (event: Event) => {
    event.preventDefault();
    const edits: ReplayRequest = {
      method: method.value,
      path: path.value,
      headers: readHeaders(headers.value),
      ...(body.value === null ? {} : { body: body.value }),
      ...(tunnel.value === 0 ? {} : { tunnel: tunnel.value }),
    };
    void attempt(async () => {
      const answer = await replay(id, edits);
      edited.value = null;
      location.hash = String(answer);
    });
  };
  return (
    <form class="edit" onSubmit={send}>
      <div class="line">
        <label>
          Method{' '}
          <input
            value={method.value}
            onInput={(event) => (method.value = event.currentTarget.value)}
            size={8}
          />
        </label>
        <label class="wide">
          Path{' '}
          <input
            ref={first}
            value={path.value}
            onInput={(event) => (path.value = event.currentTarget.value)}
          />
        </label>
      </div>
      <label>
        Headers
        <textarea
          rows={10}
          spellcheck={false}
          value={headers.value}
          onInput={(event) => (headers.value = event.currentTarget.value)}
        />
      </label>
      {body.value === null ? (
        <p class="remark">The body is no text: it is sent as it was.</p>
      ) : (
        <label>
          Body
          {request.body.isCut && (
            <span class="remark">: only its beginning was kept, and what stands here is sent instead</span>
          )}
          <textarea
            rows={8}
            spellcheck={false}
            value={body.value}
            onInput={(event) => (body.value = withLineEndsOf(body.value, event.currentTarget.value))}
          />
        </label>
      )}
      <div class="actions">
        <Tunnels tunnel={tunnel.value} choose={(chosen) => (tunnel.value = chosen)} />
        <button type="submit">Send</button>
        <button type="button" onClick={() => (edited.value = null)}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** The body as text; of one whose beginning alone was kept nothing, which would look whole. Null: it is none, and is not edited. */
function useBody({ id, request }: ExchangeDetails) {
  const { size, isCut } = request.body;
  const isThere = size > 0 && !isCut;
  const body = useSignal<string | null>(isThere ? null : '');
  useEffect(() => {
    if (!isThere) return;
    const gone = new AbortController();
    void attempt(async () => {
      const bytes = await getBytes(`exchanges/${id}/request-body?raw=true`, gone.signal);
      try {
        body.value = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
      } catch {
        body.value = null;
      }
    });
    return () => gone.abort();
  }, [id, isThere, body]);
  return body;
}

/** Fields have \n alone, and where all lines end with \r\n, as in forms of several parts, it belongs to what is sent. */
function withLineEndsOf(before: string | null, text: string): string {
  const isCrlf = before !== null && /\r\n/.test(before) && !/(?<!\r)\n/.test(before);
  return isCrlf ? text.replaceAll('\n', '\r\n') : text;
}

/** Only where there is a choice. */
function Tunnels({ tunnel, choose }: { tunnel: number; choose: (id: number) => void }) {
  const tunnels = (status.value?.tunnels ?? []).filter(({ proto }) => proto === 'http');
  if (tunnels.length < 2) return null;
  return (
    <label>
      To{' '}
      <select value={tunnel} onChange={(event) => choose(Number(event.currentTarget.value))}>
        <option value={0}>…</option>
        {tunnels.map(({ id, name, url }) => (
          <option key={id} value={id}>
            {name ?? url ?? id}
          </option>
        ))}
      </select>
    </label>
  );
}

/** One a line. */
function readHeaders(text: string): Header[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [line, ''] : [line.slice(0, colon).trim(), line.slice(colon + 1).trim()];
    });
}
