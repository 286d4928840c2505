/**
 * The commands of docs/start/first-hour.md, on a Debian with systemd: from nothing to a URL with a certificate of a
 * certificate authority, by the programs of a release.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { eventually, pebbleMissing } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { SystemdMachine, systemdMachineMissing } from '../harness/systemd.ts';
import { blocksOf } from '../system/documented-commands.fixture.ts';

const ROOT = join(import.meta.dirname, '../..');
const INSIDE = '/opt/checkout';
const NODE = process.execPath.startsWith(ROOT)
  ? join(INSIDE, process.execPath.slice(ROOT.length))
  : process.execPath;
const skip = systemdMachineMissing || pebbleMissing || missingPrograms('curl', 'ssh', 'ssh-keygen');

describe('the first hour on a server', { skip }, () => {
  let folder: string;
  let machine: SystemdMachine;
  const commands = blocksOf('docs/start/first-hour.md')
    .filter(({ language }) => language === 'bash')
    .map(({ text }) => text.trim());
  const [install = '', setup = '', login = '', http = '', visit = '', register = '', ssh = ''] = commands;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'underpass-first-hour-'));
    const release = ['--version', '7.8.9', '--platform', `linux-${process.arch}`, '--part', 'executables'];
    const env = { ...process.env, SOURCE_DATE_EPOCH: '1700000000' };
    execFileSync(process.execPath, ['scripts/release/main.ts', ...release, '--out', folder], {
      cwd: ROOT,
      env,
    });
    machine = await SystemdMachine.start(
      [
        `mkdir -p .${INSIDE} opt/release opt/internet; mount --rbind '${ROOT}' .${INSIDE}; mount --rbind '${folder}' opt/release`,
        'rm -f etc/resolv.conf; echo nameserver 127.0.0.2 > etc/resolv.conf',
      ].join('\n'),
    );
    const script = `${INSIDE}/test/deploy/first-hour-internet.fixture.ts`;
    await machine.run(`systemd-run --quiet --unit internet ${NODE} ${script} /opt/release /opt/internet`);
    await eventually(() => machine.run('test -s /opt/internet/directory'));
  });
  after(async () => {
    await machine?.stop();
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a command of the page with what stands for the public internet. */
  const run = (command: string): Promise<string> =>
    machine.run(
      `export PATH=/usr/local/bin:/usr/bin:/bin UNDERPASS_RELEASES=http://127.0.0.1:8000 HOME=/root
export NODE_EXTRA_CA_CERTS=/opt/internet/root.pem CURL_CA_BUNDLE=/opt/internet/root.pem
unset XDG_CONFIG_HOME; cd /root; ( ${command.replace('https://releases.example.com', 'http://127.0.0.1:8000')} ) 2>&1`,
    );

  test('the server is installed and set up, and its certificate is there when the setup ends', async () => {
    assert.match(await run(install), /^Installed \/usr\/local\/bin\/underpassd$/m);
    const directory = await machine.run('cat /opt/internet/directory');
    const local = `--acme-directory ${directory} --acme-ca /opt/internet/authority.pem --dns-resolver 127.0.0.2:53`;
    const output = await run(`${setup} ${local}`);
    assert.match(output, /^Waiting for the certificate$/m);
    assert.doesNotMatch(output, /Warning/);
    assert.match(output, /^ {2}underpass login --server connect\.example\.com:443 .*--authtoken -$/m);
  });

  test('an agent joins, and its URL is trusted', async () => {
    assert.match(await run(login), /^Logged in at connect\.example\.com:443/m);
    await run(`systemd-run --quiet --unit agent --setenv HOME=/root --setenv NODE_EXTRA_CA_CERTS ${http}`);
    await eventually(async () => assert.equal(await run(visit), 'hello from port 3000\n'));
  });

  test('ssh -R needs no installation', async () => {
    await run('ssh-keygen -q -t ed25519 -N "" -f /root/id_ed25519');
    await run(register);
    await run(
      'echo "[connect.example.com]:2222 $(cut -d " " -f 1,2 /var/lib/underpass/ssh_host_key.pub)" > /root/known_hosts',
    );
    const options = '-i /root/id_ed25519 -o UserKnownHostsFile=/root/known_hosts';
    await run(`systemd-run --quiet --unit ssh-tunnel ${ssh.replace('ssh ', `ssh ${options} `)}`);
    await eventually(async () =>
      assert.equal(await run(visit.replace('demo.', 'ssh.')), 'hello from port 3000\n'),
    );
  });
});
