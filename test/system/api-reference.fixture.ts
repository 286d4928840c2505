/**
 * Runs the examples of the API's reference in a row.
 * Invariant: every operation has an example.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, Platform, Process } from '../harness/index.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const reference = readFileSync(join(repository, 'docs/build/api.md'), 'utf8');
/**
 * There is no certificate authority, the agent cannot update itself, no target accepts the test event, and no visitor
 * has logged in: the examples show the errors.
 */
const neverSucceeds = [
  'reserved_domain_certificate_management_policy_delete',
  'reserved_domain_renew',
  'tunnel_session_update',
  'event_destination_test',
  'visitor_logins_delete',
];

/** Default of the daemon. */
const API_RATE_LIMIT = 120;

export async function runExamples(): Promise<void> {
  const platform = await Platform.start({ apiRateLimit: API_RATE_LIMIT, args: ['--log-level', 'info'] });
  const folder = mkdtempSync(join(tmpdir(), 'underpass-reference-'));
  let examples: Process | undefined;
  try {
    symlinkSync(platform.dataDir, join(folder, 'data'));
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
    const blocks = Array.from(reference.matchAll(/^```sh\n(.*?)^```$/gms), ([, block]) => block);
    const script = join(folder, 'examples.sh');
    writeFileSync(script, ['set -euo pipefail', ...blocks].join('\n'));
    // The examples leave agents in the background.
    examples = Process.program('bash', ['-x', script], { cwd: folder, group: true });
    const { code } = await examples.exited;
    assert.equal(code, 0, examples.lines.slice(-30).join('\n'));

    const { json } = await platform.visit(`https://api.underpass.localhost:${platform.port}/openapi.json`);
    const operations = Object.values<Record<string, { operationId?: string }>>(json.paths).flatMap((item) =>
      Object.values(item).flatMap(({ operationId }) => operationId ?? []),
    );
    await eventually(() => {
      const seen = succeeded(platform.daemon.lines);
      // One example is enough for what every kind has.
      const ofEach = [...seen].some((name) => name.endsWith('_used_by')) ? /_used_by$/ : /^$/;
      const missing = operations.filter(
        (name) => !seen.has(name) && !neverSucceeds.includes(name) && !ofEach.test(name),
      );
      assert.deepEqual(missing, [], 'operations without an example');
    });
  } finally {
    await examples?.stop();
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The operations that the daemon's log has a success of. */
function succeeded(log: readonly string[]): Set<string> {
  const lines = log.filter((line) => line.startsWith('{'));
  const requests = lines.map((line) => JSON.parse(line) as { operation?: string; status?: number });
  return new Set(
    requests.flatMap(({ operation, status = 0 }) =>
      operation !== undefined && status >= 200 && status < 300 ? [operation] : [],
    ),
  );
}
