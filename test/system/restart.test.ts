/** A daemon that is replaced by its next version. Never that a visitor who comes meanwhile is refused. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Platform, underpassd } from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

test('who comes while no daemon runs waits in the inherited socket for the next one', async (t) => {
  const platform = await Platform.start({ inherited: true });
  t.after(() => platform.stop());
  const name = 'waiting.underpass.localhost';
  await fixedEdge(platform, 'waiting', 'here');
  assert.equal((await platform.visit(name)).text, 'here');
  assert.equal((await platform.daemon.stop()).code, 0);

  const visitor = platform.visit(name);
  const health = fetch(`http://127.0.0.1:${platform.adminPort}/healthz`);
  await platform.restart();
  assert.equal((await visitor).text, 'here');
  assert.equal((await health).status, 200);
});

test('--drain-seconds that is no number of seconds: a clear error and exit 2', async () => {
  const { code, stderr } = await underpassd(['--drain-seconds', 'soon']);
  assert.equal(code, 2);
  assert.match(stderr, /--drain-seconds soon: must be a whole number from 0 to 9999/);
});
