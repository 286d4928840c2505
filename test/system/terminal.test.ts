/** Output of the daemon for people on a terminal, and for programs. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePorts, Process } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { rowsOf } from '../harness/property-runs.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const DAEMON = join(CHECKOUT, 'packages/server/bin/underpassd.js');
const skip = missingPrograms('script');
const CTRL_C = '\x03';

let dir: string;
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'underpass-terminal-'));
});
after(() => rmSync(dir, { recursive: true, force: true }));

function inTerminal(command: string, cwd: string): Process {
  return Process.inTerminal(command, { cwd });
}

/** Returns the text below a heading. */
async function nextStep(terminal: Process, heading: string): Promise<string> {
  // The last of them: then all are there.
  await terminal.line(/bootstrap\.json\s*$/);
  const at = terminal.lines.findIndex((line) => line.startsWith(`  ${heading}`));
  return terminal.lines[at + 1]?.trim() ?? '';
}

test('on a terminal the daemon says what to do next, and what it says works from anywhere', {
  skip: skip,
}, async () => {
  const [port, sshPort] = (await freePorts(2)) as [number, number];
  const listening = `--listen 127.0.0.1:${port} --ssh-listen 127.0.0.1:${sshPort}`;
  const command = `npm start -- ${listening} --data-dir ${dir}/data`;
  const terminal = inTerminal(command, CHECKOUT);
  await terminal.line(/^ready /);

  const agent = inTerminal(await nextStep(terminal, 'Give a service'), '/');
  await agent.line(/https:\/\/\w+\.underpass\.localhost/);
  agent.type(CTRL_C);
  await agent.exited;
  const docs = inTerminal(await nextStep(terminal, 'Trust its certificates'), '/');
  assert.equal((await docs.exited).code, 0, docs.output);
  assert.match(docs.output, /<html/);

  // As it is pasted, but for the place of the command.
  const line = await nextStep(terminal, 'Join another machine');
  assert.match(line, /^underpass login --server \S+ --ca-fingerprint sha256:[0-9a-f]{64} --authtoken -$/);
  const [program, ...words] = line.split(' ');
  const found = `env XDG_CONFIG_HOME=${dir}/laptop npm exec --prefix ${CHECKOUT} -- ${program}`;
  const joined = inTerminal([found, ...words].join(' '), '/');
  await joined.text(/not shown: $/);
  const keys = JSON.parse(readFileSync(join(dir, 'data/bootstrap.json'), 'utf8')) as { authtoken: string };
  joined.type(`${keys.authtoken}\r`);
  assert.equal((await joined.exited).code, 0, joined.output);

  // Its log is for people, too.
  await terminal.line(/\d\d:\d\d:\d\d\S* {2}session online/);
  await terminal.line(/GET \/docs {2}\S*200/);
  assert.doesNotMatch(terminal.output, /"level"/);
  terminal.type(CTRL_C);
  await terminal.exited;
});

test('elsewhere it logs JSON, unless an option changes that', async () => {
  const [port] = (await freePorts(1)) as [number];
  for (const [args, pattern] of rowsOf([
    [[], /^\{"level":30,.*"stopping/],
    [['--log-format', 'people'], /^\d\d:\d\d:\d\d {2}stopping/],
  ] as const)) {
    const listen = ['--listen', `127.0.0.1:${port}`, '--data-dir', join(dir, 'data')];
    const daemon = Process.node(DAEMON, [...listen, ...args]);
    await daemon.line(/^ready /);
    assert.equal((await daemon.stop()).code, 0);
    await daemon.line(pattern);
  }
});
