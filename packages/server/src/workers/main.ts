/** The process of the supervisor: its signals, its readiness, and its end. */
import type { Logger } from 'pino';
import type { WorkerOptions } from '../command/worker-options.ts';
import type { Configuration } from '../daemon/reload.ts';
import type { ServiceManager } from '../daemon/service-manager.ts';
import { hasTerminal, onSignals } from '../daemon/signals.ts';
import { Supervisor } from './supervisor.ts';

export interface Supervised {
  readonly started: Configuration;
  /** Reads the options again. Throws ConfigError. */
  readonly readAgain: () => Configuration;
  readonly options: WorkerOptions;
  readonly manager: Pick<ServiceManager, 'stopping'>;
  /** Called when all workers are ready, with the file of the first start. */
  readonly ready: (bootstrapFile: string | null) => void;
  readonly log: Logger;
}

/** Resolves when all workers are ready. Rejects, without workers, if one cannot start. */
export async function superviseWorkers(supervised: Supervised): Promise<void> {
  const { started, readAgain, options, manager, ready, log } = supervised;
  const supervisor = new Supervisor(started, log);
  let isStopping = false;
  onSignals(process, {
    stop: () => {
      isStopping = true;
      manager.stopping();
      return supervisor.stop();
    },
    reload: () => supervisor.reload(readAgain),
    exit: (code) => process.exit(code),
    hasTerminal: hasTerminal(),
    now: () => performance.now(),
    log,
  });
  try {
    const bootstrapFile = await supervisor.start(options);
    if (!isStopping) ready(bootstrapFile);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
