/** One event destination: its delivery status, its subscriptions, and a test event. */

import { useSignal } from '@preact/signals';
import type { EventDestination, EventDestinationStatus, EventSubscription } from '@underpass/client';
import { announce } from '@underpass/ui/announce.tsx';
import { Facts } from '@underpass/ui/facts.tsx';
import { dateTime } from '@underpass/ui/format.ts';
import { Status } from '@underpass/ui/status.tsx';
import { useGet } from '../api/cache.ts';
import { send } from '../api/http.ts';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';

interface DestinationParts {
  readonly destination: EventDestination;
  readonly subscriptions: readonly EventSubscription[];
}

export function Destination({ destination, subscriptions }: DestinationParts) {
  const { id, description, target } = destination;
  const path = `/event_destinations/${encodeURIComponent(id)}`;
  const status = useGet<EventDestinationStatus>(`${path}/status`);
  const isSending = useSignal(false);
  const result = useSignal<{ readonly isGood: boolean; readonly text: string } | null>(null);
  const test = async () => {
    isSending.value = true;
    try {
      await send({ method: 'POST', path: `${path}/test` });
      result.value = { isGood: true, text: 'The target took the test event.' };
    } catch (error) {
      result.value = { isGood: false, text: error instanceof Error ? error.message : String(error) };
    }
    announce(result.value.text);
    isSending.value = false;
    void status.refresh();
  };
  return (
    <section class="card" aria-label={description || id}>
      <h2>
        <a href={href(['id', id])}>{description || id}</a> <span class="remark">{typeOf(target)}</span>
      </h2>
      {status.error.value !== null && <p class="fault">{status.error.value.message}</p>}
      {status.data.value !== undefined && <Delivery status={status.data.value} />}
      <Subscriptions rows={subscriptions} />
      {mayWrite() && (
        <p>
          <button type="button" disabled={isSending.value} onClick={() => void test()}>
            Send a test event
          </button>
        </p>
      )}
      {result.value !== null && (
        <p class="wrapped">
          <Status kind={result.value.isGood ? 2 : 5}>{result.value.isGood ? 'accepted' : 'failed'}</Status>{' '}
          {result.value.text}
        </p>
      )}
    </section>
  );
}

function Delivery({ status }: { status: EventDestinationStatus }) {
  const { last_success_at, last_error, last_error_at, next_attempt_at, backlog } = status;
  const isFailing = next_attempt_at !== null || isLater(last_error_at, last_success_at);
  const word = isFailing ? 'failing' : last_success_at !== null ? 'delivers' : 'nothing sent yet';
  return (
    <>
      <p class="wrapped">
        <Status kind={isFailing ? 5 : last_success_at !== null ? 2 : 4}>{word}</Status>{' '}
        {isFailing && last_error}
      </p>
      <Facts
        facts={[
          { name: 'Last success', value: dateTime(last_success_at) },
          ...(last_error_at === null ? [] : [{ name: 'Last failure', value: dateTime(last_error_at) }]),
          ...(next_attempt_at === null ? [] : [{ name: 'Next attempt', value: dateTime(next_attempt_at) }]),
          { name: 'Waiting events', value: String(backlog) },
        ]}
      />
    </>
  );
}

function Subscriptions({ rows }: { rows: readonly EventSubscription[] }) {
  if (rows.length === 0) return <p class="remark">No subscription sends events here.</p>;
  return (
    <ul>
      {rows.map(({ id, description, sources }) => (
        <li key={id} class="wrapped">
          <a href={href(['id', id])}>{description || id}</a>
          <span class="remark">{sources.length} types of events</span>
        </li>
      ))}
    </ul>
  );
}

/** The only target that is set, in words. */
function typeOf(target: EventDestination['target']): string {
  const [name = ''] = Object.entries(target).find(([, value]) => value !== null) ?? [];
  return name.replaceAll('_', ' ');
}

function isLater(time: string | null, other: string | null): boolean {
  return time !== null && (other === null || Date.parse(time) > Date.parse(other));
}
