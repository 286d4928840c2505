/** `underpass api … --watch`, on a terminal and in a pipe. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Platform } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { ApiCommand } from './api-command.fixture.ts';

test('in a pipe there is a line for each change, also after the daemon was away', async (t) => {
  const platform = await Platform.start();
  using api = new ApiCommand(platform);
  t.after(() => platform.stop());
  await api.json('ip-policies', 'create', '--description', 'first');
  const watch = api.start(['ip-policies', 'list', '--watch']);
  t.after(() => watch.stop('SIGKILL'));
  await watch.line(/^\d{4}-\S+Z present ipp_\w+ +first +\d+[sm]$/);
  const { id } = await api.json('ip-policies', 'create', '--description', 'second');
  await watch.line(/ added ipp_\w+ +second +/);
  await api.json('ip-policies', 'update', 'second', '--description', 'third');
  await watch.line(/ changed ipp_\w+ +third +/);
  await platform.restart(async () => {
    await watch.line(/^underpass: No answer from /);
  });
  await api.text('ip-policies', 'delete', id);
  await watch.line(/ removed ipp_\w+ +third +/);
  watch.signal('SIGINT');
  assert.equal((await watch.exited).code, 0);
});

test('with --json each change is one object, and a resource that is gone ends it', async (t) => {
  const platform = await Platform.shared();
  using api = new ApiCommand(platform);
  t.after(() => platform.stop());
  const made = await api.json('credentials', 'create', '--description', 'watched');
  const watch = api.start(['credentials', 'get', 'watched', '--watch', '--json']);
  t.after(() => watch.stop('SIGKILL'));
  const line = await watch.line(/^\{"time":.*$/);
  const { time, change, item } = JSON.parse(line[0]);
  assert.deepEqual([change, item.id, Number.isNaN(Date.parse(time))], ['present', made.id, false]);
  await api.text('credentials', 'delete', made.id);
  assert.equal((await watch.exited).code, 1);
  assert.match(watch.output, /There is no tunnel credential "watched"/);
});

test('on a terminal the table is drawn in place, and stays when Ctrl-C ends it', {
  skip: missingPrograms('script'),
}, async (t) => {
  const platform = await Platform.shared();
  using api = new ApiCommand(platform);
  t.after(() => platform.stop());
  await api.json('ip-policies', 'create', '--description', 'here');
  const watch = api.onTerminal('ip-policies list --watch');
  t.after(() => watch.stop('SIGKILL'));
  await watch.text(/ipp_\w+ +here +\d+s/);
  await watch.text(/Ctrl-C ends/);
  await api.json('ip-policies', 'create', '--description', 'later');
  await watch.text(/ipp_\w+ +later +\d+s/);
  watch.forgetOutput();
  watch.type('\x03');
  assert.equal((await watch.exited).code, 0);
  assert.match(watch.output, /later[\s\S]*here/);
});
