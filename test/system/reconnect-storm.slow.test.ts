/** A thousand agents that lose their sessions in one moment, and come back as stock agents do. */
import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { eventually, Platform, timeoutMs } from '../harness/index.ts';
import type { Storm, StormOptions } from './storm-agents.fixture.ts';

const COUNT = 1000;
/** The last try of a stock agent before it stays away for two minutes comes after far less. */
const STORM_MS = 110_000;
const AGENTS = fileURLToPath(import.meta.resolve('./storm-agents.fixture.ts'));

let platform: Platform;
let agents: ReturnType<typeof fork>;

before(async () => {
  platform = await Platform.start({ args: ['--log-level', 'warn'] });
  const { port, ca, bootstrap } = platform;
  const options: StormOptions = { port, ca, authtoken: bootstrap.authtoken, count: COUNT };
  agents = fork(AGENTS, [], { env: { ...process.env, STORM: JSON.stringify(options) } });
});
after(async () => {
  agents.kill('SIGKILL');
  await platform.stop();
});

async function look(): Promise<Storm> {
  agents.send('look');
  const [storm] = await once(agents, 'message');
  return storm as Storm;
}

/** Waits until all agents are online, by their own reports and in the daemon. */
async function untilBack(): Promise<void> {
  await eventually(async () => {
    const storm = await look();
    assert.ok(storm.online === COUNT, `it stands still: ${JSON.stringify(storm)}`);
  }, STORM_MS);
  for (const [path, key] of [
    ['/tunnel_sessions', 'tunnel_sessions'],
    ['/tunnels', 'tunnels'],
  ] as const) {
    const ids = new Set<string>();
    for (let next: string | null = `${path}?limit=100`; next !== null; ) {
      const { json } = await platform.api('GET', next);
      for (const { id } of json[key]) ids.add(id);
      next = json.next_page_uri;
    }
    assert.equal(ids.size, COUNT, key);
  }
}

test('all of a thousand agents come back, storm after storm', {
  timeout: timeoutMs(4 * STORM_MS),
}, async () => {
  await untilBack();
  for (let storm = 0; storm < 3; storm++) {
    agents.send('cut');
    await untilBack();
  }
});

test('no session is closed because its machine had no time for it for twelve seconds', {
  timeout: timeoutMs(2 * STORM_MS),
}, async () => {
  agents.send('cut');
  // The kernel has connected most when the first ones are online, and few have got further.
  await eventually(async () => assert.ok((await look()).online > 0), STORM_MS);
  agents.kill('SIGSTOP');
  await pause(12_000);
  agents.kill('SIGCONT');
  await untilBack();
  assert.deepEqual((await look()).failures, {});
});
