import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { clearLogin } from '../../access/passwords.ts';
import { addressText } from '../../core/ip/client-address.ts';
import { type Hostname, isFault, parseHostname } from '../../core/names/hostname.ts';
import type { EndpointConfigurationDocument, StoredDocument } from '../../documents/index.ts';
import type { CompiledSite } from '../../edge/compile/compile-site.ts';
import {
  atEdge,
  backedBy,
  configurationDocument,
  configuredReservation,
  edgeDocument,
  groupDocument,
  httpsEdgeDocument,
  reservation,
  responseDocument,
  ruleDocument,
  staticDocument,
} from '../../edge/documents.fixture.ts';
import { Judgement } from '../../edge/http/judgement.ts';
import { CopiedFacts } from '../../edge/http/request-facts.ts';
import { websocketHandshake } from '../../edge/http/websocket-handshake.ts';
import { routeModules } from '../../edge/modules/index.ts';
import { testConnection } from '../../edge/sites/connection-facts.fixture.ts';
import type { RequestVerdict } from '../../edge/sites/site.ts';
import { catalogue, type ErrorName } from '../../errors/catalogue.ts';
import { tunnelAt } from '../../online/tunnels.fixture.ts';
import { explainedModules } from '../../resources/standalone/explain.ts';
import { explanationOf, type Given, rulesOf, tableOf } from './explain.fixture.ts';
import type { Explanation } from './explain.ts';
import { readQuestion } from './question.ts';
import { type ReadRequest, readRequest } from './request-head.ts';

const NAME = 'app.example.com';
const URL_OF_NAME = `https://${NAME}/`;

function ended({ steps }: Explanation): Explanation['steps'][number] | undefined {
  return steps.find(({ outcome }) => outcome === 'refused' || outcome === 'answered');
}

function lastOf(explanation: Explanation): Explanation['steps'][number] {
  return ended(explanation) ?? explanation.steps.at(-1)!;
}

async function ofEdge(
  documents: Given['documents'],
  backend: string,
  url = URL_OF_NAME,
): Promise<Explanation> {
  const edge = edgeDocument('edgtls_1', [NAME], { tls_termination: atEdge, backend: backedBy(backend) });
  return explanationOf(rulesOf(tableOf({ documents: [edge, ...(documents ?? [])] })), { url });
}

test('an address that is never dialled is refused, and a failover goes on without it', async () => {
  const closed = staticDocument('bkdsc_1', '10.0.0.1', 80);
  const refused = await ofEdge([closed], 'bkdsc_1');
  assert.deepEqual([refused.outcome, refused.error], ['refused', 'upstreamAddressRefused']);
  const failover: StoredDocument<'failover_backend'> = {
    ...{ id: 'bkdfo_1', account: 'ac_1', kind: 'failover_backend', parent: null, revision: 1 },
    body: { description: '', metadata: '', backends: ['bkdsc_1', 'bkdsc_2', 'bkdhr_1'] },
  };
  const named = staticDocument('bkdsc_2', 'a.example.com', 80);
  const next = await ofEdge([closed, named, responseDocument('bkdhr_1', 'hi'), failover], 'bkdfo_1');
  const backends = next.steps.filter(({ step }) => step === 'backend');
  assert.deepEqual(
    backends.map(({ resource, outcome, error }) => [resource, outcome, error]),
    [
      ['bkdfo_1', 'passed', null],
      ['bkdsc_1', 'skipped', 'upstreamAddressRefused'],
      ['bkdsc_2', 'passed', null],
      ['bkdhr_1', 'skipped', null],
    ],
  );
});

test('TLS that passes through has no response of the service', async () => {
  const documents = [
    edgeDocument('edgtls_1', [NAME], { backend: backedBy('bkdhr_1') }),
    responseDocument('bkdhr_1', 'hi'),
  ];
  const explanation = await explanationOf(rulesOf(tableOf({ documents })), { url: `tls://${NAME}` });
  assert.deepEqual([explanation.status, lastOf(explanation).error], [0, 'fixedResponseNotTerminated']);
  assert.equal(explanation.steps.at(-1)?.outcome, 'not_reached');
});

test('an isolated daemon serves no visitor, and visitors wait for an agent that is expected', async () => {
  const sites = tableOf({ documents: [reservation('rd_1', NAME)] });
  const isolated = await explanationOf(rulesOf(sites, { isIsolated: () => true }), { url: URL_OF_NAME });
  assert.deepEqual([isolated.status, isolated.error, lastOf(isolated).step], [503, 'nodeIsolated', 'daemon']);
  const awaited = await explanationOf(rulesOf(sites, { isAgentExpected: () => true }), { url: URL_OF_NAME });
  assert.match(lastOf(awaited).why, /visitors wait for it/);
});

test('what belongs to another account is explained like what belongs to none', async () => {
  const documents = [
    httpsEdgeDocument('edghts_1', [NAME, 'edge.example.net']),
    reservation('rd_2', 'reserved.example.net'),
  ];
  const tunnels = [tunnelAt('agent.example.net'), tunnelAt('agent.example.com')];
  const service = {
    domain: 'example.net' as Hostname,
    baseUrl: 'https://api.example.net',
    consoleHost: null,
  };
  const online = tableOf({ documents, tunnels, service });
  const own = ['edge.example.net', 'reserved.example.net', 'agent.example.net', NAME, 'agent.example.com'];
  for (const host of own) {
    const nobody = host.replace(/^\w+/, 'nobody');
    const words = async (name: string, account?: string) => {
      const explanation = await explanationOf(rulesOf(online), { url: `https://${name}/` }, account);
      return JSON.stringify(explanation).replaceAll(name, 'NAME');
    };
    assert.equal(await words(host, 'ac_2'), await words(nobody, 'ac_2'), host);
    assert.notEqual(await words(host), await words(nobody), host);
  }
});

test('names in other letters are read as browsers read them, and paths stay as they are', () => {
  const { target } = readQuestion({ url: 'https://bücher.example:8443/a/../ü?q#f', client_ip: '::1' });
  assert.deepEqual(target, {
    ...{ scheme: 'https', authority: 'xn--bcher-kva.example:8443', hostname: 'xn--bcher-kva.example' },
    ...{ port: 8443, path: '/a/../ü?q' },
  });
});

// ----- explanations are true, whatever the modules

const ips = ['192.0.2.1', '192.0.2.130', '198.51.100.7', '2001:db8::1'];
const cidrs = ['192.0.2.0/24', '192.0.2.128/25', '198.51.100.7/32', '2001:db8::/32', '0.0.0.0/0'];
const agents = ['', 'curl/8', 'a scanner', 'good scanner'];
const on = { enabled: true } as const;
const rules = fc.array(
  fc.record({ action: fc.constantFrom('allow' as const, 'deny' as const), cidr: fc.constantFrom(...cidrs) }),
  { maxLength: 4 },
);
const patterns = fc.subarray(['scanner', 'good', 'curl']);
const modules = fc.record(
  {
    user_agent_filter: fc.record({ enabled: fc.boolean(), allow: patterns, deny: patterns }),
    circuit_breaker: fc.constant({
      ...{ ...on, tripped_duration: 0, rolling_window: 0, num_buckets: 0, volume_threshold: 1 },
      error_threshold_percentage: 1,
    }),
    webhook_validation: fc.constantFrom(
      { ...on, provider: 'GITHUB', secret_sealed: 'sealed' },
      { ...on, provider: 'SLACK', secret_sealed: 'sealed' },
      { ...on, provider: 'UNKNOWN', secret_sealed: 'sealed' },
    ),
    websocket_tcp_converter: fc.constant(on),
    compression: fc.constant(on),
    request_headers: fc.constant({ ...on, add: { 'x-a': 'b' }, remove: [] }),
    tls_termination: fc.constantFrom(
      { ...on, terminate_at: 'edge', min_version: '' },
      { ...on, terminate_at: 'upstream', min_version: '' },
    ),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Partial<EndpointConfigurationDocument>>;
const login = { authorization: `Basic ${Buffer.from('ada:lovelace').toString('base64')}` };
const guess = { authorization: `Basic ${Buffer.from('ada:byron').toString('base64')}` };
const upgrade = {
  ...{ connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
  'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const situations = fc.record({
  modules,
  rules: fc.option(rules, { nil: null }),
  hasLogin: fc.boolean(),
  isOffline: fc.boolean(),
  hasFailed: fc.boolean(),
  ip: fc.constantFrom(...ips),
  method: fc.constantFrom('GET', 'POST', 'OPTIONS'),
  agent: fc.constantFrom(...agents),
  headers: fc.constantFrom({}, login, guess, upgrade, { ...login, ...upgrade }),
});
type Situation = typeof situations extends fc.Arbitrary<infer Value> ? Value : never;

function siteTable({ modules: configured, rules: listed, hasLogin, isOffline }: Situation) {
  const restriction = listed === null ? {} : { ip_policy: { ...on, ip_policy_ids: ['ipp_1'] } };
  // A closed tunnel would have no site with a memory.
  const offline = isOffline ? { pool: { id: 'ep_1', tunnels: [] } } : {};
  const basic_auth = { ...on, realm: '', allow_options: true, logins: [clearLogin('ada', 'lovelace')] };
  const own = hasLogin ? { modules: { basic_auth } } : {};
  return tableOf({
    documents: [
      configuredReservation('rd_1', NAME, 'ec_1'),
      configurationDocument('ec_1', { ...configured, ...restriction } as typeof configured),
      ...(listed ?? []).map(({ action, cidr }, at) => ruleDocument(`ipr_${at}`, 'ipp_1', action, cidr)),
    ],
    tunnels: [{ ...tunnelAt(NAME), ...own, ...offline }],
    sealer: { open: () => 'a secret' },
  });
}

/** The decision of the classes that judge real requests. */
async function judged(site: CompiledSite, read: ReadRequest, ip: string): Promise<RequestVerdict> {
  const route = site.route('');
  const tls = { version: '', cipher: '', clientCertificate: null };
  const connection = testConnection({ clientAddr: addressText(ip, 1), tls });
  const decisions = new Map<string, string>();
  const judgement = new Judgement(connection, (guard, decision) => decisions.set(guard, decision));
  const facts = new CopiedFacts(read.head, connection, decisions, route.guards);
  const early = (await judgement.of(route, facts, false)) ?? route.refusal;
  const verdict = early ?? judgement.ofBody(route, facts, Buffer.alloc(0));
  if (verdict !== null) return verdict;
  if (route.converter !== null) {
    const fields = route.bodyGuards.length > 0 ? 'websocketExpected' : handshakeOf(read);
    if (fields !== null) return fields;
  }
  const picked = route.backend.pick(new Set());
  return typeof picked === 'string' || 'status' in picked ? picked : null;
}

function handshakeOf({ head, request }: ReadRequest): ErrorName | null {
  const fields = websocketHandshake(head, request);
  return typeof fields === 'string' ? fields : null;
}

function resultOf(verdict: RequestVerdict): readonly [status: number, error: ErrorName | null] {
  if (verdict === null) return [0, null];
  if (typeof verdict === 'string') return [catalogue[verdict].status, verdict];
  if (verdict.kind === 'refusal') return [catalogue[verdict.error].status, verdict.error];
  return [verdict.status, null];
}

test('on random sites an explanation is the decision about the next real request, and changes nothing', async () => {
  const name = parseHostname(NAME);
  assert.ok(!isFault(name));
  await fc.assert(
    fc.asyncProperty(situations, async (situation) => {
      const { ip, method, agent, headers, hasFailed } = situation;
      const table = siteTable(situation);
      const site = table.lookup(name);
      assert.ok(site !== undefined);
      if (hasFailed) for (const watch of site.route('').watches) watch.answered(500, null);
      const described = {
        url: URL_OF_NAME,
        client_ip: ip,
        method,
        headers: { ...headers, 'user-agent': agent },
      };
      const edge = rulesOf(table);
      const explanation = await explanationOf(edge, described);
      const again = await explanationOf(edge, described);
      const read = readRequest(readQuestion(described), name, true, edge);
      assert.ok(typeof read !== 'string');
      const expected = resultOf(await judged(site, read, ip));
      assert.deepEqual([explanation.status, explanation.error], expected, JSON.stringify(explanation));
      assert.deepEqual(again, explanation);
      assert.equal(explanation.outcome === 'served', expected[0] < 400, JSON.stringify(explanation));
    }),
    { numRuns: 300 },
  );
});

test('without its modules a site decides as one that has none', async () => {
  const plain = { modules: {}, rules: null, hasLogin: false, hasFailed: false } as const;
  await fc.assert(
    fc.asyncProperty(situations, async (situation) => {
      const { ip, method, agent, headers } = situation;
      const table = siteTable(situation);
      const name = parseHostname(NAME);
      assert.ok(!isFault(name));
      // Without effect, a configuration refuses whatever the modules decide.
      if (table.lookup(name)?.route('').refusal !== null) return;
      const described = {
        ...{ url: URL_OF_NAME, client_ip: ip, method, headers: { ...headers, 'user-agent': agent } },
      };
      const without = [...explainedModules];
      const open = await explanationOf(rulesOf(table), { ...described, without });
      const none = await explanationOf(rulesOf(siteTable({ ...situation, ...plain })), described);
      assert.deepEqual([open.outcome, open.status, open.error], [none.outcome, none.status, none.error]);
      const one = await explanationOf(rulesOf(table), { ...described, without: ['basic_auth'] });
      const skipped = one.steps.filter(({ why }) => why.includes('leaves this module out'));
      assert.ok(skipped.every(({ step, outcome }) => step === 'basic_auth' && outcome === 'skipped'));
    }),
    { numRuns: 100 },
  );
});

test('a question may leave out each module of routes', () => {
  const known = new Set<string>(explainedModules);
  assert.deepEqual(
    Object.keys(routeModules).filter((name) => !known.has(name)),
    [],
  );
});

test('a group of other labels counts no tunnels of this one', async () => {
  const documents = [groupDocument('bkdtg_1', { app: 'web', zone: 'a' })];
  const explanation = await ofEdge(documents, 'bkdtg_1');
  assert.deepEqual(
    [explanation.outcome, explanation.status, explanation.error],
    ['refused', 0, 'tunnelGroupEmpty'],
  );
  assert.match(lastOf(explanation).why, /^No tunnels with the labels app=web, zone=a online\.$/);
});
