/**
 * Runs the examples of docs/build/typescript.md.
 * Invariant: every example runs.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Platform, Process, startUpstream, type Upstream } from '../harness/index.ts';
import { repository } from './documented-commands.fixture.ts';

/** Examples by their heading. */
const examples = new Map(
  Array.from(
    readFileSync(join(repository, 'docs/build/typescript.md'), 'utf8').matchAll(
      /^## ([^\n]*)\n(?:(?!^## ).)*?^```ts\n(.*?)^```$/gms,
    ),
    ([, heading = '', code = '']) => [heading, code],
  ),
);
const run = new Set<string>();
const ONLINE = /^Online at (\S+)$/;
let platform: Platform;
let upstream: Upstream;
let folder: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((request, response) => response.end(`upstream ${request.url}`));
  folder = mkdtempSync(join(tmpdir(), 'underpass-library-'));
  symlinkSync(platform.dataDir, join(folder, 'data'));
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
});
after(async () => {
  await platform.stop();
  await upstream.stop();
  rmSync(folder, { recursive: true });
});

function start(heading: string): Process {
  const code = examples.get(heading);
  assert.ok(code !== undefined, `there is no example below "${heading}"`);
  run.add(heading);
  const file = join(folder, 'example.mts');
  writeFileSync(file, code.replaceAll('3000', String(upstream.port)));
  return Process.program(process.execPath, [file], { cwd: folder });
}

async function urlOf(program: Process): Promise<string> {
  return (await program.line(ONLINE))[1]!;
}

/** It ends by itself after the signal. */
async function end(program: Process): Promise<void> {
  program.signal('SIGTERM');
  assert.deepEqual(await program.exited, { code: 0, signal: null }, program.lines.join('\n'));
}

test('a local server gets a name', async () => {
  const program = start('Forward to a local server');
  assert.equal((await platform.visit(`${await urlOf(program)}/a`)).text, 'upstream /a');
  await end(program);
});

test('a server in the program answers', async () => {
  const program = start('Serve from the program');
  const url = await urlOf(program);
  const [one, two] = await Promise.all(['/one', '/two'].map((path) => platform.visit(`${url}${path}`)));
  assert.equal(one?.text, 'You asked for /one\n');
  assert.equal(two?.text, 'You asked for /two\n');
  await end(program);
});

test('a program takes connections of any kind', async () => {
  const program = start('Other connections');
  const { port } = new URL(await urlOf(program));
  const visitor = connect(Number(port), '127.0.0.1');
  // The example ends its connections.
  visitor.on('error', () => {});
  visitor.write('echo');
  assert.equal(String(await once(visitor, 'data')), 'echo');
  await end(program);
  assert.ok(program.lines.includes('Closed'));
  visitor.destroy();
});

test('several tunnels tell what becomes of them', async () => {
  const program = start('Several tunnels on one session');
  await platform.visit(`${await urlOf(program)}/b`);
  await program.line(/^GET \/b 200$/);
  await end(program);
  for (const line of ['The session is online', 'The labelled tunnel: closed', 'The session: closed'])
    assert.ok(program.lines.includes(line), line);
});

test('a program says where its requests can be looked at', async () => {
  const program = start('Inspect requests');
  const [, shown = ''] = await program.line(/^Shown at (http:\S+)$/);
  await platform.visit(`${await urlOf(program)}/c`);
  assert.match(await (await fetch(shown)).text(), /<title>Underpass inspector/);
  await end(program);
});

test('a refusal has a code and a remedy', async () => {
  const program = start('Errors');
  await program.line(/^ERR_SERVICE_\d+: Check the authtoken/);
  assert.equal((await program.exited).code, 0);
});

test('each example is run', () => assert.deepEqual([...run], [...examples.keys()]));
