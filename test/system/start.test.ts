/**
 * All ways to start the commands, and their settings.
 * Invariant: none opens an inspector.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';
import { eventually, freePorts, Platform, Process, startUpstream } from '../harness/index.ts';
import { daemonWith } from './daemon-process.fixture.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const DAEMON = join(CHECKOUT, 'packages/server/bin/underpassd.js');
const AGENT = join(CHECKOUT, 'packages/agent/bin/underpass.js');
const FLAGS = ['--disable-sigusr1', '--initial-heap-size=128', '--max-semi-space-size=2'];
/** Bit in the form of `grep SigBlk /proc/PID/status`. */
const SIGUSR1_BIT = 1n << 9n;

let dir: string;
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'underpass-start-'));
});
after(() => rmSync(dir, { recursive: true, force: true }));

describe('however it is started, the daemon has its heap and no inspector', () => {
  for (const [what, command] of [
    ['npm start', ['npm', 'start', '--']],
    ['npx', ['npx', '--no-install', 'underpassd']],
    ['an installed command', ['installed']],
  ] as const) {
    test(what, async () => {
      const dataDir = join(dir, what.replaceAll(' ', '-'));
      const link = `${dataDir}-underpassd`;
      symlinkSync(DAEMON, link);
      const [port, sshPort] = (await freePorts(2)) as [number, number];
      const [program, ...args] = command.map((word) => (word === 'installed' ? link : word)) as [string];
      const listening = ['--listen', `127.0.0.1:${port}`, '--ssh-listen', `127.0.0.1:${sshPort}`];
      const options = [...listening, '--data-dir', dataDir];
      const started = Process.program(program, [...args, ...options], { cwd: CHECKOUT });
      await started.line(/^ready /);
      const { pid, words } = daemonWith(dataDir);
      process.kill(pid, 'SIGTERM');
      await started.exited;
      assert.deepEqual(words.slice(1, 1 + FLAGS.length), FLAGS);
    });
  }
});

test('in spite of their flags, daemon and agent take what Node brings along compiled', async () => {
  const source =
    "import v8 from 'node:v8'; process.on('exit', () => console.log('takes', v8.cachedDataVersionTag()));";
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` };
  for (const command of [DAEMON, AGENT]) {
    const { exited, lines } = Process.node(command, ['--version'], { env });
    await exited;
    assert.equal(lines.at(-1), `takes ${v8.cachedDataVersionTag()}`, command);
  }
});

test('SIGUSR1 opens no inspector, neither while they start nor later, in daemon and agent', async () => {
  const [port] = (await freePorts(1)) as [number];
  const options = ['--listen', `127.0.0.1:${port}`, '--data-dir', join(dir, 'sigusr1')];
  const starting = Process.node(DAEMON, options);
  await signalOnceItIsCaught(starting);
  await starting.line(/^ready /);
  await starting.stop();
  assert.doesNotMatch(starting.output, /Debugger/);

  const platform = await Platform.start();
  const upstream = await startUpstream((_request, response) => response.end('alive'));
  const agent = await platform.agent(['http', String(upstream.port)]);
  for (const running of [platform.daemon, agent.process]) running.signal('SIGUSR1');
  assert.equal((await platform.visit(agent.url)).text, 'alive');
  await platform.stop();
  await upstream.stop();
  assert.doesNotMatch(platform.daemon.output + agent.process.output, /Debugger/);
});

/** Sends the signal after Node has read its flags: before, it ends any program. */
async function signalOnceItIsCaught(child: Process): Promise<void> {
  await eventually(() => {
    const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    const mask = (name: string): bigint => BigInt(`0x${new RegExp(`${name}:\\s*(\\w+)`).exec(status)?.[1]}`);
    assert.ok(((mask('SigBlk') | mask('SigCgt')) & SIGUSR1_BIT) !== 0n);
  });
  child.signal('SIGUSR1');
}
