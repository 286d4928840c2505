/** Remedies that the agent prints: each is the only one, and its commands run as they are printed. */
import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePorts, Platform, Process, pathToNode } from '../harness/index.ts';
import { rowsOf } from '../harness/property-runs.ts';
import { startedFor } from '../harness/repository-command.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
let platform: Platform;
let folder: string;
let ca: string;

before(async () => {
  platform = await Platform.shared();
  folder = temporaryFolder("underpass-it's-");
  mkdirSync(join(folder, 'my files'));
  ca = join(folder, 'my files', 'ca.pem');
  copyFileSync(platform.bootstrap.ca_file, ca);
  mkdirSync(join(folder, 'bin'));
  const program = join(folder, 'bin', 'underpass');
  writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${startedFor(AGENT)}' "$@"\n`);
  chmodSync(program, 0o755);
});
after(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

/** Environment of a user without a login. */
const environment = () => ({ XDG_CONFIG_HOME: folder, npm_command: '' });

function agent(...args: readonly string[]): Process {
  return Process.node(AGENT, args, { cwd: folder, env: environment() });
}

/** Runs the command between double quotes in a shell. */
function pasted(text: string): Process {
  const [, command = ''] = /"(underpass [^"]*)"/.exec(text) ?? [];
  assert.notEqual(command, '', text);
  const env = { ...environment(), PATH: `${join(folder, 'bin')}:${pathToNode.PATH}` };
  return Process.program('sh', ['-c', command], { cwd: '/', env });
}

interface Finding {
  readonly check: string;
  readonly status: string;
  readonly remedy: string;
}

test('diagnose runs without a token, and its remedy logs in', async () => {
  const { connect_addr, authtoken } = platform.bootstrap;
  const config = join(folder, 'my files', 'agent.yaml');
  writeFileSync(config, `server: ${connect_addr}\nca: ca.pem\n`);
  for (const args of [
    ['--server', connect_addr, '--ca', ca],
    ['--config', config],
  ]) {
    const run = agent('diagnose', '--json', ...args);
    assert.equal((await run.exited).code, 0, run.output);
    const findings = run.lines.map((line) => JSON.parse(line) as Finding);
    assert.deepEqual(
      findings.map(({ check, status }) => [check, status]),
      [
        ...['proxy', 'dns', 'tcp', 'tls', 'clock', 'protocol'].map((check) => [check, 'ok']),
        ['auth', 'skipped'],
      ],
    );
    const login = findings.at(-1)?.remedy ?? '';
    assert.equal(login.includes('--config'), args.includes('--config'));
    const loggedIn = pasted(login.replace('underpass login', `underpass login --authtoken ${authtoken}`));
    assert.equal((await loggedIn.exited).code, 0, loggedIn.output);
    const again = agent('diagnose', ...args);
    assert.equal((await again.exited).code, 0);
    assert.match(again.output, /^ok +auth +the token is good/m);
    rmSync(join(folder, 'underpass', 'agent.yaml'), { force: true });
  }
});

test('where the server is not reached, the command that is printed finds out why', async () => {
  const [port] = await freePorts(1);
  const server = `connect.underpass.localhost:${port}`;
  const run = agent('http', '1', '--server', server, '--ca', ca, '--authtoken', 'x', '--inspect=false');
  const [advice] = await run.line(/^"underpass diagnose .*/);
  await run.stop();
  const reasons = run.lines.filter((line) => line.includes('connection refused'));
  assert.equal(reasons.length, 1, run.output);
  const login = agent('login', '--server', server, '--ca', ca, '--authtoken', 'x');
  assert.equal((await login.exited).code, 1);
  for (const text of [advice, login.output]) {
    const diagnosis = pasted(text);
    assert.equal((await diagnosis.exited).code, 1);
    assert.match(diagnosis.output, /^failed +tcp +127\.0\.0\.1:\d+ connection refused/m);
  }
});

test('without a token the login that is asked for is that of the same server and authority', async () => {
  const { connect_addr, authtoken } = platform.bootstrap;
  const run = agent('http', '1', '--server', connect_addr, '--ca', ca);
  assert.equal((await run.exited).code, 2);
  const login = pasted(run.output.replace('underpass login', `underpass login --authtoken ${authtoken}`));
  assert.equal((await login.exited).code, 0, login.output);
  rmSync(join(folder, 'underpass', 'agent.yaml'));
});

test('a refusal has one remedy, and no sentence twice', async () => {
  const { connect_addr, authtoken } = platform.bootstrap;
  const taken = 'refused.underpass.localhost';
  const created = await platform.api('POST', '/credentials', { acl: ['bind:refused.underpass.localhost'] });
  const { token } = created.json as { token: string };
  const holder = await platform.agent(['http', '1', '--domain', taken, '--authtoken', token]);
  const refusals: readonly (readonly [token: string, args: readonly string[]])[] = [
    ['wrong', ['http', '1']],
    [authtoken, ['http', '1', '--domain', taken]],
    [authtoken, ['http', '1', '--domain', 'api.underpass.localhost']],
    [authtoken, ['http', '1', '--domain', 'app.example.com']],
    [authtoken, ['tcp', '1', '--address', 'tcp.underpass.localhost:1']],
    [authtoken, ['http', '1', '--oauth', 'nobody']],
    [token, ['http', '1', '--domain', 'other.underpass.localhost']],
    [token, ['http', '1']],
    [token, ['http', '1', '--label', 'a=b']],
  ];
  const given = ['--server', connect_addr, '--ca', ca, '--inspect=false'];
  for (const [credential, args] of rowsOf(refusals)) {
    const command = [...args, ...given, '--authtoken', credential];
    const json = agent(...command, '--json');
    assert.equal((await json.exited).code, 1, json.output);
    const { message, advice } = JSON.parse(json.lines.at(-1) ?? '') as { message: string; advice: string };
    const [problem = '', code] = message.split('\n\n');
    assert.match(code ?? '', /^ERR_SERVICE_\d+$/);
    assert.equal(sentencesOf(problem).length, 1, problem);
    assert.notEqual(advice, '');
    if (args.includes('app.example.com'))
      assert.match(advice, /"underpass api reserved-domains create --domain app\.example\.com"/);
    const lines = agent(...command);
    assert.equal((await lines.exited).code, 1);
    const told = lines.output.slice(lines.output.indexOf('underpass: '));
    assert.equal(told, `underpass: ${problem}\n\n${code}\n${advice}`);
    const sentences = sentencesOf(`${problem} ${advice}`);
    assert.equal(new Set(sentences).size, sentences.length, told);
  }
  await holder.process.stop();
});

function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?]) (?=[A-Z])/);
}
