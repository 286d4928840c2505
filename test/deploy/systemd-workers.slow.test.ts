/**
 * The units of deploy/systemd with two workers on PostgreSQL, under a systemd of their own. Restarts the service while
 * visitors come.
 * Invariant: a restart loses no request, and the end of a worker does not restart the service.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { eventually, postgresMissing } from '../harness/index.ts';
import { pathToNode } from '../harness/process.ts';
import { SystemdMachine, systemdMachineMissing } from '../harness/systemd.ts';

const root = join(import.meta.dirname, '../..');
/** Visits before and after each step. */
const VISITS = 100;
const DATABASE = `
[Service]
Type=notify
User=postgres
RuntimeDirectory=postgres
ExecStartPre=/bin/sh -c "exec $(ls -d /usr/lib/postgresql/*/bin | tail -n 1)/initdb -D /run/postgres/data -U underpass --auth=trust --locale=C --encoding=UTF8 --no-sync"
ExecStart=/bin/sh -c "exec $(ls -d /usr/lib/postgresql/*/bin | tail -n 1)/postgres -D /run/postgres/data -h 127.0.0.1 -k /run/postgres -F"
`;
/** Four visitors, each visit on a new connection. The file has the number of visits, and those that were not served. */
const VISITORS = `
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
const ca = readFileSync('/var/lib/underpass/ca.pem');
const seen = { served: 0, lost: [] };
const visit = () => new Promise((resolve) => {
  const agent = new Agent({ keepAlive: false });
  get('https://web.example.com/', { agent, ca }, (response) => {
    response.resume().on('error', resolve).on('end', () => resolve(response.statusCode));
  }).on('error', resolve);
});
for (let n = 0; n < 4; n += 1) void (async () => {
  for (;;) {
    const outcome = await visit();
    if (outcome === 200) seen.served += 1;
    else seen.lost.push(String(outcome));
    writeFileSync('/run/visits.json', JSON.stringify(seen));
  }
})();
`;
const AGENT = `
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
systemctl start underpass-agent.service`;

interface Seen {
  readonly served: number;
  readonly lost: readonly string[];
}

describe('the units with two workers', { skip: systemdMachineMissing || postgresMissing }, () => {
  let folder: string;
  let machine: SystemdMachine;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'underpass-units-'));
    await run(process.execPath, [join(root, 'scripts/pack.ts'), join(folder, 'archives')]);
    const archives = globSync(join(folder, 'archives/underpass-{server,agent}-*.tgz'));
    const alone = ['--offline', '--cache', 'no-cache', '--silent', '--no-audit', '--no-fund'];
    await run('npm', ['install', '--global', '--prefix', 'global', ...alone, ...archives]);
    writeFileSync(join(folder, 'database.service'), DATABASE);
    writeFileSync(join(folder, 'visitors.mjs'), VISITORS);
    machine = await SystemdMachine.start(`
      mkdir -p opt/underpass etc/underpass etc/systemd/system/underpassd.service.d
      cp -r ${folder}/global/. opt/underpass
      cp ${folder}/visitors.mjs opt
      cp ${process.execPath} usr/local/bin/node
      cp ${root}/deploy/systemd/* ${folder}/database.service etc/systemd/system
      printf '[Service]\\nWatchdogSec=5\\n' > etc/systemd/system/underpassd.service.d/watchdog.conf
      printf 'domain: example.com\\nlisten: ":443"\\nworkers: 2\\nworker-timeout: 1\\n' > etc/underpass/underpassd.yaml
      echo UNDERPASS_DATABASE=postgres://underpass@127.0.0.1/postgres > etc/underpass/secrets.env
      echo 127.0.0.1 api.example.com connect.example.com web.example.com > etc/hosts`);
    await machine.run('systemctl start database.service');
    await machine.run('systemctl start underpassd.socket underpassd.service');
    await machine.run(AGENT);
    await eventually(() => machine.run(visit));
    await machine.run('systemd-run --quiet --unit=visitors /usr/local/bin/node /opt/visitors.mjs');
  });
  after(async () => {
    await machine?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const visit = 'curl -sSf --cacert /var/lib/underpass/ca.pem https://web.example.com/';

  async function run(command: string, args: readonly string[]): Promise<void> {
    await promisify(execFile)(command, args, { cwd: folder, env: { ...process.env, ...pathToNode } });
  }

  const property = async (name: string): Promise<string> =>
    (await machine.run(`systemctl show --value --property ${name} underpassd`)).trim();

  async function workers(): Promise<readonly string[]> {
    const supervisor = await property('MainPID');
    const children = await machine.run(`cat /proc/${supervisor}/task/${supervisor}/children`);
    return children.trim().split(' ');
  }

  const seen = async (): Promise<Seen> => JSON.parse(await machine.run('cat /run/visits.json')) as Seen;

  async function moreVisits(): Promise<void> {
    const { served } = await eventually(seen);
    await eventually(async () => assert.ok((await seen()).served >= served + VISITS));
  }

  test('a restart of the service loses no request', async (t) => {
    const before = await workers();
    assert.equal(before.length, 2);
    await moreVisits();
    await machine.run('systemctl restart underpassd');
    assert.equal(await property('StatusText'), 'serves https://api.example.com');
    await moreVisits();
    const { served, lost } = await seen();
    t.diagnostic(`${served} visits served`);
    assert.deepEqual(lost, []);
    const now = await workers();
    assert.deepEqual(
      before.filter((pid) => now.includes(pid)),
      [],
    );
    assert.equal(await property('KillMode'), 'mixed');
  });

  test('a worker that is killed or hangs is started again, and the service is not', async () => {
    const state = async () => [await property('MainPID'), await property('NRestarts')];
    const [before, killed] = [await state(), await workers()];
    await machine.run(`kill -KILL ${killed[0]}`);
    await eventually(async () => {
      const now = await workers();
      assert.equal(now.length, 2);
      assert.ok(!now.includes(killed[0] as string));
    });
    await machine.run(`kill -STOP ${killed[1]}`);
    await eventually(async () => assert.ok(!(await workers()).includes(killed[1] as string)));
    await eventually(() => machine.run(visit));
    assert.deepEqual(await state(), before);
  });

  test('a supervisor that hangs is started again, and no worker of it is left', async () => {
    const before = await workers();
    assert.equal(before.length, 2);
    await machine.run(`kill -STOP ${await property('MainPID')}`);
    await eventually(async () => assert.equal(await property('NRestarts'), '1'));
    await eventually(() => machine.run(visit));
    for (const pid of before) await assert.rejects(machine.run(`kill -0 ${pid}`));
  });

  test('a stop ends all processes in time', async () => {
    await machine.run('systemctl stop visitors underpass-agent underpassd.socket underpassd.service');
    assert.equal(await property('Result'), 'success');
    assert.equal(await machine.run('pgrep node || true'), '');
  });
});
