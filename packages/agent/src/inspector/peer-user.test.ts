/** Tests which users of this machine get the inspector's page, by the kernel's record, for each family of sockets. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { promisify } from 'node:util';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import { inTime } from '../../../../test/harness/until.ts';
import { inspect } from './inspector.fixture.ts';
import { mayAsk, userOfPeer } from './peer-user.ts';
import { serveInspector } from './server.ts';

const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;

async function acceptedFrom(t: TestContext, listen: string, dialled: string): Promise<Socket> {
  const server = createServer();
  server.listen(0, listen);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const client = connect(port, dialled).on('error', () => {});
  const connected = once(client, 'connect');
  const [accepted]: Socket[] = await inTime(once(server, 'connection'), () => 'a connection');
  assert.ok(accepted !== undefined);
  await connected;
  t.after(() => {
    client.destroy();
    accepted.destroy();
    server.close();
  });
  return accepted;
}

const onLinux = { skip: process.platform === 'linux' ? false : 'only Linux says who asks' };

test('a connection of this process is its user’s, over IPv4, IPv6 and both in one', onLinux, async (t) => {
  const ways = [
    ['127.0.0.1', '127.0.0.1'],
    ['127.9.8.7', '127.9.8.7'],
    ['::1', '::1'],
    ['::', '127.0.0.1'],
    ['127.0.0.1', '::ffff:127.0.0.1'],
  ] as const;
  for (const [listen, dialled] of ways) {
    const accepted = await acceptedFrom(t, listen, dialled);
    assert.equal(await userOfPeer(accepted), process.getuid?.(), `${dialled} at ${listen}`);
  }
});

test('a closed connection has no user, and neither has a missing one', onLinux, async (t) => {
  const accepted = await acceptedFrom(t, '127.0.0.1', '127.0.0.1');
  const { localAddress, localPort, remoteAddress, remotePort } = accepted;
  accepted.resetAndDestroy();
  await inTime(once(accepted, 'close'), () => 'the end');
  assert.equal(await userOfPeer({ localAddress, localPort, remoteAddress, remotePort }), null);
  assert.equal(
    await userOfPeer({ localAddress, localPort, remoteAddress: '192.0.2.1', remotePort: 9 }),
    null,
  );
  assert.equal(await userOfPeer({}), null);
});

test('macOS and Windows report no user, so each page needs the token of its address', onLinux, async (t) => {
  const accepted = await acceptedFrom(t, '127.0.0.1', '127.0.0.1');
  for (const platform of ['darwin', 'win32'] as const)
    assert.equal(await userOfPeer(accepted, platform), null);
  const { inspector } = await inspect(t, (_, response) => response.end());
  const server = await serveInspector(inspector, { host: '127.0.0.1', port: 0 }, async () => null);
  t.after(() => server.close());
  assert.equal(server.pageUrl, `${server.url}/#token=${server.token}`);
  const page = await fetch(`${server.url}/`);
  assert.equal(page.status, 200);
  assert.equal((await page.text()).includes(server.token), false);
  assert.equal((await fetch(`${server.url}/api/exchanges`)).status, 403);
  const headers = { 'X-Inspector-Token': server.token };
  assert.equal((await fetch(`${server.url}/api/exchanges`, { headers })).status, 200);
});

test('only root and the user that runs the agent have access', () => {
  const own = process.getuid?.() ?? 0;
  assert.equal(mayAsk(own), true);
  assert.equal(mayAsk(0), true);
  assert.equal(mayAsk(NOBODY), false);
  assert.equal(mayAsk(null), false);
});

const asRoot = { skip: isRoot ? missingPrograms('curl') : 'only root can be somebody else' };

test('another user of the machine is shown a page without the token', asRoot, async (t) => {
  const { server } = await inspect(t, (_, response) => response.end());
  const page = async (uid: number) => {
    const asking = promisify(execFile)('curl', ['--silent', `${server.url}/`], { uid, gid: uid });
    return (await asking).stdout;
  };
  const own = await page(0);
  assert.ok(own.includes(server.token));
  const others = await page(NOBODY);
  assert.equal(others, own.replace(server.token, ''));
  assert.equal(server.pageUrl, server.url, 'where its user needs no token none is shown');
});
