/**
 * Installed packages: from archives alone, global commands, and libraries in an empty folder.
 * Invariant: npm contacts no registry.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import {
  curlMissing,
  eventually,
  freePorts,
  Process,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { pathToNode } from '../harness/process.ts';
import { SystemdMachine, systemdMachineMissing } from '../harness/systemd.ts';

const root = join(import.meta.dirname, '..', '..');
const typescript = join(root, 'node_modules/typescript/bin/tsc');
const started: Process[] = [];
let folder: string;
let upstream: Upstream;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-installed-'));
  upstream = await startUpstream((_, response) => response.end('from the upstream'));
  await run(process.execPath, [join(root, 'scripts/pack.ts'), join(folder, 'archives')]);
  writeFileSync(join(folder, 'package.json'), '{ "private": true, "type": "module" }');
  await install('--global', '--prefix', 'global', ...archives('server', 'agent'));
  await install(...archives('wire', 'client', 'agent'));
});
after(async () => {
  await Promise.all(started.map((one) => one.stop()));
  await upstream.stop();
  rmSync(folder, { recursive: true, force: true });
});

function archives(...names: readonly string[]): readonly string[] {
  return globSync(`archives/underpass-{${names.join(',')}}-*.tgz`, { cwd: folder }).map((name) =>
    join(folder, name),
  );
}

async function install(...args: readonly string[]): Promise<void> {
  const alone = ['--offline', '--cache', 'no-cache'];
  await run('npm', ['install', '--silent', '--no-audit', '--no-fund', ...alone, ...args]);
}

/** Runs a command in the folder of the installed packages; returns its output. */
async function run(command: string, args: readonly string[]): Promise<string> {
  const env = { ...process.env, ...pathToNode };
  const { stdout } = await promisify(execFile)(command, args, { cwd: folder, env });
  return stdout;
}

/** A command that was installed. */
function start(command: string, args: readonly string[]): Process {
  const script = join(folder, 'global/bin', command);
  const one = Process.node(script, args, { cwd: folder });
  started.push(one);
  return one;
}

test('an installed agent brings visitors of an installed daemon to a service', {
  skip: curlMissing,
}, async () => {
  const [port = 0] = await freePorts(1);
  const settings = `listen: 127.0.0.1:${port}\ndomain: underpass.localhost\ndata-dir: data\n`;
  writeFileSync(join(folder, 'daemon.yaml'), settings);
  const api = `https://api.underpass.localhost:${port}`;
  const daemon = start('underpassd', ['serve', '--config', 'daemon.yaml']);
  await daemon.line(/^ready /);
  const agent = start('underpass', ['http', String(upstream.port)]);
  const [url] = await agent.line(/https:\/\/[0-9a-f]+\.underpass\.localhost:\d+/);
  assert.equal(await run('curl', ['-sS', '--cacert', 'data/ca.pem', url]), 'from the upstream');
  const [, inspector] = await agent.line(/^Inspector +(http:\S+)/);
  const files = [
    ['', /<title>Underpass inspector/],
    ['page.js', /X-Inspector-Token/],
    ['page.css', /color-scheme/],
  ] as const;
  for (const [file, content] of files)
    assert.match(await run('curl', ['-sSf', `${inspector}/${file}`]), content);
  const page = (path: string) =>
    run('curl', ['-sSf', '--cacert', 'data/ca.pem', '-H', 'Accept: text/html', `${api}${path}`]);
  for (const [path, title] of [
    ['/ui/', /<title>Underpass</],
    ['/docs', /<title>Underpass management API</],
  ] as const) {
    const html = await page(path);
    assert.match(html, title);
    const assets = [...html.matchAll(/\/ui\/assets\/[\w-]+\.(?:js|css)/g)].map(([asset]) => asset);
    assert.ok(assets.length > 1, path);
    for (const asset of assets) assert.ok((await page(asset)).length > 10, asset);
  }
});

test('a program can be written with the packages and their types', async () => {
  writeFileSync(
    join(folder, 'program.ts'),
    `import { createServer } from 'node:http';
     import { type AgentOptions, connect, forward, listen, type Tunnel } from '@underpass/agent';
     import { Client } from '@underpass/client';
     import { MuxSession } from '@underpass/wire';
     const options: AgentOptions | null = null;
     console.log(typeof connect, typeof Client, typeof MuxSession, options);
     export async function start(): Promise<Tunnel[]> {
       const listener = await listen({ proto: 'http', signal: AbortSignal.timeout(1_000) });
       listener.serve(createServer()).on('connection', (connection) => connection.setTimeout(1_000));
       return [listener, await forward(3000, { domain: 'a.example', modules: { compression: true } })];
     }`,
  );
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
  await run(process.execPath, [
    typescript,
    '--strict',
    '--noEmit',
    '--module',
    'nodenext',
    ...types,
    'program.ts',
  ]);
  assert.equal(await run(process.execPath, ['program.ts']), 'function function function null\n');
});

test('what comes from other people is what the lock file says', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
  const { packages } = read(join(root, 'package-lock.json'));
  const found = globSync('{global/lib/,}node_modules/**/node_modules/{*,@*/*}/package.json', { cwd: folder });
  const installed = found
    .map((path): { name: string; version: string } => read(join(folder, path)))
    .filter(({ name }) => !name.startsWith('@underpass/'))
    .map(({ name, version }) => `${name} ${version}`);
  assert.deepEqual([...new Set(installed)], [`yaml ${packages['node_modules/yaml'].version}`]);
});

test('what is installed takes less than 60 MB, needs few other packages, and says whose else it is', async () => {
  const server = join(folder, 'global/lib/node_modules/@underpass/server');
  assert.deepEqual(readdirSync(join(server, 'node_modules')).sort(), ['.bin', '@underpass', 'yaml']);
  const licenses = readFileSync(join(server, 'THIRD-PARTY-LICENSES'), 'utf8');
  for (const name of ['pino', '@peculiar/x509', 'openid-client'])
    assert.ok(licenses.includes(`\n${name} `), name);
  const megabytes = Number.parseInt(await run('du', ['-sm', 'global']), 10);
  assert.ok(megabytes < 60, `${megabytes} MB`);
});

test('systemd starts what is installed, without rights, and starts it again when it does not turn any more', {
  skip: systemdMachineMissing,
}, async () => {
  const machine = await SystemdMachine.start(`
    mkdir -p opt/underpass etc/underpass etc/systemd/system/underpassd.service.d
    cp -r ${folder}/global/. opt/underpass
    cp ${process.execPath} usr/local/bin/node
    cp ${root}/deploy/systemd/* etc/systemd/system
    printf '[Service]\\nWatchdogSec=5\\n' > etc/systemd/system/underpassd.service.d/watchdog.conf
    printf 'domain: example.com\\nlisten: ":443"\\n' > etc/underpass/underpassd.yaml
    echo 127.0.0.1 api.example.com connect.example.com web.example.com > etc/hosts`);
  const daemon = (property: string): Promise<string> =>
    machine.run(`systemctl show --value --property ${property} underpassd`);
  const visit = (name: string): Promise<string> =>
    machine.run(`curl -sSf --cacert /var/lib/underpass/ca.pem https://${name}/`);
  try {
    await machine.run('systemctl start underpassd.socket underpassd.service');
    assert.equal(await daemon('StatusText'), 'serves https://api.example.com\n');
    const pid = (await daemon('MainPID')).trim();
    assert.equal(await machine.run(`stat --format %U /proc/${pid}`), 'underpassd\n');

    await machine.run(`
      token=$(sed -n 's/.*"authtoken": "\\(.*\\)".*/\\1/p' /var/lib/underpass/bootstrap.json)
      cp /var/lib/underpass/ca.pem /etc/underpass && chmod 644 /etc/underpass/ca.pem
      cat > /etc/underpass/agent.yaml <<END
server: connect.example.com:443
authtoken: "$token"
ca: /etc/underpass/ca.pem
tunnels:
  web: {upstream: 3000, domain: web.example.com}
END
      chmod 600 /etc/underpass/agent.yaml
      echo from the upstream > /run/index.html
      systemd-run --quiet python3 -m http.server --directory /run 3000
      systemctl start underpass-agent.service`);
    await eventually(async () => assert.equal(await visit('web.example.com'), 'from the upstream\n'));

    // The agent's own command writes another unit in the place of this one.
    const service = (words: string): Promise<string> =>
      machine.run(`PATH=/usr/local/bin:$PATH /opt/underpass/bin/underpass service ${words}`);
    const answers = (text: string): Promise<void> =>
      eventually(async () => assert.equal(await visit('web.example.com').catch(() => 'nobody'), text));
    await machine.run('systemctl disable --now underpass-agent.service');
    await answers('nobody');
    await service('install web --config /etc/underpass/agent.yaml');
    await service('start');
    await answers('from the upstream\n');
    assert.match(await service('status'), /Active: active \(running\)/);
    await service('stop');
    await answers('nobody');
    await service('start');
    await answers('from the upstream\n');
    await service('uninstall');
    await answers('nobody');
    await assert.rejects(machine.run('systemctl cat underpass-agent.service'));
    await service('install --config /etc/underpass/agent.yaml');
    await service('start');
    await answers('from the upstream\n');

    const before = await daemon('NRestarts');
    // On a busy machine it may have been started again meanwhile, or be now.
    await eventually(async () => {
      const now = (await daemon('MainPID')).trim();
      assert.notEqual(now, '0');
      await machine.run(`kill -STOP ${now}`);
    });
    await eventually(async () => assert.notEqual(await daemon('NRestarts'), before));
    await eventually(async () => assert.equal(await visit('web.example.com'), 'from the upstream\n'));
  } finally {
    await machine.stop();
  }
});
