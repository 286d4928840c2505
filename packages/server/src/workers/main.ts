/** The process of the supervisor: its signals, its readiness, and its end. */
import type { Logger } from 'pino';
import type { Config } from '../command/config.ts';
import type { WorkerOptions } from '../command/worker-options.ts';
import type { ServiceManager } from '../daemon/service-manager.ts';
import { hasTerminal, onSignals } from '../daemon/signals.ts';
import { Supervisor } from './supervisor.ts';

export interface Supervised {
  readonly config: Config;
  readonly options: WorkerOptions;
  readonly manager: Pick<ServiceManager, 'stopping'>;
  /** Called when all workers are ready, with the file of the first start. */
  readonly ready: (bootstrapFile: string | null) => void;
  readonly log: Logger;
}

/** Resolves when all workers are ready. Rejects, without workers, if one cannot start. */
export async function superviseWorkers({ config, options, manager, ready, log }: Supervised): Promise<void> {
  const supervisor = new Supervisor(config, log);
  let isStopping = false;
  onSignals(process, {
    stop: () => {
      isStopping = true;
      manager.stopping();
      return supervisor.stop();
    },
    reload: () => supervisor.reload(),
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
