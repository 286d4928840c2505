import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { commandAt, shellWord } from './command-line.ts';

test('words come through a shell as they were', () => {
  const words = ['plain-1.2:443', '[::1]:443', "it's", '$HOME', 'a b', '*', '~', '"', '\\', ''];
  const script = `printf '%s\\n' ${words.map(shellWord).join(' ')}`;
  assert.equal(execFileSync('sh', ['-c', script], { encoding: 'utf8' }), `${words.join('\n')}\n`);
});

test('a command has the options that lead to the same service', () => {
  assert.match(
    commandAt('diagnose', { server: 'a:1', caFile: '/x y/ca.pem', configFile: '/c.yaml' }),
    /^"(npx )?underpass diagnose --server a:1 --ca '\/x y\/ca\.pem' --config \/c\.yaml"$/,
  );
});
