/** Units of a setup, and the files of deploy/systemd, which have the same text. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SetupError } from './setup-error.ts';
import { unitTexts } from './unit-text.ts';
import { type UnitFacts, unitFiles } from './units.ts';

const FACTS: UnitFacts = {
  program: ['/usr/local/bin/underpassd'],
  config: '/etc/underpass/underpassd.yaml',
  secrets: '/etc/underpass/secrets.env',
  dataDir: '/var/lib/underpass',
  listeners: { listen: ':443', 'http-listen': ':80', 'ssh-listen': ':2222', 'dns-listen': null },
  foreignCommand: null,
};

function textOf(name: string, changes: Partial<UnitFacts> = {}): string | null | undefined {
  return unitFiles({ ...FACTS, ...changes }).get(`/etc/systemd/system/${name}`);
}

test('the units of deploy/systemd are the ones that a setup starts from', () => {
  const folder = join(import.meta.dirname, '../../../../deploy/systemd');
  for (const [name, text] of Object.entries(unitTexts))
    assert.equal(readFileSync(join(folder, name), 'utf8'), text);
});

test('the unit starts the program that runs, with its config file', () => {
  assert.match(
    textOf('underpassd.service') ?? '',
    /^ExecStart=\/usr\/local\/bin\/underpassd serve --config \/etc\/underpass\/underpassd\.yaml$/m,
  );
  const program = ['/opt/no de/node', '--flag=$1', '/opt/underpassd.js'];
  assert.match(
    textOf('underpassd.service', { program }) ?? '',
    /^ExecStart="\/opt\/no de\/node" "--flag=\$\$1" \/opt\/underpassd\.js serve/m,
  );
  for (const name of ['underpassd.service.d/setup.conf', 'underpassd.socket.d/setup.conf'])
    assert.equal(textOf(name), null);
});

test('a drop-in has what differs: ports, privileges, other folders', () => {
  const listeners = {
    listen: '[::1]:8443',
    'http-listen': ':8080',
    'ssh-listen': null,
    'dns-listen': '203.0.113.10:53',
  };
  assert.match(
    textOf('underpassd.socket.d/setup.conf', { listeners }) ?? '',
    /ListenStream=\nListenStream=\[::1\]:8443\n$/,
  );
  assert.match(
    textOf('underpassd-http.socket.d/setup.conf', { listeners }) ?? '',
    /ListenStream=\nListenStream=8080\n$/,
  );
  assert.match(
    textOf('underpassd.service.d/setup.conf', { listeners }) ?? '',
    /AmbientCapabilities=CAP_NET_BIND_SERVICE/,
  );
  const other =
    textOf('underpassd.service.d/setup.conf', { dataDir: '/var/lib/other', secrets: '/srv/secrets.env' }) ??
    '';
  assert.match(
    other,
    /EnvironmentFile=-\/srv\/secrets\.env\nStateDirectory=\nStateDirectory=other\nEnvironment=UNDERPASS_DATA_DIR=%S\/other\n/,
  );
});

test('a unit of a package stays, and starts another config file by a drop-in', () => {
  const foreignCommand = '/usr/bin/underpassd serve --config /etc/underpass/underpassd.yaml';
  assert.equal(textOf('underpassd.service', { foreignCommand }), undefined);
  assert.equal(textOf('underpassd.service.d/setup.conf', { foreignCommand }), null);
  const config = '/srv/underpassd.yaml';
  assert.match(
    textOf('underpassd.service.d/setup.conf', { foreignCommand, config }) ?? '',
    /ExecStart=\nExecStart=\S+ serve --config \/srv/,
  );
});

test('what a service cannot use is refused with the remedy', () => {
  const cases: readonly (readonly [Partial<UnitFacts>, RegExp])[] = [
    [
      { program: ['/root/.local/bin/underpassd'] },
      /^--service: the service sees no files in \/root, .*--no-service$/,
    ],
    [{ program: ['/tmp/node', '/opt/x.js'] }, /in \/tmp/],
    [{ dataDir: '/srv/data' }, /^--data-dir \/srv\/data: .*\/var\/lib\/NAME/],
    [
      { listeners: { ...FACTS.listeners, listen: 'one.example:443' } },
      /^--listen one\.example:443: .*give an address/,
    ],
  ];
  for (const [changes, message] of cases)
    assert.throws(
      () => unitFiles({ ...FACTS, ...changes }),
      (error) => error instanceof SetupError && message.test(error.message),
    );
});
