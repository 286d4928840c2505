/** Last uses of an API key and a credential, with a real daemon that restarts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually, Platform } from '../harness/index.ts';

test('API and agent leave their last use, which a restart keeps', async (context) => {
  const platform = await Platform.start();
  context.after(() => platform.stop());
  const first = async (path: string, list: string) => {
    const { json } = await platform.api('GET', path);
    return (json[list] as Record<string, unknown>[])[0];
  };
  assert.equal((await first('/credentials', 'credentials'))?.last_used_at, null);
  assert.equal((await first('/api_keys', 'keys'))?.last_ip, '127.0.0.1', 'the request itself is a use');
  await platform.agent(['http', '3000', '--domain', 'used.underpass.localhost']);
  const used = await eventually(async () => {
    const credential = await first('/credentials', 'credentials');
    assert.equal(credential?.last_ip, '127.0.0.1');
    return credential?.last_used_at;
  });
  await platform.daemon.stop();
  await platform.restart();
  const since = Date.parse(String((await first('/credentials', 'credentials'))?.last_used_at));
  assert.ok(since >= Date.parse(String(used)));
});
