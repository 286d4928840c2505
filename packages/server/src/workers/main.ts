/** The process of the supervisor: its signals, its readiness, and its end. */
import type { Logger } from 'pino';
import type { WorkerOptions } from '../command/worker-options.ts';
import type { Configuration } from '../daemon/reload.ts';
import type { ServiceManager } from '../daemon/service-manager.ts';
import { hasTerminal, onSignals } from '../daemon/signals.ts';
import type { RestartRequest } from '../operator/requests.ts';
import { supervisorSocket } from '../operator/restart-workers.ts';
import { listenForOperators, type OperatorSocket } from '../operator/socket.ts';
import type { JsonObject } from '../store/store.ts';
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
  const { dataDir } = started.config.settings;
  let operators: OperatorSocket | null = null;
  let isStopping = false;
  onSignals(process, {
    stop: async () => {
      isStopping = true;
      manager.stopping();
      await supervisor.stop();
      // A command that waits gets no answer, and the exit closes its connection.
      void operators?.close();
    },
    reload: () => supervisor.reload(readAgain),
    exit: (code) => process.exit(code),
    hasTerminal: hasTerminal(),
    now: () => performance.now(),
    log,
  });
  try {
    const bootstrapFile = await supervisor.start(options);
    if (isStopping) return;
    const restart = async ({ worker }: RestartRequest): Promise<JsonObject> => ({
      ...(await supervisor.restart(readAgain, worker)),
    });
    operators = await listenForOperators(supervisorSocket(dataDir), restart, log);
    ready(bootstrapFile);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
}
