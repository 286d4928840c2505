/** Data about the agent for its Auth. */
import { arch, hostname, platform, release } from 'node:os';
import { field, isNewerVersion } from '@underpass/wire';
import { offeredStreams } from './offered-streams.ts';
import { agentVersion } from './version.ts';

/** Data from the service. The agent returns it on a reconnect so that the service recognizes the session. */
export interface Earlier {
  readonly clientId: string;
  readonly cookie: string;
}

export interface HeartbeatTimes {
  readonly intervalMs: number;
  readonly toleranceMs: number;
}

/** One of the connections of an agent. */
export interface LegRequest {
  /** Lowest: 0. */
  readonly number: number;
  /** True for a connection beside another one, at another daemon. */
  readonly isFurther: boolean;
  /** The most connections that the agent opens; 0: this one alone. */
  readonly most: number;
}

export interface Welcome extends Earlier {
  /** Empty unless refused. */
  readonly error: string;
  readonly region: string;
  readonly sessionId: string;
  readonly serverVersion: string;
  readonly banner: string;
  /** A newer version of this agent that the service states; '' if there is none. */
  readonly newerVersion: string;
  /** Connections that are useful: one for each daemon; 0 if the service does not report it. */
  readonly connections: number;
  /** Id of the daemon; empty as above. */
  readonly daemon: string;
}

const NANOSECONDS_PER_MS = 1_000_000;
const GO_ARCH: ReadonlyMap<string, string> = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
]);

export const updateUnsupported = 'this agent cannot update itself';

/** The Auth request (agent protocol, section 4). */
export function authRequest(
  authtoken: string,
  earlier: Earlier,
  heartbeat: HeartbeatTimes,
  customCa: boolean,
  leg: LegRequest,
): Record<string, unknown> {
  const os = platform() === 'win32' ? 'windows' : platform();
  return {
    Version: ['3', '2'],
    ClientId: earlier.clientId,
    Extra: {
      OS: os,
      Arch: GO_ARCH.get(arch()) ?? arch(),
      Authtoken: authtoken,
      Version: agentVersion,
      Hostname: hostname(),
      UserAgent: `underpass/${agentVersion} (${os} ${release()}; node ${process.versions.node})`,
      Metadata: '',
      Cookie: earlier.cookie,
      HeartbeatInterval: heartbeat.intervalMs * NANOSECONDS_PER_MS,
      HeartbeatTolerance: heartbeat.toleranceMs * NANOSECONDS_PER_MS,
      UpdateUnsupportedError: updateUnsupported,
      StopUnsupportedError: '',
      RestartUnsupportedError: '',
      ProxyType: 'none',
      MutualTLS: false,
      ServiceRun: false,
      ConfigVersion: '',
      CustomInterface: false,
      CustomCAs: customCa,
      ClientType: 'underpass/node',
      // Not in the published protocol: the agent reports an unreached upstream with a code of its own.
      ReportsDials: true,
      // A field of this project's own: other services ignore it.
      UnderpassStreams: offeredStreams(),
      // The service may report refused visitors (`StreamType.refusals`).
      UnderpassRefusals: true,
      // The service may report the number of useful connections (`StreamType.connections`).
      ...(leg.most > 0 ? { UnderpassConnections: leg.most } : {}),
      ...(leg.number > 0 ? { LegNumber: leg.number } : {}),
      ...(leg.isFurther ? { UnderpassOtherDaemon: true } : {}),
    },
  };
}

/** Reads the Auth response; what is absent is empty. */
export function readWelcome(response: unknown): Welcome {
  const extra = field(response, 'Extra');
  // A field of this project's own: other services have versions of their own.
  const stated = text(field(extra, 'UnderpassAgentVersion'));
  const connections = field(extra, 'UnderpassConnections');
  return {
    error: text(field(response, 'Error')),
    clientId: text(field(response, 'ClientId')),
    cookie: text(field(extra, 'Cookie')),
    region: text(field(extra, 'Region')),
    sessionId: text(field(extra, 'AgentSessionID')),
    serverVersion: text(field(extra, 'Version')),
    banner: text(field(extra, 'Banner')),
    newerVersion: isNewerVersion(stated, agentVersion) ? stated : '',
    connections: typeof connections === 'number' ? connections : 0,
    daemon: text(field(extra, 'UnderpassDaemon')),
  };
}

/** A field that should be a string: anything else counts as empty. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
