import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Command } from 'commander';
import { candidates } from './candidates.ts';

function program(): Command {
  const made = new Command('underpass');
  made.command('http').argument('<upstream>').option('--scheme <http|https>', 'spoken').option('--quiet');
  made.command('file').argument('<folder>').option('--ca <file>');
  made
    .command('start')
    .argument('[names...]')
    .option('--config <file>')
    .option('--inspect <host:port|false>');
  made.command('complete', { hidden: true });
  const config = made.command('config');
  config.command('check');
  config.command('path');
  return made;
}

function offered(...words: readonly string[]): readonly string[] | 'files' {
  const found = candidates(program(), words, (config) =>
    config === null ? ['web', 'database'] : [`of ${config}`],
  );
  return found === 'files' ? found : found.map(({ word }) => word);
}

test('commands, of commands and of none that is hidden', () => {
  assert.deepEqual(offered(''), ['http', 'file', 'start', 'config', 'help']);
  assert.deepEqual(offered('c'), ['config']);
  assert.deepEqual(offered('config', 'p'), ['path']);
  assert.deepEqual(offered('http', '3000', ''), []);
});

test('flags and their values, also behind other words', () => {
  assert.deepEqual(offered('http', '--'), ['--scheme', '--quiet', '--help']);
  assert.deepEqual(offered('http', '3000', '--quiet', '--s'), ['--scheme']);
  assert.deepEqual(offered('http', '--scheme', ''), ['http', 'https']);
  assert.deepEqual(offered('http', '--scheme', 'http', '--q'), ['--quiet']);
  assert.deepEqual(offered('start', '--inspect', ''), ['false'], 'nothing is called host:port');
  assert.equal(offered('file', '--ca', 'x'), 'files');
  assert.equal(offered('file', '--ca', 'x', ''), 'files', 'the folder');
});

test('names of tunnels, as many as there are', () => {
  assert.deepEqual(offered('start', 'w'), ['web']);
  assert.deepEqual(offered('start', 'web', 'd'), ['database']);
  assert.deepEqual(offered('start', '--config', 'a.yaml', ''), ['of a.yaml']);
});
