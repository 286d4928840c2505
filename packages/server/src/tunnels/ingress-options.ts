/** The surroundings of the ingress: the store, the settings, and other daemons. */
import type { Logger } from 'pino';
import type { IpRestrictions } from '../access/ip-restrictions.ts';
import type { DocumentFeed, DocumentStore } from '../documents/index.ts';
import type { Peers } from '../link/peers.ts';
import type { AgentRefusals, IngressSettings } from './context.ts';
import type { NodeOptions } from './directory/node-options.ts';
import type { IngressLimits } from './limits.ts';
import type { SessionObserver } from './live-session.ts';

export interface IngressOptions {
  /** Names are looked up too: another daemon may have stored a credential a moment ago. */
  readonly store: DocumentFeed & Pick<DocumentStore, 'findName'>;
  /** Key of the MAC in bind tokens. */
  readonly bindTokenKey: Buffer;
  readonly settings: IngressSettings;
  readonly log: Logger;
  readonly restrictions: Pick<IpRestrictions, 'judge' | 'onChange'>;
  /** Version of the service, for agents. */
  readonly version: string;
  readonly refused?: AgentRefusals;
  readonly observer?: SessionObserver;
  readonly limits?: Partial<IngressLimits>;
  /** True if no other process listens on a port; absent: that is so. */
  readonly isPortFree?: (port: number) => boolean;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime?: () => number;
  /** The directory of all daemons on one database; absent: this is the only one. */
  readonly directory?: DirectoryOptions;
}

export interface DirectoryOptions
  extends Pick<NodeOptions, 'link' | 'facts' | 'times' | 'previous' | 'joined' | 'nodes' | 'isolation'> {
  /** Links to the other daemons. */
  readonly peers: Peers;
}
