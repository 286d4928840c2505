/** The cause of a failed upstream, as the account's list of requests has it. */
import assert from 'node:assert/strict';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import { eventually, type Platform } from '../harness/index.ts';

/** Returns the fault of the last failed request or connection to a name. */
export async function upstreamFaultAt(
  platform: Pick<Platform, 'api'>,
  host: string,
): Promise<{ readonly fault: string; readonly reason: string }> {
  return await eventually(async () => {
    const { json } = await platform.api('GET', '/traffic/requests?watch_seconds=0&limit=100');
    const found = (json.requests as JsonObject[]).find((one) => one.host === host);
    assert.ok(found, `no failed request to ${host}`);
    return { fault: String(found.upstream_fault), reason: String(found.reason) };
  });
}
