/**
 * The facts that a supervisor passes to a worker in a variable, and the configuration that follows from them.
 * Invariant: a process that no supervisor started is never a worker.
 */
import { join } from 'node:path';
import type { Config } from './config.ts';
import type { Inherited } from './inherited.ts';
import type { LinkOptions } from './link-options.ts';
import { ConfigError } from './options.ts';

/** The variable with the facts, as JSON. */
export const WORKER_VARIABLE = 'UNDERPASS_WORKER';

const LAST_PORT = 65_535;

export interface WorkerFacts {
  /** A number from 1 to one more than there are workers: one that leaves has its number until its end. */
  readonly number: number;
  /** Names the supervisor, until it ends. */
  readonly group: string;
  /** Other daemons of this machine listen at the same addresses. */
  readonly hasSiblings: boolean;
  /** It writes bootstrap.json. */
  readonly isFirst: boolean;
  /** True unless it is the first process with its listening socket. */
  readonly followsOther: boolean;
  /** The options as the supervisor has read them: a changed file holds for no worker before it holds for all. */
  readonly values: readonly (readonly [string, readonly string[]])[];
  /** The listening sockets. */
  readonly sockets: Inherited;
}

/** Takes the facts out of `env`. `hasSupervisor`: the process has a channel to the one that started it. */
export function workerFacts(env: NodeJS.ProcessEnv, hasSupervisor: boolean): WorkerFacts | null {
  const text = env[WORKER_VARIABLE];
  delete env[WORKER_VARIABLE];
  return text === undefined || !hasSupervisor ? null : (JSON.parse(text) as WorkerFacts);
}

/** The configuration of a worker. */
export function forWorker(
  config: Config,
  { number, group, hasSiblings, isFirst, followsOther }: WorkerFacts,
): Config {
  const { settings } = config;
  const { nodeName, dataDir, listen } = settings;
  return {
    ...config,
    settings: {
      ...settings,
      nodeName: nodeName === '' ? '' : `${nodeName}/${number}`,
      listen: hasSiblings ? { ...listen, isShared: true } : listen,
    },
    links: linksOf(config.links, number - 1),
    dnsListen: config.dnsListen === null ? null : { ...config.dnsListen, isShared: hasSiblings },
    // The supervisor has the listener.
    adminListen: null,
    followsOther,
    group,
    ownDir: join(dataDir, `worker-${number}`),
    writesBootstrap: isFirst,
  };
}

/** Links are to one daemon, so each worker has a port of its own: that of the option, and those after it. */
function linksOf({ listen, address }: LinkOptions, further: number): LinkOptions {
  return {
    listen: listen === null ? null : { ...listen, port: laterPort('link-listen', listen.port, further) },
    address:
      address?.replace(/\d+$/, (port) => String(laterPort('link-address', Number(port), further))) ?? null,
  };
}

function laterPort(flag: string, port: number, further: number): number {
  if (port + further <= LAST_PORT) return port + further;
  throw new ConfigError(
    `--${flag}: each worker has a port of its own, from ${port} on, and there are too few up to ${LAST_PORT}; choose a lower port`,
  );
}
