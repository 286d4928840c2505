/** Wires the streams of events: their sources, and the ends of clients that may no longer read. */
import type { Overview } from '../insight/overview/overview.ts';
import { Streams, type StreamsOptions } from '../insight/stream/streams.ts';
import { RequestFeed } from '../insight/traffic/request-feed.ts';
import type { OnlineFacts } from '../online/online.ts';
import type { StoredKind } from '../resources/definition.ts';
import { resourceKinds, resourceSurfaces } from '../resources/kinds/index.ts';
import { failureLog } from '../store/outage-log.ts';
import type { Carrying } from './carrying.ts';
import type { Rules } from './deciding.ts';
import type { Foundation } from './foundation.ts';

/** Kinds of documents that clients of the API see. */
const kinds: readonly string[] = resourceSurfaces
  .filter(({ source, aliasOf }) => source === 'stored' && aliasOf === undefined)
  .map(({ name }) => name);

const rules: ReadonlyMap<string, StoredKind['visible']> = new Map(
  resourceKinds.flatMap((kind) => (kind.source === 'stored' ? [[kind.name, kind.visible]] : [])),
);

/** The owner of a deleted resource is not known, so only admins hear of one that others may not see. */
const isVisible: StreamsOptions['isVisible'] = ({ kind: name, document }, principal) => {
  const visible = rules.get(name);
  if (visible === undefined || principal.role === 'admin') return true;
  return document !== null && visible(document.body, principal);
};

/** The streams of this daemon. None is open. */
export function createStreams(
  { observed, log }: Pick<Foundation, 'observed' | 'log'>,
  { restrictions }: Pick<Rules, 'restrictions'>,
  online: Pick<OnlineFacts, 'sessions' | 'tunnels'>,
  { requests, questions }: Pick<Carrying, 'requests' | 'questions'>,
  overview: Pick<Overview, 'of'>,
): Streams {
  const failed = failureLog(log, 'following changes for streams failed');
  const streams = new Streams({
    ...{ store: observed, kinds, online, failed },
    isVisible,
    overview: async (account) => (await overview.of(account)).shown,
    requests: new RequestFeed(requests, questions),
  });
  restrictions.onChange(() => streams.recheckSources());
  return streams;
}
