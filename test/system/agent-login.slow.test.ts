/**
 * `underpass login` and `config edit`, by flags and on a terminal.
 * Invariant: an invalid value never replaces a valid one.
 */
import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, Platform, Process, pathToNode, startUpstream, type Upstream } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { rowsOf } from '../harness/property-runs.ts';
import { startedFor } from '../harness/repository-command.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const skip = missingPrograms('script');
const CTRL_C = '\x03';

let platform: Platform;
let upstream: Upstream;
let home: string;
let path: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((_asked, answer) => answer.end('ours'));
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'underpass-login-'));
  path = join(home, 'underpass', 'agent.yaml');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const NOBODY = { UNDERPASS_SERVER: '', UNDERPASS_AUTHTOKEN: '', UNDERPASS_CA: '' };

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Process {
  return Process.node(AGENT, args, { cwd: home, env: { ...NOBODY, XDG_CONFIG_HOME: home, ...env } });
}

/** Runs it on a terminal. */
function typed(args: string, env: NodeJS.ProcessEnv = {}): Process {
  return Process.inTerminal(`exec ${startedFor(AGENT)} ${args}`, {
    cwd: home,
    env: { ...NOBODY, ...pathToNode, XDG_CONFIG_HOME: home, ...env },
  });
}

function flags(): readonly string[] {
  const { connect_addr, authtoken, ca_file } = platform.bootstrap;
  return ['--server', connect_addr, '--authtoken', authtoken, '--ca', ca_file];
}

function write(text: string): void {
  mkdirSync(join(home, 'underpass'), { recursive: true });
  writeFileSync(path, text);
}

function noCopyIsLeft(): Promise<void> {
  return eventually(() => assert.deepEqual(readdirSync(join(home, 'underpass')), ['agent.yaml']));
}

/** A command that is an editor for who has not one, which leaves this behind. */
function editor(script: string): string {
  const file = join(home, 'editor');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

test('who has logged in once needs no flags any more', async (t) => {
  const login = run(['login', ...flags()]);
  assert.equal((await login.exited).code, 0, login.output);
  assert.match(
    login.output,
    /^Logged in at .*, region us\.\nStored in .*agent\.yaml, which only you can read\.$/,
  );
  assert.equal(statSync(path).mode & 0o777, 0o600);
  assert.equal(statSync(join(home, 'underpass')).mode & 0o777, 0o700);
  const agent = run(['http', String(upstream.port), '--json']);
  t.after(() => agent.stop());
  const { url } = JSON.parse((await agent.line(/"event":"tunnel"/)).input) as { url: string };
  assert.equal((await platform.visit(url)).text, 'ours');
});

test('a login changes nothing else of the file, which may be a link and may have been readable', async () => {
  const elsewhere = join(home, 'dotfiles.yaml');
  const rest = '# mine\ntunnels:\n  web: {upstream:   3000} # shop\n';
  writeFileSync(elsewhere, `server: old.example:1\nca: old.pem\n${rest}`, { mode: 0o644 });
  mkdirSync(join(home, 'underpass'));
  symlinkSync(elsewhere, path);
  const { connect_addr, authtoken, ca_file } = platform.bootstrap;
  const login = run(['login', ...flags()]);
  assert.equal((await login.exited).code, 0, login.output);
  const stored = `authtoken: ${authtoken}\nserver: ${connect_addr}\nca: ${ca_file}\n${rest}`;
  assert.equal(readFileSync(elsewhere, 'utf8'), stored);
  assert.equal(statSync(elsewhere).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(home).sort(), ['dotfiles.yaml', 'underpass']);
});

test('a failed login is reported with a remedy, and not stored', async () => {
  const [, server = '', , token = '', , ca = ''] = flags();
  const cases: readonly (readonly [readonly string[], number, RegExp])[] = [
    [['--server', server, '--authtoken', 'wrong', '--ca', ca], 1, /ERR_SERVICE_\d+\nCheck the authtoken/],
    [['--server', server, '--authtoken', token, '--ca', 'none'], 1, /not trusted: .*\nGive the authority/],
    [['--server', `127.0.0.1:${platform.port}`, '--authtoken', token], 1, /give the name of the service/],
    [['--server', '127.0.0.1:1', '--authtoken', token], 1, /127\.0\.0\.1:1 cannot be reached: .*\nCheck the/],
    [['--server', 'nothing.invalid', '--authtoken', token], 1, /nothing\.invalid:443 cannot be reached: /],
    [['--server', 'a b', '--authtoken', token], 2, /Give HOST:PORT/],
    [['--server', server, '--authtoken', token, '--ca', 'absent.pem'], 2, /absent\.pem cannot be read/],
    [['--authtoken', token], 2, /Give --server HOST:PORT/],
    [['--server', server], 2, /Give --authtoken TOKEN, or --authtoken -/],
  ];
  const ended = rowsOf(cases).map(async ([args, code, message]) => {
    const login = run(['login', ...args]);
    assert.equal((await login.exited).code, code, login.output);
    assert.match(login.output, message);
  });
  await Promise.all(ended);
  assert.equal(existsSync(path), false);
  write('{server: old.example:1}');
  const login = run(['login', ...flags()]);
  assert.equal((await login.exited).code, 2, login.output);
  assert.equal(readFileSync(path, 'utf8'), '{server: old.example:1}');
});

test('on a terminal it asks, again where an answer cannot be right, and shows no token', {
  skip: skip,
}, async () => {
  const { connect_addr, authtoken, ca_file } = platform.bootstrap;
  const login = typed(`login --ca ${ca_file}`);
  await login.text(/Address of the server for agents: $/);
  login.type('a b\r');
  await login.text(/Give HOST:PORT.*\s+Address of the server for agents: $/);
  login.type(`${connect_addr}\r`);
  await login.text(/not shown: $/);
  login.type(`${authtoken}\r`);
  assert.equal((await login.exited).code, 0, login.output);
  assert.equal(login.output.includes(authtoken), false);
  assert.match(readFileSync(path, 'utf8'), new RegExp(`^server: ${connect_addr}$`, 'm'));

  // The next time all is known, and Ctrl-C is no answer.
  const again = typed('login');
  await again.text(/agents \[connect\.underpass\.localhost:\d+\]: $/);
  again.type('\r');
  await again.text(new RegExp(`not shown \\[${platform.bootstrap.authtoken.slice(0, 4)}\\.{3}\\]: $`));
  again.type(CTRL_C);
  assert.equal((await again.exited).code, 1);
  assert.match(again.output, /Nothing was changed\./);
});

test('the token is read from stdin', async () => {
  const { connect_addr, authtoken, ca_file } = platform.bootstrap;
  const args = ['login', '--server', connect_addr, '--authtoken', '-', '--ca', ca_file];
  const login = Process.node(AGENT, args, {
    cwd: home,
    env: { ...NOBODY, XDG_CONFIG_HOME: home },
    typed: true,
  });
  login.type(`${authtoken}\n`);
  login.typeEnd();
  assert.equal((await login.exited).code, 0, login.output);
  assert.match(readFileSync(path, 'utf8'), new RegExp(`^authtoken: ${authtoken}$`, 'm'));
});

test('config edit takes what is right, private, and leaves the file alone otherwise', async () => {
  const right = editor('echo "tunnels: {web: {upstream: 3000}}" >> "$2"');
  const made = run(['config', 'edit'], { VISUAL: `${right} --wait` });
  assert.equal((await made.exited).code, 0, made.output);
  assert.equal(statSync(path).mode & 0o777, 0o600);
  const text = readFileSync(path, 'utf8');
  assert.match(text, /^# The address of the server[\s\S]*\ntunnels: \{web: \{upstream: 3000\}\}\n$/);

  const nobody = run(['config', 'edit'], { VISUAL: '', EDITOR: '' });
  assert.equal((await nobody.exited).code, 2);
  assert.match(nobody.output, /no terminal.* Name an editor in EDITOR/);

  const wrong = editor('echo "sever: a" >> "$1"');
  const refused = run(['config', 'edit'], { EDITOR: wrong });
  assert.equal((await refused.exited).code, 1);
  assert.match(refused.output, /underpass\/agent\.yaml:\d+: "sever": unknown here/);
  const failed = run(['config', 'edit'], { EDITOR: 'false' });
  assert.equal((await failed.exited).code, 2);
  assert.match(failed.output, /editor "false" failed, and nothing was changed/);
  assert.equal(readFileSync(path, 'utf8'), text);
  assert.deepEqual(readdirSync(join(home, 'underpass')), ['agent.yaml']);
});

test('what was changed while the editor was open is not lost, nor is what was written in it', async () => {
  write('tunnels: {}\n');
  const both = editor(`echo 'tunnels: {a: {upstream: 1}}' > "$1"; echo 'server: a:1' > '${path}'`);
  const edit = run(['config', 'edit'], { EDITOR: both });
  assert.equal((await edit.exited).code, 2);
  const [, copy = ''] = /was changed meanwhile\. What you wrote is in (.*)\.$/m.exec(edit.output) ?? [];
  assert.equal(readFileSync(copy, 'utf8'), 'tunnels: {a: {upstream: 1}}\n');
  assert.equal(readFileSync(path, 'utf8'), 'server: a:1\n');
});

test('on a terminal a mistake can be edited again, or taken back', { skip: skip }, async () => {
  write('tunnels: {}\n');
  const wrongFirst = editor(
    'grep -q sever "$1" && echo "tunnels: {a: {upstream: 1}}" > "$1" || echo "sever: a" >> "$1"',
  );
  const mended = typed('config edit', { EDITOR: wrongFirst });
  await mended.text(/"sever": unknown[\s\S]*go back to what it was\? \[E\/b\] $/);
  mended.type('\r');
  assert.equal((await mended.exited).code, 0, mended.output);
  assert.equal(readFileSync(path, 'utf8'), 'tunnels: {a: {upstream: 1}}\n');
  const back = typed('config edit', { EDITOR: editor('echo "sever: a" >> "$1"') });
  await back.text(/\[E\/b\] $/);
  back.type('b\r');
  assert.equal((await back.exited).code, 1);
  assert.match(back.output, /agent\.yaml is as it was/);
  assert.equal(readFileSync(path, 'utf8'), 'tunnels: {a: {upstream: 1}}\n');
});

test('Ctrl-C is for the editor, and leaves no copy where the editor ends by it', { skip: skip }, async () => {
  write('tunnels: {}\n');
  const editing = typed('config edit', { EDITOR: editor('echo edits; exec tail -f /dev/null') });
  await editing.text(/edits/);
  editing.type(CTRL_C);
  // The shell around it ends by the same key, and may be first.
  await editing.exited;
  await noCopyIsLeft();
});

/** A machine with so much to do that an editor runs before the command that started it goes on. */
const SLOW_SPAWN = `data:text/javascript,${encodeURIComponent(`
  import children from 'node:child_process';
  import { syncBuiltinESMExports } from 'node:module';
  const { spawn } = children;
  children.spawn = (...args) => {
    const child = spawn(...args);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
    return child;
  };
  syncBuiltinESMExports();`)}`;

test('nor where it comes as soon as the editor is there', async () => {
  write('tunnels: {}\n');
  const edit = run(['config', 'edit'], {
    EDITOR: 'kill -INT $PPID; true',
    NODE_OPTIONS: `--import=${SLOW_SPAWN}`,
  });
  assert.equal((await edit.exited).code, 0, edit.output);
  await noCopyIsLeft();
});

test('whoever ends it meanwhile leaves no copy, either', async () => {
  write('tunnels: {}\n');
  const pid = join(home, 'pid');
  const edit = run(['config', 'edit'], {
    EDITOR: editor(`echo $$ > ${pid}; echo edits; exec tail -f /dev/null`),
  });
  await edit.text(/edits/);
  edit.signal('SIGTERM');
  await noCopyIsLeft();
  process.kill(Number(readFileSync(pid, 'utf8')));
  assert.equal((await edit.exited).signal, 'SIGTERM', edit.output);
});

test('where no file can be made a login says so', async () => {
  const login = run(['login', ...flags()], { XDG_CONFIG_HOME: '/proc/nobody' });
  assert.equal((await login.exited).code, 2);
  assert.match(login.output, /\/proc\/nobody\/underpass\/agent\.yaml cannot be written/);
});
