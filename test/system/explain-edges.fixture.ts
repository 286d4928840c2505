/** Edges, names and tunnels whose decisions the tests of explanations know. */
import assert from 'node:assert/strict';
import type { ClientCertificates, Identity, Platform } from '../harness/index.ts';

export const DOMAIN = 'underpass.localhost';
export const SECRET = 'a secret of these tests';

export type Identities = Readonly<Record<'good' | 'foreign' | 'expired', Identity>>;

export class ExplainedEdges {
  readonly #platform: Platform;
  readonly #certificates: ClientCertificates;
  /** Port of the upstream. */
  readonly #upstream: string;

  constructor(platform: Platform, certificates: ClientCertificates, upstream: number) {
    this.#platform = platform;
    this.#certificates = certificates;
    this.#upstream = String(upstream);
  }

  /** Returns certificates of clients for the name "mutual". */
  async make(): Promise<Identities> {
    await this.#makeEdge();
    const identities = await this.#makeOthers();
    await this.#makeTunnels();
    return identities;
  }

  async create(path: string, body: object): Promise<string> {
    const { status, json, text } = await this.#platform.api('POST', path, body);
    assert.equal(status, 201, text);
    return json.id;
  }

  async policy(...rules: readonly (readonly [action: string, cidr: string])[]): Promise<string> {
    const id = await this.create('/ip_policies', {});
    for (const [action, cidr] of rules)
      await this.create('/ip_policy_rules', { ip_policy_id: id, action, cidr });
    return id;
  }

  async #reserve(label: string): Promise<string> {
    return await this.create('/reserved_domains', { name: `${label}.${DOMAIN}` });
  }

  async #httpsEdge(label: string, body: object = {}): Promise<string> {
    await this.#reserve(label);
    return await this.create('/edges/https', { hostports: [`${label}.${DOMAIN}:443`], ...body });
  }

  /** An edge with a route for each module. */
  async #makeEdge(): Promise<void> {
    const edge = await this.#httpsEdge('app');
    await this.#platform.agent(['http', this.#upstream, '--label', 'app=online']);
    const online = await this.create('/backends/tunnel_group', { labels: { app: 'online' } });
    const empty = await this.create('/backends/tunnel_group', { labels: { app: 'empty' } });
    const page = await this.create('/backends/http_response', { status_code: 418 });
    const dialled = await this.create('/backends/static', { address: `127.0.0.1:${this.#upstream}` });
    const failover = await this.create('/backends/failover', { backends: [empty, page] });
    const hopeless = await this.create('/backends/failover', { backends: [empty] });
    const weighted = await this.create('/backends/weighted', { backends: { [empty]: 9, [page]: 1 } });
    const office = await this.policy(
      ['allow', '127.0.0.5/32'],
      ['allow', '127.0.1.0/24'],
      ['deny', '127.0.1.6/32'],
    );
    const route = async (match: string, backend: string | null, more: object = {}): Promise<void> => {
      const to = backend === null ? {} : { backend: { backend_id: backend } };
      await this.create(`/edges/https/${edge}/routes`, { match_type: 'path_prefix', match, ...to, ...more });
    };
    await route('/online', online);
    await route('/online/page', page);
    await route('/office', online, { ip_restriction: { ip_policy_ids: [office] } });
    await route('/programs', online, { user_agent_filter: { allow: ['good scanner'], deny: ['scanner'] } });
    await route('/hooks', online, { webhook_verification: { provider: 'GITHUB', secret: SECRET } });
    await route('/failing', online, {
      circuit_breaker: { error_threshold_percentage: 0.5, volume_threshold: 2, tripped_duration: 3600 },
    });
    await route('/socket', online, { websocket_tcp_converter: {} });
    const provider = { github: { client_id: 'client', client_secret: 'secret of github' } };
    await route('/login', online, { oauth: { provider } });
    await route('/changed', online, {
      request_headers: { add: { 'x-key': 'hidden' }, remove: ['cookie'] },
      compression: {},
    });
    await route('/empty', empty);
    await route('/dialled', dialled);
    await route('/failover', failover);
    await route('/hopeless', hopeless);
    await route('/weighted', weighted);
    await route('/nothing', null);
  }

  async #makeOthers(): Promise<Identities> {
    const certificates = this.#certificates;
    const page = await this.create('/backends/http_response', { body: 'fixed' });
    const root = certificates.authority('Root');
    const identities = {
      good: certificates.make('ada', root),
      expired: certificates.make('old', root, { days: -1 }),
      foreign: certificates.make('eve', certificates.authority('Foreign')),
    };
    const authority = await this.create('/certificate_authorities', { ca_pem: root.pem });
    const mutual = await this.#httpsEdge('mutual', {
      mutual_tls: { certificate_authority_ids: [authority] },
    });
    const backend = { backend_id: page };
    await this.create(`/edges/https/${mutual}/routes`, { match_type: 'path_prefix', match: '/', backend });
    await this.#reserve('idle');
    await this.#reserve('fixed');
    const terminated = { tls_termination: { terminate_at: 'edge' }, backend };
    const own = await this.policy(['allow', '127.0.0.1/32']);
    const ip_restriction = { ip_policy_ids: [own] };
    await this.create('/edges/tls', { hostports: [`fixed.${DOMAIN}:443`], ...terminated, ip_restriction });
    const { json } = await this.#platform.api('POST', '/reserved_addrs', {});
    const online = { backend_id: await this.create('/backends/tunnel_group', { labels: { app: 'online' } }) };
    await this.create('/edges/tcp', { hostports: [json.addr], backend: online, ip_restriction });
    await this.#reserve('bytes');
    await this.create('/edges/tls', { hostports: [`bytes.${DOMAIN}:443`], ...terminated, backend: online });
    await this.#reserve('passing');
    await this.create('/edges/tls', { hostports: [`passing.${DOMAIN}:443`], backend: online });
    return identities;
  }

  /** Names of agents with modules of their own. */
  async #makeTunnels(): Promise<void> {
    const bind = (label: string, ...flags: readonly string[]) =>
      this.#platform.agent(['http', this.#upstream, '--domain', `${label}.${DOMAIN}`, ...flags]);
    await bind('open');
    await bind('secret', '--basic-auth', 'ada:a long password');
    await bind('ranges', '--cidr-allow', '127.0.0.0/29', '--cidr-deny', '127.0.0.6/32');
    await bind('named', '--ua-filter-deny', 'robot');
    await bind('spoken', '--scheme', 'http', '--basic-auth', 'ada:a long password');
  }
}
