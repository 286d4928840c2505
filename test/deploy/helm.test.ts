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
  readonly terminationGracePeriodSeconds: number;
  readonly topologySpreadConstraints?: readonly { readonly topologyKey: string }[];
  readonly securityContext: Readonly<Record<string, unknown>>;
  readonly containers: readonly [
    {
      readonly image: string;
      readonly env: readonly { readonly name: string; readonly value: string }[];
      readonly envFrom?: readonly object[];
      readonly securityContext: Readonly<Record<string, unknown>>;
      readonly lifecycle?: object;
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
    { name: 'UNDERPASS_WORKERS', value: '1' },
  ]);
  const several = await template('domain=example.com', 'replicas=3', 'secret=keys');
  assert.deepEqual(podOf(several).containers[0].envFrom, [{ secretRef: { name: 'keys' } }]);
  assert.deepEqual(podOf(several).containers[0].env.slice(2), [
    { name: 'UNDERPASS_WORKERS', value: '1' },
    { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
    { name: 'UNDERPASS_NODE_NAME', value: '$(POD_NAME)' },
    { name: 'UNDERPASS_LINK_LISTEN', value: ':8444' },
    { name: 'UNDERPASS_LINK_ADDRESS', value: '$(POD_NAME).try-underpass-pods:8444' },
  ]);
  assert.equal(several.find(({ kind }) => kind === 'PodDisruptionBudget')?.spec.maxUnavailable, 1);
});

test('a pod that ends is used until balancers notice, and has the time for its stop', { skip }, async () => {
  const shared = ['domain=example.com', 'replicas=3', 'secret=keys'];
  const { terminationGracePeriodSeconds, topologySpreadConstraints, containers } = podOf(
    await template(...shared),
  );
  assert.deepEqual(containers[0].lifecycle, { preStop: { sleep: { seconds: 15 } } });
  assert.equal(terminationGracePeriodSeconds, 15 + 10 + 10 + 10);
  const spread = topologySpreadConstraints?.map(({ topologyKey }) => topologyKey);
  assert.deepEqual(spread, ['kubernetes.io/hostname', 'topology.kubernetes.io/zone']);
  const slow = ['preStopSeconds=60', 'options.leave-seconds=30', 'options.drain-seconds=0'];
  assert.equal(podOf(await template(...shared, ...slow)).terminationGracePeriodSeconds, 60 + 30 + 10);
  const one = podOf(await template('domain=example.com'));
  assert.equal(one.containers[0].lifecycle, undefined, 'no other pod takes its visitors meanwhile');
  assert.equal(one.terminationGracePeriodSeconds, 30);
});

test('workers of a pod are a number, or the cores of its limit', { skip }, async () => {
  const shared = ['domain=example.com', 'secret=keys'];
  for (const settings of [['workers=4'], ['workers=auto', 'resources.limits.cpu=4']]) {
    const { env } = podOf(await template(...shared, ...settings)).containers[0];
    const workers = env.find(({ name }) => name === 'UNDERPASS_WORKERS')?.value;
    assert.equal(workers, settings[0]?.replace('workers=', ''));
  }
});

for (const [what, settings, why] of [
  ['no domain', [], /domain/],
  ['several daemons without a database', ['domain=example.com', 'replicas=2'], /share a database/],
  [
    'several daemons without links',
    ['domain=example.com', 'replicas=2', 'secret=keys', 'linkPort=0'],
    /linkPort/,
  ],
  ['several workers without a database', ['domain=example.com', 'workers=2'], /UNDERPASS_DATABASE/],
  [
    'workers by a limit that there is not',
    ['domain=example.com', 'secret=keys', 'workers=auto'],
    /limits.cpu/,
  ],
  ['an option that the chart sets', ['domain=example.com', 'options.workers=2'], /options.workers/],
  [
    'too little time for a stop',
    ['domain=example.com', 'options.drain-seconds=60', 'terminationGracePeriodSeconds=30'],
    /terminationGracePeriodSeconds: 30 .* 80 /,
  ],
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
