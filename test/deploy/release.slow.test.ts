/**
 * A release for this processor: two runs write the same bytes, the executables run where there is no Node, and the
 * packages install a service.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { releaseFacts } from '../../scripts/release/release-facts.ts';
import { freePorts } from '../harness/free-ports.ts';
import {
  type Bootstrap,
  Client,
  Postgres,
  postgresMissing,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { SystemdMachine, systemdMachineMissing } from '../harness/systemd.ts';
import { StockAgent } from '../system/stock-agent.fixture.ts';
import { BareMachine, bareMachineMissing } from './bare-machine.fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const PLATFORM = `linux-${process.arch}`;
const VERSION = '7.8.9';
/** `U*U` by bcrypt. */
const HASH = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW';
/** All but the image: `check:image` builds the same. */
const PARTS = ['npm', 'executables', 'deb', 'rpm', 'chart'].flatMap((part) => ['--part', part]);
const RELEASE = ['--version', VERSION, '--platform', PLATFORM, ...PARTS];

let folder: string;

before(() => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-release-test-'));
  release('one');
});
after(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the folder of the files. */
function release(name: string): string {
  const out = join(folder, name);
  const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
  execFileSync(process.execPath, ['scripts/release/main.ts', ...RELEASE, '--out', out], { cwd: ROOT, env });
  execFileSync('sha256sum', ['--check', '--strict', '--quiet', 'SHA256SUMS'], { cwd: out });
  return out;
}

test('two runs write the same bytes', () => {
  const [one, other] = [join(folder, 'one'), release('other')].map((out) =>
    readFileSync(join(out, 'SHA256SUMS'), 'utf8'),
  );
  assert.equal(one, other);
});

describe('single executables without Node', { skip: bareMachineMissing }, () => {
  let machine: BareMachine;
  let upstream: Upstream;

  before(async () => {
    for (const program of ['underpass', 'underpassd']) {
      const archive = join(folder, 'one', `${program}-${VERSION}-${PLATFORM}.tar.gz`);
      assert.ok(statSync(archive).size < 60_000_000);
      execFileSync('tar', ['--extract', '--file', archive, '--directory', folder]);
    }
    assert.match(readFileSync(join(folder, 'THIRD-PARTY-LICENSES'), 'utf8'), /^node \d+\.[\s\S]*\bOpenSSL\b/);
    // A manager of services that agrees with everything.
    copyFileSync('/bin/true', join(folder, 'systemctl'));
    machine = new BareMachine(['underpass', 'underpassd', 'systemctl'].map((name) => join(folder, name)));
    upstream = await startUpstream((request, response) => response.end(`hello ${request.url}`));
  });
  after(async () => {
    await upstream?.stop();
    machine?.remove();
  });

  test('need glibc, libstdc++, libgcc and libatomic', async () => {
    assert.deepEqual(
      machine.libraries.filter(
        (name) => !/^(ld-linux.*|lib(c|dl|m|pthread|selinux|pcre2-8)\.so\.\d+)$/.test(name),
      ),
      ['libatomic.so.1', 'libgcc_s.so.1', 'libstdc++.so.6'],
    );
    // The gate tests a checkout without commits.
    const { commit } = releaseFacts(ROOT, VERSION, { SOURCE_DATE_EPOCH: '0' });
    for (const program of ['underpass', 'underpassd']) {
      assert.equal(await machine.run(program, ['--version']), VERSION);
      const facts = JSON.parse(await machine.run(program, ['version', '--json'])) as object;
      const expected = { version: VERSION, commit, platform: PLATFORM, node: process.version };
      assert.deepEqual(facts, expected);
    }
    assert.match(await machine.run('underpass', ['completion', 'bash']), /complete /);
  });

  test('a service starts the executable itself, with no script', async () => {
    const config = machine.path('data/tunnels.yaml');
    writeFileSync(
      config,
      'server: 127.0.0.1:1\nauthtoken: some\ntunnels:\n  web: {proto: http, upstream: 3000}\n',
    );
    await machine.run('underpass', ['service', 'install', '--config', '/data/tunnels.yaml']);
    const unit = readFileSync(machine.path('etc/systemd/system/underpass-agent.service'), 'utf8');
    assert.match(unit, /^ExecStart="?\/usr\/bin\/underpass"? "?start"? /m);
  });

  /** `data`: its data dir inside. */
  async function withDaemon(
    data: string,
    args: readonly string[],
    use: (daemon: Started) => Promise<void>,
  ): Promise<void> {
    const [port = 0, adminPort = 0] = await freePorts(2);
    const listen = ['--listen', `127.0.0.1:${port}`, '--admin-listen', `127.0.0.1:${adminPort}`];
    const options = [
      ...listen,
      '--domain',
      'underpass.localhost',
      '--leave-seconds',
      '0',
      '--data-dir',
      data,
      ...args,
    ];
    const daemon = machine.start('underpassd', ['serve', ...options]);
    try {
      await daemon.line(/^ready /);
      const read = (name: string) => readFileSync(machine.path(data, name), 'utf8');
      await use({ port, ca: read('ca.pem'), bootstrap: JSON.parse(read('bootstrap.json')) as Bootstrap });
    } finally {
      assert.deepEqual(await daemon.stop(), { code: 0, signal: null }, daemon.output);
    }
  }

  async function expectTunnel({ port, ca, bootstrap }: Started): Promise<void> {
    const { connect_addr, ca_file, authtoken } = bootstrap;
    const server = ['--server', connect_addr, '--ca', ca_file, '--authtoken', authtoken];
    const flags = ['--json', '--inspect', '127.0.0.1:0', ...server];
    const agent = machine.start('underpass', ['http', String(upstream.port), ...flags]);
    const client = new Client(port, ca);
    try {
      const { url } = JSON.parse((await agent.line(/"event":"tunnel"/)).input) as { url: string };
      const answer = await client.request(new URL('/there', url));
      assert.deepEqual([answer.status, answer.text], [200, 'hello /there']);
      const inspector = JSON.parse((await agent.line(/"event":"inspector"/)).input) as { url: string };
      for (const path of ['/', '/page.js', '/page.css'])
        assert.equal((await fetch(new URL(path, inspector.url))).status, 200, path);
    } finally {
      await agent.stop();
      await client.close();
    }
  }

  /** The pages of the API, and passwords, which a thread compares with their hashes. */
  async function expectPagesAndThreads(started: Started): Promise<void> {
    const { bootstrap, ca, port } = started;
    const client = new Client(port, ca);
    const agent = await StockAgent.connect(started, (_request, response) => response.end('inside'));
    try {
      const get = (path: string) =>
        client.unchecked(new URL(path, bootstrap.base_url), { headers: { accept: 'text/html, */*' } });
      for (const path of ['/docs', '/docs/icon.svg', '/openapi.json', '/ui/'])
        assert.equal((await get(path)).status, 200, path);
      for (const page of ['/docs', '/ui/'])
        for (const [asset] of (await get(page)).text.matchAll(/\/ui\/assets\/[\w-]+\.(?:js|css)/g))
          assert.equal((await get(asset)).status, 200, asset);
      const { url } = await agent.bind({
        BasicAuth: { credentials: [{ username: 'bob', hashed_password: HASH }] },
      });
      const visit = async (password: string) => {
        const authorization = `Basic ${Buffer.from(`bob:${password}`).toString('base64')}`;
        return (await client.request(new URL(url), { headers: { authorization } })).status;
      };
      assert.deepEqual([await visit('wrong'), await visit('U*U')], [401, 200]);
    } finally {
      await agent.stop();
      await client.close();
    }
  }

  test('a tunnel works, with threads and one worker', async () => {
    await withDaemon('/data/one', ['--workers', '1'], async (started) => {
      await expectTunnel(started);
      await expectPagesAndThreads(started);
      await machine.run('underpassd', ['backup', '/data/backup', '--data-dir', '/data/one']);
      assert.ok(readdirSync(machine.path('data/backup')).includes('backup.json'));
    });
  });

  test('a tunnel works with two workers on PostgreSQL', { skip: postgresMissing }, async () => {
    const postgres = await Postgres.shared();
    try {
      const args = ['--database', await postgres.database(), '--workers', '2'];
      await withDaemon('/data/two', args, expectTunnel);
    } finally {
      await postgres.stop();
    }
  });
});

describe('packages of the daemon', () => {
  const deb = () =>
    join(folder, 'one', `underpassd_${VERSION}_${process.arch === 'x64' ? 'amd64' : 'arm64'}.deb`);

  test('the service of the Debian package runs as its user, and its state stays', {
    skip: systemdMachineMissing,
  }, async () => {
    const machine = await SystemdMachine.start(
      `cp ${deb()} opt/one.deb; chroot . dpkg --install /opt/one.deb >&2`,
    );
    try {
      assert.match(await machine.run('systemd-analyze verify --man=no underpassd.service 2>&1'), /^$/);
      await machine.run('systemctl enable --now underpassd.socket underpassd.service');
      const property = (name: string) => machine.run(`systemctl show --value --property ${name} underpassd`);
      assert.equal(await property('StatusText'), 'serves https://api.underpass.localhost\n');
      const pid = (await property('MainPID')).trim();
      assert.equal(await machine.run(`stat --format %U /proc/${pid}`), 'underpass\n');
      assert.match(await machine.run(`readlink /proc/${pid}/exe`), /\/usr\/bin\/underpassd\n$/);

      await machine.run('dpkg --install /opt/one.deb && dpkg --remove underpassd');
      assert.equal(await machine.run('systemctl is-active underpassd.socket || true'), 'inactive\n');
      assert.equal(
        await machine.run('ls /usr/bin/underpassd* /usr/lib/systemd/system/underpassd* 2>/dev/null || true'),
        '',
      );
      assert.equal(await machine.run('stat --format %U /var/lib/underpass/bootstrap.json'), 'underpass\n');
      assert.match(await machine.run('cat /etc/underpass/underpassd.yaml'), /^domain: /m);
    } finally {
      await machine.stop();
    }
  });
});

interface Started {
  readonly port: number;
  readonly ca: string;
  readonly bootstrap: Bootstrap;
}
