import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseCommand } from './commands.ts';
import { readInvocation } from './invocation.ts';
import { ConfigError, OPTIONS } from './options.ts';

const NOBODY = '0'.repeat(27);
const read = (...argv: string[]) => readInvocation(argv, {}, '1.2.3');

describe('what no command is', () => {
  for (const [what, args, message] of [
    ['half a command', ['account'], /"account create" or "account list"/],
    ['one that does not exist', ['fly'], /no command "fly"/],
    ['a mistyped one', ['srve'], /no command "srve" \(Did you mean "serve"\?\)/],
    ['a mistyped group', ['acount', 'list'], /\(Did you mean "account create" or "account list"\?\)/],
    ['a command of the agent', ['http', '3000'], /no command "http": the agent has it, as "underpass http"/],
    ['half of one that does', ['key', 'lose'], /no command "key lose": give "key create" or "key revoke"/],
    ['a group with a flag', ['account', '--json'], /not a whole command/],
    [
      'an account without a name',
      ['account', 'create'],
      /^--name is missing: give --name NAME, name of the account/,
    ],
    ['a name without a value', ['account', 'create', '--name'], /^--name has no value: give --name NAME \(/],
    ['an empty name', ['account', 'create', '--name', ''], /^--name is empty: give its NAME$/],
    ['an empty option', ['account', 'list', '--data-dir', ''], /^--data-dir is empty: .* or leave it out$/],
    [
      'a mistyped option',
      ['account', 'create', '--name', 'x', '--nmae', 'y'],
      /^unknown option '--nmae' \(Did you mean --name\?\)/,
    ],
    ['no backup', ['restore'], /^the argument <dir> is missing: give the directory that backup made \(/],
    ['two backups', ['restore', 'a b', 'c'], /^too many arguments \("a b" "c"\): "restore" takes one <dir>/],
    ['more than a list', ['account', 'list', 'x'], /^too many arguments \("x"\): .* takes options only/],
    [
      'an e-mail address that is none',
      ['account', 'create', '--name', 'x', '--email', 'x'],
      /--email x: .*for example/,
    ],
    ['an option of serve', ['account', 'list', '--listen', '127.0.0.1:1'], /--listen/],
    ['a key without an account', ['key', 'create'], /^--account is missing: give --account ID/],
    [
      'an account that is no id',
      ['key', 'create', '--account', 'acme'],
      /--account acme: must be an id .*account list/,
    ],
    ['no key', ['key', 'revoke'], /^the argument <key> is missing: give the id of the key, ak_/],
    [
      'a key that is no id',
      ['key', 'revoke', `ac_${NOBODY}`],
      /the key ac_0+: must be an id of the form ak_.*GET \/api_keys/,
    ],
    ['too much', ['key', 'revoke', `ak_${NOBODY}`, 'more'], /too many arguments/],
    ['too much for serve', ['serve', 'more'], /too many arguments/],
    ['a copy to nowhere', ['copy', '--from', 'sqlite'], /^--to is missing: give --to URL/],
    ['a copy from no path', ['copy', '--from', 'sqlite:', '--to', 'sqlite'], /--from sqlite:/],
  ] as const) {
    test(`${what}: refused with what to say instead`, () => {
      assert.throws(
        () => read(...args),
        (error) => {
          assert.ok(error instanceof ConfigError, String(error));
          assert.match(error.message, message);
          return true;
        },
      );
    });
  }

  test('a URL of another kind of database is refused without its password', () => {
    assert.throws(() => read('copy', '--from', 'mysql://u:pa55@h/d?password=pa55', '--to', 'sqlite'), {
      message: /^(?!.*pa55)--from mysql:\/\/\*\*\*@h\/d: must be/,
    });
  });
});

test('without a command it is serve, whatever flags come first', () => {
  for (const argv of [[], ['--data-dir', '/d'], ['serve'], ['serve', '--data-dir', '/d']]) {
    assert.equal(read(...argv).kind, 'serve');
  }
});

test('each command has its request, and the place that its options say', () => {
  const account = `ac_${NOBODY}`;
  const key = `ak_${NOBODY}`;
  const database = { kind: 'sqlite', path: '/d/underpass.db' };
  const place = { dataDir: '/d', database };
  const at = ['--data-dir', '/d'];
  for (const [argv, request] of [
    [
      ['account', 'create', '--name', 'A', '--email', 'a@b.c'],
      { operation: 'create-account', name: 'A', email: 'a@b.c' },
    ],
    [['account', 'create', '--name', 'A'], { operation: 'create-account', name: 'A', email: '' }],
    [['account', 'list'], { operation: 'list-accounts' }],
    [
      ['key', 'create', '--account', account, '--owner', 'usr_1'],
      { operation: 'create-key', account, owner: 'usr_1', description: '' },
    ],
    [
      ['key', 'create', '--account', account, '--description', 'd'],
      { operation: 'create-key', account, owner: null, description: 'd' },
    ],
    [['backup', '/b/../c'], { operation: 'backup', directory: '/c' }],
    [['key', 'revoke', key], { operation: 'revoke-key', key, account: null }],
    [['key', 'revoke', key, '--account', account], { operation: 'revoke-key', key, account }],
  ] as const) {
    assert.deepEqual(read(...argv, ...at), { kind: 'operate', place, request, json: false });
    assert.deepEqual(read(...argv, ...at, '--json'), { kind: 'operate', place, request, json: true });
  }
  assert.deepEqual(read('restore', '/b', ...at), { kind: 'restore', plan: { ...place, directory: '/b' } });
  const url = 'postgres://u:p@h/d';
  assert.deepEqual(read('copy', '--from', 'sqlite:/d', '--to', url), {
    kind: 'copy',
    from: database,
    to: { kind: 'postgres', url },
  });
});

test('flags win over variables, for commands as for serve', () => {
  const env = { UNDERPASS_DATA_DIR: '/variable', UNDERPASS_LISTEN: 'not looked at' };
  for (const [flags, path] of [
    [[], '/variable/underpass.db'],
    [['--data-dir', '/flag'], '/flag/underpass.db'],
    [['--database', 'sqlite:/other'], '/other/underpass.db'],
  ] as const) {
    const invocation = readInvocation(['account', 'list', ...flags], env, '1.2.3');
    assert.deepEqual(invocation.kind === 'operate' && invocation.place.database, { kind: 'sqlite', path });
  }
});

test('an intake for the monitoring service is a URL that events can be appended to', () => {
  const intakeOf = (url: string) => {
    const invocation = read('serve', '--monitoring-intake-url', url);
    return invocation.kind === 'serve' ? invocation.config.settings.monitoringIntake : null;
  };
  assert.equal(intakeOf('http://127.0.0.1:8080'), 'http://127.0.0.1:8080');
  assert.equal(intakeOf('https://logs.example/in/'), 'https://logs.example/in');
  for (const url of [
    'logs.example',
    'ftp://logs.example',
    'https://u:p@logs.example',
    'https://logs.example/?a',
  ]) {
    assert.throws(() => intakeOf(url), /--monitoring-intake-url .*: must be http:/, url);
  }
});

test('options without an argument are on if they are given, and only then', () => {
  for (const { flag, argument } of OPTIONS) {
    if (argument !== undefined) continue;
    assert.deepEqual([...parseCommand(['serve', `--${flag}`], '1.2.3').flags], [[flag, ['true']]]);
  }
  assert.equal(parseCommand(['serve'], '1.2.3').flags.size, 0);
});

test('responses to writes wait for other daemons unless it is turned off', () => {
  const waits = (argv: string[], env = {}) => {
    const invocation = readInvocation(argv, env, '1.2.3');
    return invocation.kind === 'serve' && invocation.config.waitsForNodes;
  };
  assert.equal(waits([]), true);
  assert.equal(waits(['--no-wait-for-nodes']), false);
  assert.equal(waits([], { UNDERPASS_NO_WAIT_FOR_NODES: 'true' }), false);
});
