/** Event destinations with their delivery status, and the subscriptions that send to them. */
import type { EventDestination, EventSubscription } from '@underpass/client';
import { Empty, Failure, Loading } from '@underpass/ui/states.tsx';
import { useAll } from '../api/all.ts';
import { useList } from '../api/list.ts';
import { mayWrite } from '../api/session.ts';
import { Destination } from '../events/destination.tsx';
import { href } from '../router.ts';

export default function Events() {
  const destinations = useList<EventDestination>('/event_destinations?limit=20');
  const { rows: subscriptions } = useAll<EventSubscription>('/event_subscriptions?limit=100');
  const { rows, error, isLoading, more, refresh } = destinations;
  const unsent = subscriptions.filter((one) => one.destinations.length === 0);
  return (
    <>
      <header class="page-head">
        <h1>Events</h1>
        {mayWrite() && (
          <div class="actions">
            <a class="button" href={href(['resources', 'event_destination', 'new'])}>
              New destination
            </a>
            <a class="button" href={href(['resources', 'event_subscription', 'new'])}>
              New subscription
            </a>
          </div>
        )}
      </header>
      {error !== null && <Failure error={error} retry={refresh} />}
      {isLoading && <Loading what="the destinations" />}
      {!isLoading && error === null && rows.length === 0 && (
        <Empty
          title="There is no event destination yet."
          command="underpass api event-destinations create --help"
        />
      )}
      <div class="cards">
        {rows.map((destination) => (
          <Destination
            key={destination.id}
            destination={destination}
            subscriptions={subscriptions.filter((one) =>
              one.destinations.some(({ id }) => id === destination.id),
            )}
          />
        ))}
      </div>
      {more !== undefined && (
        <p>
          <button type="button" onClick={more}>
            More destinations
          </button>
        </p>
      )}
      {unsent.length > 0 && (
        <section class="related" aria-label="Subscriptions without a destination">
          <h2>Subscriptions without a destination</h2>
          <ul>
            {unsent.map(({ id, description }) => (
              <li key={id}>
                <a href={href(['id', id])}>{description || id}</a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}
