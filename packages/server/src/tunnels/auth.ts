/** The Auth request of an agent (agent protocol, section 4), read and checked: pure. */
import { Problem } from '../errors/problem.ts';
import type { SessionRequest } from '../online/session.ts';
import {
  integerField,
  isObject,
  malformed,
  objectField,
  type Reading,
  shown,
  switchField,
  textField,
  textListField,
  textOrNull,
} from './options/fields.ts';

/** Protocol versions that this service speaks. */
const spoken: readonly string[] = ['3', '2'];
const reading: Reading = { code: 'authRequestMalformed', request: 'Auth' };

const metadataLimit = 4096;
/** Connections of one agent. */
const mostLegs = 16;
const nanosecondsPerMs = 1e6;
const leastHeartbeatMs = 1_000;
const mostHeartbeatMs = 600_000;
const defaultIntervalMs = 10_000;
const defaultToleranceMs = 15_000;

export interface AuthRequest {
  /** Chosen from what the agent offered. */
  readonly version: string;
  /** The id of an earlier session of the same agent; '' for a new one. */
  readonly clientId: string;
  readonly cookie: string;
  readonly token: string;
  readonly agentVersion: string;
  readonly userAgent: string;
  readonly os: string;
  readonly arch: string;
  /** Host name of the agent's machine. */
  readonly hostname: string;
  readonly metadata: string;
  readonly heartbeat: { readonly intervalMs: number; readonly toleranceMs: number };
  /** The agent resets a stream as `upstreamUnreached` if it did not reach its upstream. Other agents may end it as any other. */
  readonly reportsDials: boolean;
  /** The agent takes reports of refused visitors: it is of this project. */
  readonly takesRefusals: boolean;
  /** 0 but for the further connections of an agent that has several. */
  readonly leg: number;
  /** Connections that the agent opens at most. It takes notices of the number that is useful; 0: it takes none. */
  readonly connections: number;
  /** The session is for a daemon without another connection of the agent. */
  readonly wantsOtherDaemon: boolean;
  /**
   * Number of proxied streams that the agent accepts at a time; those beyond the protocol's number are narrow. Null
   * if its Auth has no such field.
   */
  readonly streams: number | null;
  /** Reasons why the agent cannot do each request: '' if it can, null if its Auth has no field for it. */
  readonly unsupported: Readonly<Record<SessionRequest, string | null>>;
}

/** Raises Problem: malformed, no common version, metadata too long, heartbeat settings out of range. */
export function readAuth(request: unknown): AuthRequest {
  if (!isObject(request)) throw malformed(reading, 'it must be a JSON object');
  const version = negotiate(textListField(request, 'Version', reading));
  const extra = objectField(request, 'Extra', reading);
  const metadata = textField(extra, 'Metadata', reading);
  const length = Buffer.byteLength(metadata);
  if (length > metadataLimit) throw new Problem('sessionMetadataTooLong', { length, limit: metadataLimit });
  const clientId = textField(request, 'ClientId', reading);
  if (clientId.length > 255) throw malformed(reading, 'ClientId is longer than 255 characters');
  return {
    version,
    clientId,
    cookie: textField(extra, 'Cookie', reading),
    token: textField(extra, 'Authtoken', reading),
    agentVersion: textField(extra, 'Version', reading).slice(0, 255),
    userAgent: textField(extra, 'UserAgent', reading).slice(0, 255),
    os: textField(extra, 'OS', reading).slice(0, 255),
    arch: textField(extra, 'Arch', reading).slice(0, 255),
    hostname: textField(extra, 'Hostname', reading).slice(0, 255),
    metadata,
    heartbeat: {
      intervalMs: heartbeatMs(extra, 'HeartbeatInterval', 'heartbeatIntervalInvalid', defaultIntervalMs),
      toleranceMs: heartbeatMs(extra, 'HeartbeatTolerance', 'heartbeatToleranceInvalid', defaultToleranceMs),
    },
    reportsDials: switchField(extra, 'ReportsDials', reading) === true,
    takesRefusals: switchField(extra, 'UnderpassRefusals', reading) === true,
    leg: numberUpTo(extra, 'LegNumber', mostLegs - 1),
    connections: numberUpTo(extra, 'UnderpassConnections', Number.MAX_SAFE_INTEGER),
    wantsOtherDaemon: switchField(extra, 'UnderpassOtherDaemon', reading) === true,
    streams: offered(extra),
    unsupported: {
      restart: textOrNull(extra, 'RestartUnsupportedError', reading),
      stop: textOrNull(extra, 'StopUnsupportedError', reading),
      update: textOrNull(extra, 'UpdateUnsupportedError', reading),
    },
  };
}

/** The first version of the agent's that is spoken here: the order is the agent's preference. */
function negotiate(offered: readonly string[]): string {
  const version = offered.find((candidate) => spoken.includes(candidate));
  if (version !== undefined) return version;
  throw new Problem('protocolVersionUnsupported', {
    offered: offered.length === 0 ? 'none' : shown(offered.join(', ')),
    supported: spoken.join(', '),
  });
}

/** A field of this project's agent; it takes 0 for absent, and offers at least one stream. */
function offered(extra: object | null): number | null {
  const streams = integerField(extra, 'UnderpassStreams', reading);
  if (streams < 0) throw malformed(reading, 'UnderpassStreams must not be negative');
  return streams === 0 ? null : streams;
}

/** Absent is 0. */
function numberUpTo(extra: object | null, name: string, most: number): number {
  const value = integerField(extra, name, reading);
  if (value >= 0 && value <= most) return value;
  throw malformed(reading, `${name} must be from 0 to ${most}`);
}

function heartbeatMs(
  extra: object | null,
  name: string,
  code: 'heartbeatIntervalInvalid' | 'heartbeatToleranceInvalid',
  fallback: number,
): number {
  const ms = integerField(extra, name, reading) / nanosecondsPerMs;
  if (ms === 0) return fallback;
  if (ms >= leastHeartbeatMs && ms <= mostHeartbeatMs) return ms;
  throw new Problem(code, {
    seconds: ms / 1000,
    least: leastHeartbeatMs / 1000,
    most: mostHeartbeatMs / 1000,
  });
}
