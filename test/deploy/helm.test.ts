/** The Helm chart: what is written in it, and where Helm is installed what becomes of it. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { readInvocation } from '../../packages/server/src/command/invocation.ts';
import { isOnPath } from '../harness/missing.ts';

const root = join(import.meta.dirname, '../..');
const chart = join(root, 'deploy/helm/underpass');
const read = (path: string): string => readFileSync(join(chart, path), 'utf8');
/** No Debian package has it. */
const skip = isOnPath('helm') ? false : 'helm is not on the PATH';

/** A resource of Kubernetes, with the checked fields. */
interface Resource {
  readonly kind: string;
  readonly spec: {
    readonly replicas?: number;
    readonly maxUnavailable?: number;
    readonly template?: { readonly spec: Pod };
  };
}
interface Pod {
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly [
    {
      readonly image: string;
      readonly env: readonly { readonly name: string; readonly value: string }[];
      readonly envFrom?: readonly object[];
      readonly securityContext: Readonly<Record<string, unknown>>;
      readonly livenessProbe: object;
      readonly readinessProbe: object;
    },
  ];
}

function resourcesIn(text: string): readonly Resource[] {
  return parseAllDocuments(text)
    .map((document) => {
      assert.deepEqual(document.errors, []);
      return document.toJS() as Resource | null;
    })
    .filter((resource) => resource !== null);
}

async function template(...settings: readonly string[]): Promise<readonly Resource[]> {
  const given = settings.flatMap((setting) => ['--set', setting]);
  const cluster = ['--kube-version', '1.31.0'];
  const { stdout } = await promisify(execFile)('helm', ['template', 'try', chart, ...cluster, ...given]);
  return resourcesIn(stdout);
}

function podOf(resources: readonly Resource[]): Pod {
  const pod = resources.find(({ kind }) => kind === 'StatefulSet')?.spec.template?.spec;
  assert.ok(pod !== undefined);
  return pod;
}

function judgePod({ securityContext, containers: [container] }: Pod): void {
  assert.equal(securityContext.runAsNonRoot, true);
  assert.deepEqual(container.securityContext, {
    ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
  });
  assert.match(JSON.stringify(container.livenessProbe), /"path":"\/healthz"/);
  assert.match(JSON.stringify(container.readinessProbe), /"path":"\/readyz"/);
}

test('the chart is that of this version, and its schema knows each of its values', () => {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { appVersion } = parse(read('Chart.yaml')) as { appVersion: string };
  assert.equal(appVersion, version);
  const schema = JSON.parse(read('values.schema.json')) as { properties: object };
  const values = parse(read('values.yaml')) as object;
  assert.deepEqual(
    Object.keys(values).filter((name) => !(name in schema.properties)),
    [],
  );
});

test('the options that the values show are taken by the daemon', () => {
  const [shown = ''] = /\{access-log.*\}/.exec(read('values.yaml')) ?? [];
  const options = parse(shown) as Record<string, string | number | boolean>;
  assert.equal(Object.keys(options).length, 3);
  const variables = Object.entries({ ...options, 'data-dir': '/nowhere' }).map(([name, value]) => [
    `UNDERPASS_${name.toUpperCase().replaceAll('-', '_')}`,
    String(value),
  ]);
  assert.equal(readInvocation(['serve'], Object.fromEntries(variables), '1.0.0').kind, 'serve');
  const { properties } = JSON.parse(read('values.schema.json')) as {
    properties: { options: { additionalProperties: object } };
  };
  assert.deepEqual(properties.options.additionalProperties, {
    ...{ type: ['string', 'integer', 'boolean'], maximum: 999_999 },
  });
});

test('templates are YAML around what is filled in, with probes and without rights', () => {
  const files = globSync(join(chart, 'templates/*.yaml'));
  const texts = files.map((file) => {
    const text = read(`templates/${basename(file)}`);
    return text.replace(/^\s*\{\{-.*\}\}\n/gm, '').replace(/\{\{.*?\}\}/g, 'filled-in');
  });
  const resources = texts.flatMap(resourcesIn);
  const kinds = resources.map(({ kind }) => kind).sort();
  assert.deepEqual(kinds, ['PodDisruptionBudget', 'Service', 'Service', 'StatefulSet']);
  judgePod(podOf(resources));
});

test('Helm makes of it a daemon with its own state, or several on one database', { skip }, async () => {
  await promisify(execFile)('helm', ['lint', '--strict', '--set', 'domain=example.com', chart]);
  const one = await template('domain=example.com', 'options.access-log=all');
  const pod = podOf(one);
  judgePod(pod);
  assert.deepEqual(pod.containers[0].env, [
    { name: 'UNDERPASS_DOMAIN', value: 'example.com' },
    { name: 'UNDERPASS_BASE_URL', value: 'https://api.example.com' },
    { name: 'UNDERPASS_ACCESS_LOG', value: 'all' },
  ]);
  const several = await template('domain=example.com', 'replicas=3', 'secret=keys');
  assert.deepEqual(podOf(several).containers[0].envFrom, [{ secretRef: { name: 'keys' } }]);
  assert.deepEqual(podOf(several).containers[0].env.slice(2), [
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'UNDERPASS_LINK_LISTEN', value: ':8444' },
    { name: 'UNDERPASS_LINK_ADDRESS', value: '$(POD_NAME).try-underpass-pods:8444' },
  ]);
  assert.equal(several.find(({ kind }) => kind === 'PodDisruptionBudget')?.spec.maxUnavailable, 1);
});

for (const [what, settings, why] of [
  ['no domain', [], /domain/],
  ['several daemons without a database', ['domain=example.com', 'replicas=2'], /share a database/],
  ['a value that there is not', ['domain=example.com', 'replica=2'], /replica/],
  [
    'a number that it would write otherwise',
    ['domain=example.com', 'options.connections=1000000'],
    /connections.*999,?999/,
  ],
] as const) {
  test(`${what}: Helm refuses with what to do`, { skip }, async () => {
    await assert.rejects(template(...settings), ({ stderr }: { stderr: string }) => why.test(stderr));
  });
}
