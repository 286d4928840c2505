/**
 * One worker: its process, which is started again after each end, and questions to it.
 * Invariant: a worker is killed for its silence only after it was ready, and a stall of the supervisor kills none.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { deadline, isSingleExecutable } from '@underpass/wire';
import type { Logger } from 'pino';
import type { Values } from '../command/options.ts';
import { WORKER_VARIABLE, type WorkerFacts } from '../command/worker-facts.ts';
import { BackOff } from './back-off.ts';
import type { FromWorker, Question, Responses, ToWorker } from './messages.ts';
import { inheritedAs, type Sockets } from './sockets.ts';

/** The first descriptor after the standard ones and the channel. */
const FIRST_SOCKET = 4;
/** Questions about life within the time after which a silent worker is killed. */
const SIGNS = 10;
/** Questions about life without a response after which others are not worth the wait: probes of readiness are short. */
const LATE_SIGNS = 2;
/** Milliseconds for a response. The parts of a daemon have 1,500. */
const RESPONSE_MS = 2_000;

/** A worker ended before it was ready for the first time. It has printed the reason. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
  /** The exit code of the worker. */
  readonly exitCode: number;
  readonly number: number;

  constructor(number: number, exitCode: number) {
    super(`worker ${number} could not start`);
    this.number = number;
    this.exitCode = exitCode;
  }
}

export interface WorkerPlan {
  /** The lowest free one when it was first started. */
  readonly number: number;
  /** The number of its sockets. */
  readonly seat: number;
  /** Names the supervisor. */
  readonly group: string;
  readonly hasSiblings: boolean;
  readonly isFirst: boolean;
  /** The options of its next start. */
  readonly values: Values;
  /** Milliseconds without a sign of life after which the worker is killed. */
  readonly timeoutMs: number;
  readonly sockets: Pick<Sockets, 'of' | 'giveUp' | 'areInherited'>;
  /** True if connections that wait for the worker go to others once its socket is closed. */
  readonly migrates: boolean;
  /** Called when the visitors of a worker are served that stops together with the others. */
  readonly served: () => void;
  /** Called at each end of a process. */
  readonly ended: () => void;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** The arguments with which this program starts again. */
function ownArguments(): readonly string[] {
  // A single executable has the flags inside, and Node inserts a name in place of the script.
  if (isSingleExecutable()) return process.argv.slice(2);
  return [...process.execArgv, ...process.argv.slice(1)];
}

interface Outcome {
  readonly bootstrapFile: string | null;
}

interface Again extends Pick<PromiseWithResolvers<Outcome>, 'resolve' | 'reject'> {
  /** The former process has ended. */
  hasEnded: boolean;
}

export class Worker {
  readonly #plan: WorkerPlan;
  readonly #backOff = new BackOff();
  readonly #first = Promise.withResolvers<Outcome>();
  /** A restart by an operator, from the end of one process to the readiness of the next. */
  #again: Again | null = null;
  readonly #questions = new Map<number, (response: Responses[keyof Responses]) => void>();
  readonly #watch: NodeJS.Timeout;
  #child: ChildProcess | null = null;
  /** The process that is ending in order. A second SIGTERM would end it at once, with what it still serves. */
  #ending: ChildProcess | null = null;
  /** The options of the next start. */
  values: Values;
  #isReady = false;
  #wasReady = false;
  #hasServed = false;
  #isStopping = false;
  readonly #stopped = Promise.withResolvers<void>();
  #startedAt = 0;
  #silence = 0;
  #lastId = 0;
  #restart: NodeJS.Timeout | undefined;

  constructor(plan: WorkerPlan) {
    this.#plan = plan;
    this.values = plan.values;
    this.#watch = setInterval(() => this.#look(), plan.timeoutMs / SIGNS);
  }

  get number(): number {
    return this.#plan.number;
  }

  get seat(): number {
    return this.#plan.seat;
  }

  /** The process that runs has reported that it is ready. */
  get isReady(): boolean {
    return this.#isReady;
  }

  /** Its visitors may need the tunnels of other workers. */
  get isServing(): boolean {
    return this.#isReady && !this.#hasServed;
  }

  /** Resolves when it is ready for the first time. Rejects with WorkerFailed if it ends before. */
  start(): Promise<Outcome> {
    this.#spawn();
    return this.#first.promise;
  }

  /** Null without a response in time, for example while it starts. At once for a worker that is silent already. */
  async ask<About extends Question['about']>(
    question: Question & { readonly about: About },
  ): Promise<Responses[About] | null> {
    if (!this.#isReady || this.#silence > LATE_SIGNS) return null;
    this.#lastId += 1;
    const id = this.#lastId;
    const { promise, resolve } = Promise.withResolvers<Responses[keyof Responses] | null>();
    this.#questions.set(id, resolve);
    const late = deadline(RESPONSE_MS, () => resolve(null));
    this.#send({ ...question, id });
    try {
      return (await promise) as Responses[About] | null;
    } finally {
      late.met();
      this.#questions.delete(id);
    }
  }

  /** Sends a signal to a worker that is ready. Before, it would end it. */
  signal(signal: NodeJS.Signals): void {
    if (this.#isReady) this.#child?.kill(signal);
  }

  /** Ends the worker for good. Resolves when its process has ended. Call it with SIGKILL to end one that is stopping. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopping = true;
    clearTimeout(this.#restart);
    if (this.#child === null) this.#stopped.resolve();
    else if (signal === 'SIGTERM') this.#endInOrder();
    else this.#child.kill(signal);
    await this.#stopped.promise;
    clearInterval(this.#watch);
  }

  /** Ends its process in order, and starts it with its options of now. Resolves when it is ready again. Rejects as `start`. */
  async again(): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#again = { resolve, reject, hasEnded: this.#child === null };
    this.#endInOrder();
    await promise.finally(() => {
      this.#again = null;
    });
  }

  #endInOrder(): void {
    if (this.#child === this.#ending) return;
    this.#ending = this.#child;
    this.#child?.kill('SIGTERM');
  }

  #spawn(): void {
    this.#startedAt = performance.now();
    const { number, seat, group, hasSiblings, isFirst, sockets, log } = this.#plan;
    let descriptors: ReturnType<Sockets['of']>;
    try {
      descriptors = sockets.of(seat);
    } catch (error) {
      log.error({ err: error, worker: number }, 'a worker cannot listen');
      this.#ended(1, null);
      return;
    }
    const followsOther = this.#wasReady || sockets.areInherited;
    const facts: WorkerFacts = {
      ...{ number, group, hasSiblings, isFirst, followsOther, values: [...this.values] },
      sockets: inheritedAs(descriptors, FIRST_SOCKET),
    };
    const { LISTEN_PID: _pid, LISTEN_FDS: _count, LISTEN_FDNAMES: _names, ...env } = process.env;
    const child = spawn(process.execPath, ownArguments(), {
      env: { ...env, [WORKER_VARIABLE]: JSON.stringify(facts) },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc', ...descriptors.values()],
    });
    this.#child = child;
    child.on('message', (message) => this.#received(message as FromWorker));
    const ended = (code: number | null, signal: NodeJS.Signals | null): void => {
      if (this.#child !== child) return;
      this.#child = null;
      this.#ended(code, signal);
    };
    child.once('exit', ended);
    child.on('error', (error) => {
      log.warn({ err: error, worker: number }, 'a worker cannot be started or reached');
      if (child.pid === undefined) ended(1, null);
    });
  }

  #received(message: FromWorker): void {
    this.#silence = 0;
    if (message.kind === 'response') {
      this.#questions.get(message.id)?.(message.response);
      return;
    }
    if (message.kind === 'served') {
      this.#hasServed = true;
      this.#plan.served();
      return;
    }
    // A worker of a newer version may send more: a sign of life, and nothing else.
    if (message.kind !== 'ready') return;
    this.#isReady = true;
    this.#wasReady = true;
    const { number, log } = this.#plan;
    log.info({ worker: number, pid: this.#child?.pid }, 'a worker is ready');
    const outcome = { bootstrapFile: message.bootstrapFile };
    this.#first.resolve(outcome);
    this.#again?.resolve(outcome);
  }

  #send(message: ToWorker): void {
    // A failure is reported by the end of the process, or by its silence.
    if (this.#child?.connected === true) this.#child.send(message, () => {});
  }

  /** Counts questions without a response rather than time: the supervisor itself may have been stopped meanwhile. */
  #look(): void {
    if (!this.#isReady) return;
    this.#silence += 1;
    if (this.#silence <= SIGNS) {
      this.#lastId += 1;
      this.#send({ about: 'life', id: this.#lastId });
      return;
    }
    const { number, timeoutMs, log } = this.#plan;
    log.error(
      { worker: number, pid: this.#child?.pid },
      `a worker is killed: for ${timeoutMs / 1000} s it gave no sign of life`,
    );
    this.#silence = 0;
    this.#child?.kill('SIGKILL');
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    this.#isReady = false;
    this.#silence = 0;
    const { number, seat, sockets, migrates, ended, log } = this.#plan;
    ended();
    if (this.#isStopping) {
      this.#stopped.resolve();
      return;
    }
    if (!this.#wasReady) {
      // It could not print a reason itself.
      if (signal !== null) log.error({ worker: number, signal }, 'a worker was killed before it was ready');
      this.#first.reject(new WorkerFailed(number, code ?? 1));
      return;
    }
    if (this.#again !== null && !this.#again.hasEnded) {
      this.#again.hasEnded = true;
      this.#spawn();
      return;
    }
    this.#again?.reject(new WorkerFailed(number, code ?? 1));
    const pauseMs = this.#backOff.next(performance.now() - this.#startedAt);
    log.error({ worker: number, code, signal, pauseMs }, 'a worker ended, and is started again');
    if (migrates || pauseMs > 0) sockets.giveUp(seat);
    this.#restart = setTimeout(() => this.#spawn(), pauseMs);
  }
}
