/** Dependencies that the ingress passes to sessions and tunnels. */
import type { ByteBudget } from '@underpass/wire';
import type { Logger } from 'pino';
import type { IpRestrictions } from '../access/ip-restrictions.ts';
import type { IdSequence } from '../core/id.ts';
import type { BindTarget } from '../core/names/bind-target.ts';
import type { Settings } from '../core/settings.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import type { TunnelPatch } from './bind.ts';
import type { Changes } from './changes.ts';
import type { Claims } from './claims.ts';
import type { FollowedCredentials } from './followed-credentials.ts';
import type { IngressLimits } from './limits.ts';
import type { Proofs } from './proofs.ts';
import type { RefusalRoom } from './refusal-room.ts';
import type { Registry } from './registry.ts';
import type { Reservations } from './reservations.ts';
import type { SessionOrigin } from './session-quotas.ts';
import type { Rounds } from './silence-watch.ts';
import type { Tunnel } from './tunnel.ts';
import type { UsefulConnections } from './useful-connections.ts';

/** Bounds of what all sessions together keep of what agents leave half-sent or unread. */
export interface SharedBudgets {
  readonly unauthenticated: ByteBudget;
  readonly requests: ByteBudget;
  readonly queued: ByteBudget;
}

/** A session about to come online. */
export interface Arrival extends SessionOrigin {
  readonly leg: number;
  /** The session is for a daemon without another connection of the agent. */
  readonly wantsOtherDaemon: boolean;
}

export type AgentRefusals = (what: 'authentication' | 'bind', reason: ErrorName) => void;

/** The settings that concern agents and their tunnels. */
export type IngressSettings = Pick<
  Settings,
  | 'tcpPorts'
  | 'plainPort'
  | 'domain'
  | 'publicPort'
  | 'region'
  | 'nodeName'
  | 'errorPrefix'
  | 'errorCodeHeader'
  | 'oauthClients'
  | 'baseUrl'
  | 'consoleHost'
>;

/** Parts that all sessions of an ingress share. */
export interface IngressContext {
  readonly store: Pick<DocumentStore, 'get' | 'findName'>;
  /** The followed documents of credentials. */
  readonly credentials: Pick<FollowedCredentials, 'get' | 'findName' | 'sshAuthority'>;
  readonly settings: IngressSettings;
  readonly registry: Registry;
  readonly claims: Claims;
  readonly reservations: Reservations;
  readonly restrictions: Pick<IpRestrictions, 'judge'>;
  readonly proofs: Proofs;
  readonly changes: Changes;
  readonly ids: IdSequence;
  readonly rounds: Rounds;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
  readonly random: (bytes: number) => Buffer;
  /** True if a port could be listened on: no other process has it. */
  readonly isPortFree: (port: number) => boolean;
  /** Version of this service, for agents. */
  readonly version: string;
  readonly limits: IngressLimits;
  readonly budgets: SharedBudgets;
  readonly refusalRoom: RefusalRoom;
  readonly connections: Pick<UsefulConnections, 'daemon' | 'add' | 'delete'>;
  /** Counts changes of credentials and of their owners, so that a session can detect one between a read and its use. */
  readonly credentialChanges: () => number;
  /** Reports refused binds of agents. */
  readonly refused: AgentRefusals;
  /** Raises Problem when there are too many sessions like it. One that takes the place of another is none more. */
  readonly admit: (arrival: Arrival) => void;
  /** Notifies the agent of a tunnel that another agent, named `by`, bound its name. Returns the name of the first one. */
  /** Called with each name before it loses its agent. */
  readonly lost: (name: BindTarget) => void;
  readonly superseded: (tunnel: Tunnel, by: string) => string | null;
  /** Ends the tunnel in the other connections of its agent, because the agent requests that in one of them only. */
  readonly unbound: (tunnel: Tunnel) => void;
  /** The same for a change. */
  readonly changed: (tunnel: Tunnel, patch: TunnelPatch) => void;
}
