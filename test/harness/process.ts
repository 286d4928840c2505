/** A child process under test: its output as lines that can be waited for, and an end that is certain. */
import { ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { stripVTControlCharacters } from 'node:util';
import { startedFor } from './repository-command.ts';
import { ConditionVariable } from './until.ts';

/** Commands are started by their first line, as users do, and find the Node there that runs the tests. */
export const pathToNode = { PATH: `${dirname(process.execPath)}:${process.env.PATH}` };
const running = new Set<Process>();
process.on('exit', () => {
  for (const process of running) process.signal('SIGKILL');
});

export interface ProcessOptions {
  readonly cwd?: string | undefined;
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Another user of the process. */
  readonly uid?: number;
  readonly gid?: number;
  /** Starts a process group, which ends as a whole, for programs that start further processes. */
  readonly group?: boolean;
  /** True if something can be typed. */
  readonly typed?: boolean;
  /** Descriptors that it gets, from 3 on. */
  readonly descriptors?: readonly number[];
}

export interface TerminalOptions extends Pick<ProcessOptions, 'cwd' | 'env'> {
  /** Default: the size that `script` gives the terminal. */
  readonly columns?: number;
  readonly rows?: number;
}

export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class Process {
  readonly lines: string[] = [];
  readonly exited: Promise<ExitStatus>;
  readonly #child: ChildProcess;
  readonly #output = new ConditionVariable();
  #text = '';
  readonly #isGroup: boolean;
  #ended = false;

  private constructor(child: ChildProcess, isGroup: boolean) {
    this.#child = child;
    this.#isGroup = isGroup;
    running.add(this);
    // Input for a process that has ended is lost; the wait for its output reports that.
    child.stdin?.on('error', () => {});
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      stream.on('data', (chunk: Buffer) => {
        this.#text += chunk.toString('latin1');
        this.#output.notify();
      });
      createInterface({ input: stream }).on('line', (line) => {
        this.lines.push(line);
        this.#output.notify();
      });
    }
    this.exited = once(child, 'close').then(([code, signal]: unknown[]) => {
      // Other processes of a group may still run.
      if (!isGroup) running.delete(this);
      this.#ended = true;
      this.#output.notify();
      return { code: code as number | null, signal: signal as NodeJS.Signals | null };
    });
  }

  /** Starts a command of this repository, `through` a command that runs another where it is given. */
  static node(
    script: string,
    args: readonly string[],
    options: ProcessOptions & { readonly through?: readonly string[] } = {},
  ): Process {
    const { through = [], env, ...rest } = options;
    const [program = '', ...words] = [...through, startedFor(script), ...args];
    return Process.program(program, words, { ...rest, env: { ...pathToNode, ...env } });
  }

  /** Starts any program. */
  static program(file: string, args: readonly string[], options: ProcessOptions = {}): Process {
    const { group = false, typed = false, descriptors = [], ...rest } = options;
    const env = { ...process.env, ...options.env };
    const stdio: StdioOptions = [typed ? 'pipe' : 'ignore', 'pipe', 'pipe', ...descriptors];
    return new Process(spawn(file, args, { ...rest, env, detached: group, stdio }), group);
  }

  /**
   * Starts a line of the shell on a terminal of its own, which ends with the line's exit code. Begin it with `exec`
   * where Ctrl-C is typed and the code matters: it reaches a shell that waits as well, and dash ends with 130 then.
   */
  static inTerminal(line: string, options: TerminalOptions = {}): Process {
    const { columns, rows = 24, ...rest } = options;
    const size = columns === undefined ? '' : `stty cols ${columns} rows ${rows}; `;
    const env = { ...rest.env, SHELL: '/bin/sh' };
    return Process.program('script', ['-qefc', `${size}${line}`, '/dev/null'], {
      ...rest,
      env,
      typed: true,
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get output(): string {
    return this.lines.join('\n');
  }

  /** The first line, printed already or to come, that matches; rejects with the whole output when the process ends without it. */
  async line(pattern: RegExp, ms?: number): Promise<RegExpExecArray> {
    const found = (): RegExpExecArray | undefined => {
      for (const line of this.lines) {
        const match = pattern.exec(line);
        if (match !== null) return match;
      }
      if (this.#ended) throw new Error(`ended without a line matching ${pattern}:\n${this.output}`);
      return undefined;
    };
    await this.#output.until(
      () => found() !== undefined,
      () => `a line matching ${pattern}:\n${this.output}`,
      ms,
    );
    return found() as RegExpExecArray;
  }

  /** Waits until what was printed matches, as a question does that has no end of line. */
  async text(pattern: RegExp): Promise<void> {
    await this.#output.until(
      () => {
        const isThere = pattern.test(stripVTControlCharacters(this.#text));
        if (!isThere && this.#ended) throw new Error(`ended without ${pattern}:\n${this.#text}`);
        return isThere;
      },
      () => `${pattern}:\n${this.#text}`,
    );
  }

  /** True if this process waits for it before its own end, which is the default. */
  set isWaitedFor(is: boolean) {
    for (const handle of [this.#child, this.#child.stdout, this.#child.stderr]) {
      if (!(handle instanceof Socket || handle instanceof ChildProcess)) continue;
      if (is) handle.ref();
      else handle.unref();
    }
  }

  /** Forgets all output until now, so that it is not found again. */
  forgetOutput(): void {
    this.lines.length = 0;
    this.#text = '';
  }

  type(text: string): void {
    this.#child.stdin?.write(text);
  }

  /** Nothing more is typed. */
  typeEnd(): void {
    this.#child.stdin?.end();
  }

  signal(signal: NodeJS.Signals): void {
    if (this.#isGroup) this.#signalGroup(signal);
    else this.#child.kill(signal);
  }

  /** Sends the signal, and waits for the end. Of a group no process is left then. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<ExitStatus> {
    if (!this.#ended) this.signal(signal);
    const status = await this.exited;
    if (this.#isGroup) this.#signalGroup('SIGKILL');
    running.delete(this);
    return status;
  }

  #signalGroup(signal: NodeJS.Signals): void {
    try {
      process.kill(-this.pid, signal);
    } catch (error) {
      // Nothing of it is left.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
