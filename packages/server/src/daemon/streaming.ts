/** Wires the streams of events: their sources, and the ends of clients that may no longer read. */
import { Streams } from '../insight/stream/streams.ts';
import { RequestFeed } from '../insight/traffic/request-feed.ts';
import type { OnlineFacts } from '../online/online.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { failureLog } from '../store/outage-log.ts';
import type { Carrying } from './carrying.ts';
import type { Rules } from './deciding.ts';
import type { Foundation } from './foundation.ts';

/** Kinds of documents that clients of the API see. */
const kinds: readonly string[] = resourceSurfaces
  .filter(({ source, aliasOf }) => source === 'stored' && aliasOf === undefined)
  .map(({ name }) => name);

/** The streams of this daemon. None is open. */
export function createStreams(
  { observed, log }: Pick<Foundation, 'observed' | 'log'>,
  { restrictions }: Pick<Rules, 'restrictions'>,
  online: Pick<OnlineFacts, 'sessions' | 'tunnels'>,
  { requests, questions }: Pick<Carrying, 'requests' | 'questions'>,
): Streams {
  const failed = failureLog(log, 'following changes for streams failed');
  const streams = new Streams({
    ...{ store: observed, kinds, online, failed },
    requests: new RequestFeed(requests, questions),
  });
  restrictions.onChange(() => streams.recheckSources());
  return streams;
}
