import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { errorFormat } from './log-format.ts';

test('the format is found although other options are wrong: flags, then variables, then the file', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'log-format-'));
  t.after(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'options.yaml');
  writeFileSync(file, 'log-format: people\n');
  const broken = join(directory, 'broken.yaml');
  writeFileSync(broken, ': :\n- [');
  const people = { UNDERPASS_LOG_FORMAT: 'people' };
  for (const [argv, env, expected] of [
    [['--bad'], {}, 'json'],
    [['serve', '--log-format', 'people', '--bad'], {}, 'people'],
    [['--log-format=people', '--log-format', 'json'], {}, 'json'],
    [['--log-format=json'], people, 'json'],
    [['--log-format', 'wrong'], {}, 'json'],
    [['--log-format'], {}, 'json'],
    [[], people, 'people'],
    [['--config', file], {}, 'people'],
    [['--config', broken], people, 'people'],
    [['--config', broken], {}, 'json'],
    [['account', 'list', '--log-format', 'json'], {}, 'people'],
    [['fly'], {}, 'people'],
  ] as const)
    assert.equal(errorFormat(argv, env, false), expected, argv.join(' '));
  assert.equal(errorFormat(['--bad'], {}, true), 'people');
});
