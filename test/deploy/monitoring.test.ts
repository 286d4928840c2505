/** The rules for Prometheus and the dashboard for Grafana use existing metrics, in valid syntax. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { createMetrics } from '../../packages/server/src/metrics/metrics.ts';
import { missingPrograms } from '../harness/missing.ts';

const folder = join(import.meta.dirname, '../../deploy/monitoring');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const skip = missingPrograms('promtool');

interface Rules {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly expr: string;
      readonly annotations: Readonly<Record<string, string>>;
    }[];
  }[];
}
interface Dashboard {
  readonly panels: readonly { readonly targets: readonly { readonly expr: string }[] }[];
}
const rules = (parse(read('rules.yaml')) as Rules).groups.flatMap((group) => group.rules);
const asked = (JSON.parse(read('dashboard.json')) as Dashboard).panels
  .flatMap(({ targets }) => targets)
  .map(({ expr }) => expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'));

test('only metrics that a daemon has are asked for', async () => {
  const text = await createMetrics('').text();
  const said = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].flatMap(([, name = '', type]) =>
    type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const names = [...rules.map(({ expr }) => expr), ...asked].flatMap(
    (expr) => expr.match(/\b(underpass|process|nodejs)_\w+/g) ?? [],
  );
  assert.ok(names.length > 40);
  assert.deepEqual(
    names.filter((name) => !said.includes(name)),
    [],
  );
});

test('each rule says what is wrong and what to do about it', () => {
  for (const { annotations } of rules) assert.deepEqual(Object.keys(annotations), ['summary', 'description']);
});

test('Prometheus reads the rules and the questions of the dashboard, and notices what it should', {
  skip,
}, async () => {
  const promtool = (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)('promtool', args, { cwd: folder });
  await promtool('check', 'config', 'prometheus.yaml');
  await promtool('test', 'rules', 'rules.test.yaml');
  const copy = mkdtempSync(join(tmpdir(), 'underpass-rules-'));
  try {
    const file = join(copy, 'dashboard.yaml');
    const records = asked.map((expr, number) => ({ record: `panel:${number}`, expr }));
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules: records }] }));
    await promtool('check', 'rules', file);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
