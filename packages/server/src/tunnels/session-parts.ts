/** Parts that the ingress passes to a session, whatever its agent speaks. */
import type { Visits } from '../online/visits.ts';
import type { IngressContext } from './context.ts';
import type { SessionWatcher } from './live-session.ts';

export interface SessionParts {
  readonly context: IngressContext;
  readonly watcher: SessionWatcher;
  readonly visits: Visits;
}
