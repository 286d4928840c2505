/**
 * Runs the commands of a document beside a daemon.
 * Invariant: a reader can paste every command, and its documented output is the real one.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Platform, Process, startedFor } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';

export const repository = fileURLToPath(new URL('../..', import.meta.url));

/** Defines `npx` without npm's own start, which takes longer than most commands. */
const HEAD = 'set -euo pipefail\nPATH=$COMMANDS:$PWD/node_modules/.bin:$PATH\nnpx() { "$@"; }';
/** Commands of the repository, by the names under which they are installed. */
const COMMANDS = {
  underpass: join(repository, 'packages/agent/bin/underpass.js'),
  underpassd: join(repository, 'packages/server/bin/underpassd.js'),
};

export interface Block {
  readonly language: string;
  readonly text: string;
}

/** The fenced blocks of a document, given by its path in the repository. */
export function blocksOf(path: string): readonly Block[] {
  const text = readFileSync(join(repository, path), 'utf8');
  return Array.from(text.matchAll(/^```(\w+)\n(.*?)^```$/gms), ([, language = '', block = '']) => ({
    language,
    text: block,
  }));
}

/** The text with other ports in place of its own: all at once, and as whole numbers, so that none is found in another one. */
export function withPorts(text: string, ports: Readonly<Record<string, number>>): string {
  return text.replaceAll(/\d+/g, (number) => String(ports[number] ?? number));
}

/** Returns the commands with a wait for this file before each stop, so that a reader can inspect the results. */
export function readTo(file: string, commands: string): string {
  return commands.replace(/^kill /m, `until [ -e '${file}' ]; do sleep 0.1; done\nkill `);
}

/** The reason to skip tests that run commands of documents; false if there is none. */
export const commandsMissing = missingPrograms(
  'bash',
  'curl',
  'find',
  'grep',
  'openssl',
  'sed',
  'ssh',
  'ssh-keygen',
);

export interface CommandsRun {
  /** Lines that they printed, errors included. */
  readonly lines: readonly string[];
  /** The names of the files that they left behind. */
  readonly left: readonly string[];
}

/** A folder that is like the checkout beside a daemon. Commands of several documents may run in it, one after the other. */
export class Checkout {
  readonly #port: number;
  readonly #place = mkdtempSync(join(tmpdir(), 'underpass-commands-'));
  readonly #folder = join(this.#place, 'checkout');
  readonly #installed = join(this.#place, 'bin');
  readonly #own: readonly string[];

  /** `platform`: a daemon of the test. Null: the commands start their own. */
  constructor(platform: Platform | null) {
    this.#port = platform?.port ?? 8443;
    for (const path of [this.#folder, this.#installed]) mkdirSync(path);
    for (const [name, file] of Object.entries(COMMANDS))
      symlinkSync(startedFor(file), join(this.#installed, name));
    if (platform !== null) symlinkSync(platform.dataDir, join(this.#folder, 'data'));
    for (const name of ['node_modules', 'test'])
      symlinkSync(join(repository, name), join(this.#folder, name));
    this.#own = readdirSync(this.#folder);
  }

  /** A shell that runs the commands, and ends at the first that fails. The caller stops it. */
  start(commands: string, env: NodeJS.ProcessEnv = {}): Process {
    const script = `${HEAD}\n${withPorts(commands, { 8443: this.#port })}`;
    return Process.program('bash', ['-xc', script], {
      ...{ cwd: this.#folder, group: true },
      env: { ...env, COMMANDS: this.#installed },
    });
  }

  /** The lines that the commands printed, errors among them. Rejects if one failed. */
  async run(commands: string, env?: NodeJS.ProcessEnv): Promise<readonly string[]> {
    const shell = this.start(commands, env);
    try {
      const { code } = await shell.exited;
      assert.equal(code, 0, shell.lines.slice(-30).join('\n'));
      return shell.lines;
    } finally {
      await shell.stop();
    }
  }

  /** The whole path of a file in the folder. */
  path(name: string): string {
    return join(this.#folder, name);
  }

  /** The text of a file that commands wrote. */
  read(name: string): string {
    return readFileSync(this.path(name), 'utf8');
  }

  /** The names of the files that commands left behind. */
  left(): readonly string[] {
    return readdirSync(this.#folder).filter((name) => !this.#own.includes(name));
  }

  remove(): void {
    rmSync(this.#place, { recursive: true, force: true });
  }
}

/** Runs them one after the other in a checkout of their own; rejects when one fails. */
export async function runCommands(
  platform: Platform,
  commands: string,
  env: NodeJS.ProcessEnv = {},
): Promise<CommandsRun> {
  const checkout = new Checkout(platform);
  try {
    return { lines: await checkout.run(commands, env), left: checkout.left() };
  } finally {
    checkout.remove();
  }
}
