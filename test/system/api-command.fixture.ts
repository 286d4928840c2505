/** Runs `underpass api` as a process of its own beside a daemon. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Platform, startedFor } from '../harness/index.ts';
import type { LooseJson } from '../harness/loose-json.ts';
import { Process } from '../harness/process.ts';

const COMMAND = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

export interface Around {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** First words of the command; default `api`. */
  readonly words?: readonly string[];
}

/** The command in a folder of its own, as beside a daemon that was started there. */
export class ApiCommand implements Disposable {
  readonly folder: string;

  constructor(platform: Platform) {
    this.folder = mkdtempSync(join(tmpdir(), 'underpass-api-'));
    symlinkSync(platform.dataDir, join(this.folder, 'data'));
  }

  /** Runs it to its end, with none of this process's settings. */
  async run(args: readonly string[], { env = {}, input = '', words = ['api'] }: Around = {}): Promise<Ended> {
    const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith('UNDERPASS_'));
    const child = spawn(process.execPath, [startedFor(COMMAND), ...words, ...args], {
      cwd: this.folder,
      env: { ...Object.fromEntries(inherited), ...env },
    });
    const texts = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => (texts.out += text));
    child.stderr.setEncoding('utf8').on('data', (text) => (texts.err += text));
    child.stdin.end(input);
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, ...texts };
  }

  /** Its output; it must succeed. */
  async text(...args: string[]): Promise<string> {
    const { code, out, err } = await this.run(args);
    assert.equal(code, 0, `${args.join(' ')}: ${err}`);
    return out;
  }

  /** Its output as JSON; it must succeed. */
  async json(...args: string[]): Promise<LooseJson> {
    return JSON.parse(await this.text(...args, '--json'));
  }

  /** Starts it and leaves it running. */
  start(args: readonly string[]): Process {
    return Process.node(COMMAND, ['api', ...args], { cwd: this.folder });
  }

  /** Starts it on a terminal of 80 columns and 24 rows. */
  onTerminal(args: string, env: Readonly<Record<string, string>> = {}): Process {
    return Process.inTerminal(`exec '${process.execPath}' '${startedFor(COMMAND)}' api ${args}`, {
      cwd: this.folder,
      env: { TERM: 'xterm', ...env },
      columns: 80,
    });
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
