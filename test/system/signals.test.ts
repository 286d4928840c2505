/**
 * Signals from terminals, npm and people.
 * Invariant: they do not cut off responses.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { type Bootstrap, closing, eventually, freePorts, inTime, Process } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { daemonWith } from './daemon-process.fixture.ts';

const CHECKOUT = fileURLToPath(new URL('../../', import.meta.url));
const DAEMON = join(CHECKOUT, 'packages/server/bin/underpassd.js');
const skip = missingPrograms('script');
const CTRL_C = '\x03';

let dir: string;
before(() => {
  dir = mkdtempSync(join(tmpdir(), 'underpass-signals-'));
});
after(() => rmSync(dir, { recursive: true, force: true }));

/** The README's command in a terminal of its own. */
async function startInTerminal(name: string) {
  const [port, sshPort] = (await freePorts(2)) as [number, number];
  const dataDir = join(dir, name);
  const listening = `--listen 127.0.0.1:${port} --ssh-listen 127.0.0.1:${sshPort}`;
  const command = `npm start -- ${listening} --data-dir ${dataDir}`;
  const terminal = Process.inTerminal(command, { cwd: CHECKOUT });
  await terminal.line(/^ready /);
  return { terminal, port, dataDir, pid: daemonWith(dataDir).pid };
}

/** A request whose body is not whole, so that a drain has something to wait for. Answers how it is ended, and what comes back. */
async function beginRequest(port: number, dataDir: string): Promise<() => Promise<string>> {
  const { api_key } = JSON.parse(readFileSync(join(dataDir, 'bootstrap.json'), 'utf8')) as Bootstrap;
  const host = 'api.underpass.localhost';
  const socket = connect({
    port,
    host: '127.0.0.1',
    servername: host,
    ca: readFileSync(join(dataDir, 'ca.pem')),
  });
  const head = [
    'POST /ip_policies HTTP/1.1',
    `Host: ${host}:${port}`,
    `Authorization: Bearer ${api_key}`,
    'Service-Version: 2',
    'Content-Type: application/json',
    'Content-Length: 2',
    'Expect: 100-continue',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  // It is being read now, and waited for.
  await once(socket, 'data');
  return async () => {
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.write('{}');
    await inTime(closing(socket), () => `the end of the connection, after: ${answer}`);
    return answer;
  };
}

test('Ctrl-C under npm start drains, although npm hands it on once more', { skip: skip }, async () => {
  const { terminal, port, dataDir } = await startInTerminal('ctrl-c');
  const finish = await beginRequest(port, dataDir);
  terminal.type(CTRL_C);
  await terminal.line(/stopping/);
  assert.match(await finish(), /^HTTP\/1\.1 201 /);
  // Not by the exit code of npm: under load it may end itself by the signal after its child has ended well.
  await terminal.exited;
  assert.match(terminal.output, / stopped: everything that ran has ended/);
});

test('a terminal that is closed drains, too', { skip: skip }, async () => {
  const { terminal, port, dataDir, pid } = await startInTerminal('closed');
  const finish = await beginRequest(port, dataDir);
  await terminal.stop('SIGKILL');
  assert.match(await finish(), /^HTTP\/1\.1 201 /);
  await eventually(() => assert.ok(!existsSync(`/proc/${pid}`), 'it has ended'));
});

test('SIGHUP without a terminal reads the log level again, and nothing of a file that is wrong', async () => {
  const [port] = (await freePorts(1)) as [number];
  const file = join(dir, 'config.yaml');
  const rest = `listen: 127.0.0.1:${port}\ndata-dir: ${dir}/hup\n`;
  writeFileSync(file, `log-level: error\n${rest}`);
  const daemon = Process.program(DAEMON, ['--config', file], { group: true });
  await daemon.line(/^ready /);
  const hangUp = async (content: string, answer: RegExp): Promise<void> => {
    writeFileSync(file, content);
    daemon.signal('SIGHUP');
    await daemon.line(answer);
  };
  await hangUp('log-level: loud\n', /nothing was changed: --log-level loud: must be one of/);
  await hangUp(`log-level: debug\nregion: eu\n${rest}`, /"log_level":"debug"/);
  await daemon.line(/"options":\["region"\].*next start/);
  assert.equal((await daemon.stop()).code, 0, daemon.output);
  assert.match(daemon.output, /"msg":"stopping/, 'it logs what the new level lets through');
});
