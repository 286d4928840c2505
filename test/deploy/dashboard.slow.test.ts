/** Queries of the Grafana dashboard: each panel has data of a daemon with visitors, agents and API clients. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { parse } from 'yaml';
import { eventually, freePorts, Platform, Process, startUpstream, type Upstream } from '../harness/index.ts';
import type { LooseJson } from '../harness/loose-json.ts';
import { missingPrograms } from '../harness/missing.ts';

const folder = join(import.meta.dirname, '../../deploy/monitoring');
const skip = missingPrograms('prometheus');
const RATE_LIMIT = 40;

interface Target {
  readonly expr: string;
  readonly legendFormat: string;
}
interface Panel {
  readonly id: number;
  readonly title: string;
  readonly targets: readonly Target[];
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
}
interface Dashboard {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: unknown }[] };
}
interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

/** Metrics that must show 0 if nothing is wrong, rather than nothing. */
const ZERO = [
  'underpass_accept_failures_total',
  'underpass_store_failures_total',
  'underpass_store_follower_lag_seconds',
  'underpass_events_dropped_total',
  'underpass_tcp_listeners_missing',
];

const dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8')) as Dashboard;

/** Prometheus with our configuration, for a daemon at another address and with a shorter interval. */
class Prometheus {
  readonly #url: string;
  readonly #process: Process;
  readonly #folder: string;

  private constructor(port: number, home: string) {
    this.#url = `http://127.0.0.1:${port}/api/v1/`;
    this.#folder = home;
    const config = join(home, 'prometheus.yaml');
    const args = [`--config.file=${config}`, `--storage.tsdb.path=${join(home, 'data')}`];
    this.#process = Process.program('prometheus', [...args, `--web.listen-address=127.0.0.1:${port}`]);
  }

  static async start(adminPort: number): Promise<Prometheus> {
    const [port = 0] = await freePorts(1);
    const home = mkdtempSync(join(tmpdir(), 'prometheus-test-'));
    const config = parse(readFileSync(join(folder, 'prometheus.yaml'), 'utf8'));
    config.scrape_configs[0].scrape_interval = '250ms';
    config.scrape_configs[0].static_configs[0].targets = [`127.0.0.1:${adminPort}`];
    config.rule_files = [join(folder, 'rules.yaml')];
    writeFileSync(join(home, 'prometheus.yaml'), JSON.stringify(config));
    return new Prometheus(port, home);
  }

  /** The `data` of an answer. */
  async ask(path: string, words: Record<string, string> = {}): Promise<LooseJson> {
    const answer = await fetch(`${this.#url}${path}?${new URLSearchParams(words)}`);
    const { data, error } = (await answer.json()) as { data: unknown; error?: string };
    assert.equal(answer.status, 200, `${path}: ${error}`);
    return data;
  }

  async series(expr: string): Promise<readonly Series[]> {
    return (await this.ask('query', { query: expr })).result;
  }

  async stop(): Promise<void> {
    await this.#process.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

let platform: Platform;
let upstream: Upstream;
let prometheus: Prometheus;

before(async () => {
  if (skip !== false) return;
  upstream = await startUpstream(async (request, answer) => {
    for await (const _ of request);
    answer.writeHead(request.url === '/api/v2/logs' ? 202 : 200).end('{}');
  });
  // Its events go to the same server: of two options that are alike the last one counts.
  const intake = ['--monitoring-intake-url', `http://127.0.0.1:${upstream.port}`];
  platform = await Platform.start({ args: intake, apiRateLimit: RATE_LIMIT });
  prometheus = await Prometheus.start(platform.adminPort);
  await eventually(async () => assert.equal((await prometheus.series('up == 1')).length, 1));
});
after(async () => {
  await prometheus?.stop();
  await platform?.stop();
  await upstream?.stop();
});

async function create(path: string, body: object): Promise<{ id: string }> {
  const answer = await platform.api('POST', path, body);
  assert.equal(answer.status, 201, answer.text);
  return answer.json;
}

async function makeTraffic(): Promise<void> {
  await platform.agent(['http', String(upstream.port), '--label', 'app=web']);
  const { id: backend_id } = await create('/backends/tunnel_group', { labels: { app: 'web' } });
  await create('/reserved_domains', { name: 'web' });
  const edge = await create('/edges/https', { hostports: ['web.underpass.localhost:443'] });
  await create(`/edges/https/${edge.id}/routes`, {
    match_type: 'path_prefix',
    match: '/',
    backend: { backend_id },
  });
  await create('/edges/tcp', {
    hostports: [(await platform.api('POST', '/reserved_addrs', {})).json.addr],
    backend: { backend_id },
  });
  const target = { monitoring: { api_key: 'key' } };
  const destination = await create('/event_destinations', { format: 'json', target });
  const sources = [{ type: 'ip_policy_created.v0' }];
  await create('/event_subscriptions', { sources, destination_ids: [destination.id] });
  await create('/ip_policies', {});
  // Once to begin the series whose labels are no list of the program, and once to see them grow.
  await visitAll('once');
  const refused = 'underpass_api_rate_limit_refusals_total';
  await eventually(async () => assert.equal((await prometheus.series(refused)).length, 1));
  await visitAll('again');
}

/** Visitors, and those who get nothing: no TLS, a wrong key, a name of the service, a name that is taken, too many requests. */
async function visitAll(name: string): Promise<void> {
  assert.equal((await platform.visit('web.underpass.localhost')).status, 200);
  await assert.rejects(fetch(`https://127.0.0.1:${platform.port}/`));
  await platform.api('GET', '/tunnels', undefined, { authorization: 'Bearer nonsense' });
  await assert.rejects(platform.agent(['http', '1', '--domain', 'api.underpass.localhost']));
  // One of the two finds the name free, and then it is not.
  await Promise.all([1, 2].map(() => platform.api('POST', '/reserved_domains', { name })));
  for (let request = 0; request < RATE_LIMIT; request += 1) await platform.api('GET', '/tunnels');
}

test('each question of the dashboard gets numbers, with the labels that its legend names', {
  skip,
}, async () => {
  await makeTraffic();
  for (const { title, targets } of dashboard.panels)
    for (const { expr, legendFormat } of targets) {
      const asked = expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*');
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      const isZero = ZERO.some((name) => expr.includes(name));
      await eventually(async () => {
        const found = await prometheus.series(asked);
        const values = found.map(({ value }) => Number(value[1]));
        assert.ok(isZero ? values.length > 0 : values.some((value) => value > 0), `${title}: ${asked}`);
        assert.ok(values.every(Number.isFinite), `${title}: ${asked}`);
        for (const { metric } of found)
          assert.ok(
            named.every((label) => metric[label] !== undefined),
            `${title}: ${JSON.stringify(metric)}`,
          );
      });
    }
});

test('the daemons to choose from are those that Prometheus asks, and no rule fails', { skip }, async () => {
  const [variable] = dashboard.templating.list.filter(({ name }) => name === 'instance');
  const { query } = (variable as { query: { query: string } }).query;
  const [, metric = '', label = ''] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
  const daemons = await prometheus.ask(`label/${label}/values`, { 'match[]': metric });
  assert.deepEqual(daemons, [`127.0.0.1:${platform.adminPort}`]);
  const { groups } = await prometheus.ask('rules');
  const rules = groups.flatMap((group: { rules: { lastError?: string; state: string }[] }) => group.rules);
  assert.ok(rules.length > 10);
  for (const { lastError } of rules) assert.equal(lastError, undefined);
});

test('panels have ids of their own and lie beside each other', () => {
  const { panels } = dashboard;
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  for (const [at, { title, gridPos: one }] of panels.entries()) {
    assert.ok(one.x + one.w <= 24, title);
    for (const { title: other, gridPos: two } of panels.slice(at + 1)) {
      const isApart =
        one.x + one.w <= two.x || two.x + two.w <= one.x || one.y + one.h <= two.y || two.y + two.h <= one.y;
      assert.ok(isApart, `${title} lies on ${other}`);
    }
  }
});
