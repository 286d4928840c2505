/** `underpassd setup` on a machine with systemd: the units, the secrets, the ports, and a second run. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { postgresMissing } from '../harness/index.ts';
import { SystemdMachine, systemdMachineMissing } from '../harness/systemd.ts';

const ROOT = join(import.meta.dirname, '../..');
/** The checkout inside, because the service sees no files in /tmp and /home. */
const INSIDE = '/opt/checkout';
const inside = (path: string): string =>
  path.startsWith(ROOT) ? join(INSIDE, path.slice(ROOT.length)) : path;
const PROGRAM = `${inside(process.execPath)} ${INSIDE}/packages/server/bin/underpassd.js`;
const CONFIG = '/etc/underpass/underpassd.yaml';
/** Shows the checkout inside, in a folder that the user of the service may enter, as a temporary one often is not. */
const CHECKOUT = `mkdir -p .${INSIDE}
for one in '${ROOT}'/*; do
  there=.${INSIDE}/$(basename "$one")
  if [ -d "$one" ]; then mkdir "$there"; else touch "$there"; fi
  mount --rbind "$one" "$there"
done`;
/** Starts a server with a password. */
const POSTGRES = `
cd /; bin=$(echo /usr/lib/postgresql/*/bin)
install --directory --owner postgres /run/pg; echo s3cret > /run/pg/password; chmod 644 /run/pg/password
as() { su postgres --shell /bin/sh --command "$1" > /tmp/pg-log-$2 2>&1; }
as "$bin/initdb --pgdata /run/pg/data --auth scram-sha-256 --pwfile /run/pg/password --no-sync" 1
as "$bin/pg_ctl --pgdata /run/pg/data --wait --log /run/pg/log -o '-c listen_addresses=127.0.0.1 -k /run/pg' start" 2`;

describe('a service of a setup', { skip: systemdMachineMissing }, () => {
  let machine: SystemdMachine;

  before(async () => {
    machine = await SystemdMachine.start(CHECKOUT);
  });
  after(() => machine?.stop());

  const setUp = (args: string): Promise<string> => machine.run(`${PROGRAM} setup --yes ${args} 2>&1`);
  const property = async (name: string): Promise<string> =>
    (await machine.run(`systemctl show --value --property ${name} underpassd.service`)).trim();

  test('starts, is enabled, and the line for machines is printed', async () => {
    const output = await setUp('');
    assert.match(
      output,
      /^ {2}underpass login --server connect\.underpass\.localhost:443 --ca-fingerprint sha256:\w{64} --authtoken -$/m,
    );
    assert.equal(await property('ActiveState'), 'active');
    assert.equal(
      await machine.run(
        'systemctl is-enabled underpassd.socket underpassd-http.socket underpassd.service | uniq',
      ),
      'enabled\n',
    );
    assert.equal(await machine.run(`stat --format %a ${CONFIG}`), '644\n');
    assert.equal(
      await machine.run(
        'systemd-analyze verify --man=no underpassd.service underpassd.socket underpassd-http.socket 2>&1',
      ),
      '',
    );
    assert.equal(await machine.run('ls /etc/systemd/system/*.d 2>/dev/null || true'), '');
    const pid = await property('MainPID');
    assert.notEqual(await machine.run(`stat --format %u /proc/${pid}`), '0\n');
  });

  test('is left alone by a second run with the same answers', async () => {
    const state = () => machine.run(`stat --format '%n %i %Y' ${CONFIG} /etc/systemd/system/underpassd*`);
    const [pid, files] = [await property('MainPID'), await state()];
    const output = await setUp('');
    assert.match(output, /^Nothing changed: /m);
    assert.match(output, /^The service runs, and was not restarted\.$/m);
    assert.match(output, /underpass login /);
    assert.deepEqual([await property('MainPID'), await state()], [pid, files]);
  });

  test('is restarted with another answer, and opens other ports', async () => {
    const pid = await property('MainPID');
    const output = await setUp('--listen :8443 --http-listen off --ssh-listen :222');
    assert.match(output, /^ {2}- listen: :443$[\s\S]*^ {2}\+ listen: :8443$/m);
    assert.match(output, /connect\.underpass\.localhost:8443 /);
    assert.notEqual(await property('MainPID'), pid);
    const open = await machine.run('ss --listening --tcp --numeric --no-header');
    for (const port of [8443, 222]) assert.match(open, new RegExp(`:${port}\\s`));
    for (const port of [443, 80, 2222]) assert.doesNotMatch(open, new RegExp(`:${port}\\s`));
    assert.match(await machine.run('systemctl is-enabled underpassd-http.socket || true'), /disabled/);
  });

  test('gets a password from a file that only root reads', { skip: postgresMissing }, async () => {
    await machine.run(POSTGRES);
    const wrong = setUp('--database postgres://postgres:wrong@127.0.0.1:5432/postgres');
    await assert.rejects(wrong, ({ stdout }: { stdout: string }) =>
      /does not let this daemon in/.test(stdout),
    );
    assert.equal(await machine.run('ls /etc/underpass'), 'underpassd.yaml\n');
    const url = 'postgres://postgres:s3cret@127.0.0.1:5432/postgres';
    // It would be a new installation beside the keys of the old one.
    await assert.rejects(setUp(`--database ${url}`), ({ stdout }: { stdout: string }) =>
      /--database .*: is empty, but .*underpassd copy/.test(stdout),
    );
    await machine.run(
      `systemctl stop underpassd; ${PROGRAM} copy --from sqlite:/var/lib/underpass --to ${url}`,
    );
    const output = await setUp(`--database ${url}`);
    assert.match(output, /^ {2}\+ UNDERPASS_DATABASE="postgres:\/\/\*\*\*@127\.0\.0\.1:5432\/postgres"$/m);
    assert.match(output, /underpass login /);
    assert.equal(output.includes('s3cret'), false);
    assert.doesNotMatch(await machine.run(`cat ${CONFIG}`), /database|s3cret/);
    assert.equal(await machine.run('stat --format %a%U /etc/underpass/secrets.env'), '600root\n');
    assert.match(await setUp(''), /^Nothing changed: /m);
  });
});
