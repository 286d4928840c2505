/** Commands and options that sources print as remedies: each exists in the help of its program. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { OF_DAEMON } from '../../packages/agent/src/mistaken-command.ts';
import { OF_AGENT } from '../../packages/server/src/command/meant.ts';
import { Process } from '../harness/index.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const programs = {
  underpass: fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js')),
  underpassd: fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js')),
} as const;
type Program = keyof typeof programs;

const helps = new Map<string, Promise<string>>();

async function helpOf(program: Program, words: readonly string[]): Promise<string> {
  const key = [program, ...words].join(' ');
  const started = helps.get(key) ?? startHelp(program, words);
  helps.set(key, started);
  return await started;
}

async function startHelp(program: Program, words: readonly string[]): Promise<string> {
  const run = Process.node(programs[program], [...words, '--help']);
  assert.equal((await run.exited).code, 0, `${program} ${words.join(' ')}: ${run.output}`);
  return run.output;
}

function sources(): readonly string[] {
  const found = globSync('packages/{agent,server,client,wire}/src/**/*.ts', { cwd: root });
  return found.filter((path) => !/\.(test|fixture)\.ts$|\/generated\//.test(path));
}

interface Printed {
  readonly path: string;
  readonly program: Program;
  readonly words: readonly string[];
}

/** Commands in double quotes, and those that `commandAt` makes. */
function printedIn(path: string): readonly Printed[] {
  const text = readFileSync(`${root}/${path}`, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
  const quoted = [...text.matchAll(/"(underpassd?) ([^"\n]*)"/g)].map(([, program, rest = '']) => ({
    path,
    program: program as Program,
    words: rest.split(' '),
  }));
  const made = [...text.matchAll(/commandAt\('([a-z -]+)'/g)].map(([, words = '']) => ({
    path,
    program: 'underpass' as const,
    words: [...words.split(' '), '--server', '--ca', '--config'],
  }));
  return [...quoted, ...made];
}

/** Words of a command, up to its arguments. */
async function commandOf({ program, words }: Printed): Promise<readonly string[]> {
  const command: string[] = [];
  for (const word of words) {
    if (!/^[a-z][a-z-]*$/.test(word)) break;
    const help = await helpOf(program, command);
    if (!new RegExp(`^ +(?:underpassd )?(?:[a-z-]+ )*${word}\\b`, 'm').test(help)) break;
    if (program === 'underpassd') return [word];
    command.push(word);
  }
  return command;
}

test('each printed command, and each of its options, exists', async () => {
  const printed = sources().flatMap(printedIn);
  assert.ok(printed.length > 15, String(printed.length));
  for (const one of printed) {
    const where = `${one.path}: ${one.program} ${one.words.join(' ')}`;
    const command = await commandOf(one);
    assert.ok(command.length > 0 || (one.words[0] ?? '').startsWith('-'), where);
    const help = await helpOf(one.program, one.program === 'underpassd' ? [] : command);
    for (const word of one.words.filter((it) => /^--[a-z]/.test(it)))
      assert.match(help, new RegExp(`${word.replace(/=.*/, '')}\\b`), where);
  }
});

test('each command that one program names as one of the other exists there', async () => {
  for (const word of OF_AGENT)
    assert.deepEqual(await commandOf({ path: '', program: 'underpass', words: [word] }), [word], word);
  for (const word of OF_DAEMON) await helpOf('underpassd', [word]);
});

test('the help of each command of the agent has an example', async () => {
  for (const word of OF_AGENT.filter((it) => it !== 'diagnose' && it !== 'config'))
    assert.match(await helpOf('underpass', [word]), new RegExp(`^(?: {2}|")underpass ${word}\\b`, 'm'), word);
});

test('each option in the texts of errors exists', async () => {
  const text = readFileSync(`${root}/packages/server/src/errors/catalogue.ts`, 'utf8');
  const words = [[], ...[['http'], ['tls'], ['tcp']]];
  const help = [
    await helpOf('underpassd', []),
    ...(await Promise.all(words.map((command) => helpOf('underpass', command)))),
  ].join('\n');
  const options = new Set([...text.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([option]) => option));
  assert.ok(options.size > 5);
  // Commands that SSH clients run list these options in a "--help" of their own.
  const ofSsh = new Set(['--schemes', '--remote-addr', '--hostname', '--subdomain']);
  for (const option of options)
    if (!ofSsh.has(option)) assert.match(help, new RegExp(`${option}\\b`), option);
});
