/** The keeper of services of a system, by one interface for all systems. */

/** A service to write. */
export interface Job {
  /** The executable, and what leads it to this program. */
  readonly program: readonly string[];
  /** Arguments of the program. */
  readonly args: readonly string[];
  /** Id of the config file's owner, as whom a service of the machine runs. Unused on Windows. */
  readonly owner: number;
}

/** Exit codes after which a restart would be wrong: a refusal, and a wrong command or config. */
export const FINAL_CODES: readonly number[] = [1, 2];

/** Its methods resolve with the exit code of the system's command, whose output is printed. */
export interface ServiceManager {
  /** Name for people. */
  readonly name: string;
  /** Path of the definition. */
  readonly path: string;
  /** Path of the log, which nothing rotates; null: the system keeps the log. */
  readonly log: string | null;
  /** The moment of each start, as the end of a sentence. */
  readonly startedBy: string;
  /** Advice after an installation, or null. */
  readonly advice: string | null;
  /** Returns the content of the file at `path`. Throws InvalidInput. */
  definition(job: Job): Buffer;
  /** Registers the written definition. It does not start the service. */
  take(): Promise<number>;
  start(): Promise<number>;
  /** Stops the service until the next start. */
  stop(): Promise<number>;
  status(): Promise<number>;
  /** Stops the service and forgets it; the file is removed afterwards. */
  end(): Promise<number>;
  /** Completes the removal after the file is gone. */
  removed(): Promise<number>;
}

/** The system that the service is for. */
export interface System {
  readonly platform: NodeJS.Platform;
  /** Undefined on Windows. */
  readonly uid: number | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly programs: Programs;
}

/** Runs programs of the system. */
export interface Programs {
  /** Resolves with the exit code; output is printed. `absent`: error text if the program is missing. */
  run(program: string, args: readonly string[], absent: string): Promise<number>;
  /** Returns true if the program ends with 0. Its output is dropped. */
  succeeds(program: string, args: readonly string[]): boolean;
  /** Returns what the program prints. Throws InvalidInput if it fails. */
  read(program: string, args: readonly string[]): string;
}
