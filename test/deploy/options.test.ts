/** The files in `deploy` use existing options of the daemon. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { OPTIONS } from '../../packages/server/src/command/options.ts';

const folder = join(import.meta.dirname, '../../deploy');
const known = OPTIONS.map(({ flag }) => `UNDERPASS_${flag.toUpperCase().replaceAll('-', '_')}`);
/** Secrets, which are no options. */
const SECRETS = ['UNDERPASS_MASTER_KEY'];

test('each variable of the daemon in a file of deploy is one that it reads', () => {
  const files = globSync('**/*', { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  const used = files.flatMap(({ parentPath, name }) =>
    (readFileSync(join(parentPath, name), 'utf8').match(/\bUNDERPASS_\w+/g) ?? []).map(
      (variable) => variable,
    ),
  );
  assert.ok(used.includes('UNDERPASS_LISTEN'));
  assert.deepEqual(
    used.filter((name) => ![...known, ...SECRETS].includes(name)),
    [],
  );
});

test('the daemon of the compose file is started when PostgreSQL answers for good', () => {
  const { services } = parse(readFileSync(join(folder, 'docker/compose.yaml'), 'utf8')) as {
    services: { underpass: { depends_on: object }; postgres: { healthcheck: { test: readonly string[] } } };
  };
  assert.deepEqual(services.underpass.depends_on, { postgres: { condition: 'service_healthy' } });
  // While its image sets up a new database, a server without TCP runs there.
  const asked = ['CMD', 'pg_isready', '--host', '127.0.0.1', '--username', 'underpass'];
  assert.deepEqual(services.postgres.healthcheck.test, asked);
});
