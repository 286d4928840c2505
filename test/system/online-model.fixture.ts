/**
 * Applies a history of agents, credentials, reservations and edges to a daemon and to a model. `SEED` repeats a run.
 * Invariant: after each step, responses of the API, lists and the responder of each visit equal the model's.
 */
import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import type { TestContext } from 'node:test';
import fc from 'fast-check';
import {
  AgentSession,
  families,
  type Json,
  join,
  object,
  StreamType,
  tagged,
  text,
} from '../agents/index.ts';
import { eventually, freePortRange } from '../harness/index.ts';
import { whileTimeLasts } from '../harness/property-runs.ts';
import { startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';
import { CREDENTIALS, POOL, SLOTS, type Step, steps } from './online-model-steps.fixture.ts';
import { saidAt, visitedAt } from './tunnel-visits.fixture.ts';

/** More than a history binds. Only this daemon uses them, so that no other server responds at a lost port. */
const TCP_PORTS = 50;

type Account = 'first' | 'other';

interface Credential {
  readonly id: string;
  readonly token: string;
  readonly account: Account;
}

interface Bound {
  /** A host name, or `host:port` of TCP. */
  readonly hostname: string;
  /** Request of the next bind. */
  readonly request: Json;
  readonly tunnelId: string;
}

/** An agent that is online, or that was and may come back. */
interface Agent {
  readonly credential: Credential;
  session: AgentSession;
  isOnline: boolean;
  /** Text with which each of its answers begins. */
  tag: string;
  /** Tunnels by the visitors' address. */
  readonly tunnels: Map<string, Bound>;
  /** Bind ids of labelled tunnels, by the host name of the edges that they are for. */
  readonly labelled: Map<string, string>;
}

/** An edge for the labelled tunnels of its account with its host name. */
interface Edge {
  readonly account: Account;
  readonly id: string;
  readonly backend: string;
}

class OnlineHistory {
  readonly #accounts: TwoAccounts;
  readonly #run: string;
  readonly #credentials: Credential[] = [];
  readonly #agents: (Agent | null)[] = Array.from({ length: SLOTS }, () => null);
  /** Credentials for which names of lost tunnels are held. */
  readonly #held = new Map<string, Credential>();
  readonly #reserved = new Map<string, { readonly account: Account; readonly id: string }>();
  /** Edges by host name. */
  readonly #edges = new Map<string, Edge>();
  readonly #faults: string[] = [];
  #sessions = 0;
  #binds = 0;

  private constructor(accounts: TwoAccounts, run: string) {
    this.#accounts = accounts;
    this.#run = run;
  }

  /** `run`: part of its names, so that nothing of an earlier history is met. */
  static async begin(accounts: TwoAccounts, run: string): Promise<OnlineHistory> {
    const history = new OnlineHistory(accounts, run);
    for (let index = 0; index < CREDENTIALS; index++) await history.#newCredential(index);
    for (let place = 0; place < SLOTS; place++)
      await history.#connect(place, history.#credentials[place % CREDENTIALS]!);
    return history;
  }

  async take(step: Step): Promise<void> {
    await this.#take(step);
    assert.deepEqual(this.#faults, []);
    await Promise.all([this.#compareLists(), this.#compareVisits()]);
  }

  async end(): Promise<void> {
    for (const agent of this.#agents) agent?.session.cut();
    for (const hostname of [...this.#edges.keys()]) await this.#detach(hostname);
    for (const { account, id } of this.#credentials) await this.#api(account, 'DELETE', `/credentials/${id}`);
    for (const { account, id } of this.#reserved.values())
      await this.#api(account, 'DELETE', `/reserved_domains/${id}`);
  }

  async #take(step: Step): Promise<void> {
    switch (step.kind) {
      case 'connect':
        return await this.#connect(step.slot, this.#credentials[step.credential]!);
      case 'bind':
        return await this.#bind(step.slot, this.#hostname(step.name));
      case 'bindRandom':
        return await this.#bind(step.slot, null);
      case 'bindPooled':
        return await this.#bindPooled(step.slot);
      case 'bindTcp':
        return await this.#bindTcp(step.slot);
      case 'bindLabelled':
        return await this.#bindLabelled(step.slot, this.#hostname(step.name));
      case 'unbind':
        return await this.#unbind(step.slot, this.#hostname(step.name));
      case 'cut':
        return await this.#cut(step.slot);
      case 'comeBack':
        return await this.#comeBack(step.slot);
      case 'revoke':
        return await this.#revoke(step.credential);
      case 'reserve':
        return await this.#reserve(this.#credentials[step.credential]!.account, this.#hostname(step.name));
      case 'delete':
        return await this.#delete(this.#hostname(step.name));
      case 'attach':
        return await this.#attach(this.#hostname(step.name));
      case 'detach':
        return await this.#detach(this.#hostname(step.name));
      default:
        step satisfies never;
    }
  }

  #hostname(index: number): string {
    return `m${index}-${this.#run}.underpass.localhost`;
  }

  async #api(account: Account, method: string, path: string, body?: unknown) {
    const { platform, asOther } = this.#accounts;
    return account === 'first' ? await platform.api(method, path, body) : await asOther(method, path, body);
  }

  async #newCredential(index: number): Promise<void> {
    const account = index === CREDENTIALS - 1 ? 'other' : 'first';
    const { json } = await this.#api(account, 'POST', '/credentials', {});
    this.#credentials[index] = { id: json.id, token: json.token, account };
  }

  async #dial(place: number, tag: string): Promise<AgentSession> {
    const { port, ca, bootstrap } = this.#accounts.platform;
    const family = families[place % families.length] ?? families[0];
    const service = { port, ca, host: `connect.${bootstrap.domain}` };
    return await AgentSession.dial(family, service, {
      proxied: (header, stream) => void join(family, header, stream, tagged(`${tag} ${header.Id}`)),
      stopped() {},
      fault: (what) => this.#faults.push(what),
    });
  }

  async #connect(place: number, credential: Credential): Promise<void> {
    if (this.#agents[place] != null) return;
    const tag = `session ${++this.#sessions}`;
    const session = await this.#dial(place, tag);
    await session.authenticate({ token: credential.token, clientId: '', cookie: '' });
    this.#agents[place] = {
      credential,
      session,
      isOnline: true,
      tag,
      tunnels: new Map(),
      labelled: new Map(),
    };
  }

  /** Returns true if the model gives a credential a name. */
  #mayHave({ id, account }: Credential, hostname: string): boolean {
    if (this.#edges.has(hostname)) return false;
    const owner = this.#reserved.get(hostname)?.account ?? account;
    const holder = this.#holder(hostname);
    if (this.#isPool(hostname)) return holder === null || holder.account === account;
    return owner === account && (holder === null || holder.id === id);
  }

  /** Returns the credential that has a name, or for which it is held. */
  #holder(hostname: string): Credential | null {
    return this.#bearer(hostname)?.credential ?? this.#held.get(hostname) ?? null;
  }

  #bearer(hostname: string): Agent | null {
    return this.#agents.find((agent) => agent?.isOnline && agent.tunnels.has(hostname)) ?? null;
  }

  async #bind(place: number, hostname: string | null): Promise<void> {
    const agent = this.#agents[place];
    if (!agent?.isOnline) return;
    const Id = `bind ${++this.#binds}`;
    const Extra = { Token: '', PoolingEnabled: hostname !== null && this.#isPool(hostname) };
    const request = { Id, Proto: 'https', Opts: { Domain: hostname ?? '' }, Extra };
    const answer = agent.session.call(StreamType.bind, request);
    if (hostname !== null && !this.#mayHave(agent.credential, hostname)) {
      await assert.rejects(answer, /ERR_SERVICE_/, `${hostname} is not to be had`);
      return;
    }
    this.#nowHas(agent, await answer, request);
  }

  #isPool(hostname: string): boolean {
    return hostname === this.#hostname(POOL);
  }

  async #bindPooled(place: number): Promise<void> {
    const agent = this.#agents[place];
    if (agent?.tunnels.has(this.#hostname(POOL))) return;
    await this.#bind(place, this.#hostname(POOL));
  }

  async #bindTcp(place: number): Promise<void> {
    const agent = this.#agents[place];
    if (!agent?.isOnline) return;
    const request = { Id: `bind ${++this.#binds}`, Proto: 'tcp', Opts: { Addr: '' }, Extra: { Token: '' } };
    this.#nowHas(agent, await agent.session.call(StreamType.bind, request), request);
  }

  async #bindLabelled(place: number, hostname: string): Promise<void> {
    const agent = this.#agents[place];
    if (!agent?.isOnline || agent.labelled.has(hostname)) return;
    const request = { Labels: { site: hostname }, ForwardsTo: '', ForwardsProto: '', Metadata: '' };
    const answer = await agent.session.call(StreamType.startTunnelWithLabel, request);
    agent.labelled.set(hostname, text(answer, 'Id'));
  }

  #nowHas(agent: Agent, answer: Json, request: Json): void {
    const hostname = visitedAt(text(answer, 'URL'));
    // The credential is the same: its former agent was notified.
    if (!this.#isPool(hostname)) this.#bearer(hostname)?.tunnels.delete(hostname);
    this.#held.delete(hostname);
    const { Token, TunnelID } = object(answer, 'Extra');
    const Extra = { ...object(request, 'Extra'), Token };
    const again = { ...request, Opts: object(answer, 'Opts'), Extra };
    agent.tunnels.set(hostname, { hostname, request: again, tunnelId: String(TunnelID) });
  }

  async #unbind(place: number, hostname: string): Promise<void> {
    const agent = this.#agents[place];
    const tunnel = agent?.isOnline ? agent.tunnels.get(hostname) : undefined;
    if (agent == null || tunnel === undefined) return;
    await agent.session.call(StreamType.unbind, { Id: tunnel.request.Id });
    agent.tunnels.delete(hostname);
  }

  async #cut(place: number): Promise<void> {
    const agent = this.#agents[place];
    if (!agent?.isOnline) return;
    agent.session.cut();
    this.#lose(agent);
    // The daemon hears of it from the network.
    await eventually(() => this.#compareLists());
  }

  #lose(agent: Agent): void {
    agent.isOnline = false;
    for (const hostname of agent.tunnels.keys())
      if (this.#bearer(hostname) === null) this.#held.set(hostname, agent.credential);
  }

  /** Reconnects, after a cut or before the service has noticed one. */
  async #comeBack(place: number): Promise<void> {
    const agent = this.#agents[place];
    if (agent == null) return;
    const { token } = agent.credential;
    const { clientId, cookie } = agent.session;
    agent.tag = `session ${++this.#sessions}`;
    const session = await this.#dial(place, agent.tag);
    await session.authenticate({ token, clientId, cookie });
    if (agent.isOnline) this.#lose(agent);
    agent.session = session;
    const earlier = [...agent.tunnels.values()];
    const labelled = [...agent.labelled.keys()];
    agent.tunnels.clear();
    agent.labelled.clear();
    agent.isOnline = true;
    for (const hostname of labelled) await this.#bindLabelled(place, hostname);
    for (const { hostname, request } of earlier) {
      // A bind that is no longer allowed is answered, too, and is not online.
      const answer = await session.call(StreamType.bind, request);
      if (this.#mayHave(agent.credential, hostname)) this.#nowHas(agent, answer, request);
    }
  }

  async #revoke(index: number): Promise<void> {
    const revoked = this.#credentials[index]!;
    const { status } = await this.#api(revoked.account, 'DELETE', `/credentials/${revoked.id}`);
    assert.equal(status, 204);
    this.#agents.forEach((agent, place) => {
      if (agent?.credential === revoked) this.#agents[place] = null;
    });
    for (const [hostname, { id }] of this.#held) if (id === revoked.id) this.#held.delete(hostname);
    await this.#newCredential(index);
  }

  async #reserve(account: Account, hostname: string): Promise<void> {
    const holder = this.#holder(hostname);
    const isFree = !this.#reserved.has(hostname) && (holder === null || holder.account === account);
    const { status, json } = await this.#api(account, 'POST', '/reserved_domains', { domain: hostname });
    assert.equal(status === 201, isFree, `${status} for the reservation of ${hostname}`);
    if (isFree) this.#reserved.set(hostname, { account, id: json.id });
  }

  async #delete(hostname: string): Promise<void> {
    const reservation = this.#reserved.get(hostname);
    if (reservation === undefined) return;
    const path = `/reserved_domains/${reservation.id}`;
    const { status } = await this.#api(reservation.account, 'DELETE', path);
    const isUsed = this.#edges.has(hostname);
    assert.equal(status === 204, !isUsed, `${status} for giving up ${hostname}`);
    if (!isUsed) this.#reserved.delete(hostname);
  }

  /** Attaches by the owner of the name, while no agent has it. A lease of the name ends. */
  async #attach(hostname: string): Promise<void> {
    const account = this.#reserved.get(hostname)?.account;
    if (account === undefined || this.#edges.has(hostname)) return;
    const edge = await this.#api(account, 'POST', '/edges/https', { hostports: [`${hostname}:443`] });
    const isFree = this.#bearer(hostname) === null;
    assert.equal(edge.status === 201, isFree, `${edge.status} for an edge at ${hostname}`);
    if (!isFree) return;
    const { id } = edge.json;
    const group = { labels: { site: hostname } };
    const { json: backend } = await this.#api(account, 'POST', '/backends/tunnel_group', group);
    const route = { match_type: 'path_prefix', match: '/', backend: { backend_id: backend.id } };
    assert.equal((await this.#api(account, 'POST', `/edges/https/${id}/routes`, route)).status, 201);
    this.#edges.set(hostname, { account, id, backend: backend.id });
    this.#held.delete(hostname);
  }

  async #detach(hostname: string): Promise<void> {
    const edge = this.#edges.get(hostname);
    if (edge === undefined) return;
    for (const path of [`/edges/https/${edge.id}`, `/backends/tunnel_group/${edge.backend}`])
      assert.equal((await this.#api(edge.account, 'DELETE', path)).status, 204);
    this.#edges.delete(hostname);
  }

  async #compareLists(): Promise<void> {
    await Promise.all([this.#compareListsOf('first'), this.#compareListsOf('other')]);
  }

  async #compareListsOf(account: Account): Promise<void> {
    const online = this.#agents.filter(
      (agent): agent is Agent => agent?.isOnline === true && agent.credential.account === account,
    );
    const tunnels = online.flatMap(({ session, tunnels }) =>
      [...tunnels.values()].map((tunnel) => ({ ...tunnel, session: session.id })),
    );
    const labelled = online.flatMap(({ session, labelled }) =>
      [...labelled.keys()].map((hostname) => `for ${hostname} of ${session.id}`),
    );
    const list = async (path: string) => (await this.#api(account, 'GET', `/${path}`)).json[path];
    const ids = async (path: string) => (await list(path)).map(({ id }: { id: string }) => id).sort();
    const shown = (await list('tunnels')).map(({ id, public_url, labels, tunnel_session }: ShownTunnel) =>
      public_url === undefined
        ? `for ${labels?.site} of ${tunnel_session.id}`
        : `${id} ${visitedAt(public_url)} of ${tunnel_session.id}`,
    );
    const bound = tunnels.map(({ tunnelId, hostname, session }) => `${tunnelId} ${hostname} of ${session}`);
    assert.deepEqual(shown.sort(), [...bound, ...labelled].sort());
    assert.deepEqual(await ids('tunnel_sessions'), online.map(({ session }) => session.id).sort());
    const edges = [...this.#edges].flatMap(([hostname, edge]) =>
      edge.account === account ? [`${hostname}:443 by ${edge.id}`] : [],
    );
    const endpoints = (await list('endpoints')).map(({ id, edge, hostport }: ShownEndpoint) =>
      edge === null ? id : `${hostport} by ${edge.id}`,
    );
    const ofTunnels = tunnels.map(({ tunnelId }) => tunnelId.replace('tn_', 'ep_'));
    assert.deepEqual(endpoints.sort(), [...ofTunnels, ...edges].sort());
  }

  async #compareVisits(): Promise<void> {
    const fixed = Array.from({ length: POOL + 1 }, (_, index) => this.#hostname(index));
    const random = this.#agents.flatMap((agent) => [...(agent?.tunnels.keys() ?? [])]);
    await Promise.all([...new Set([...fixed, ...random])].map((hostname) => this.#compareVisit(hostname)));
  }

  async #compareVisit(hostname: string): Promise<void> {
    const edge = this.#edges.get(hostname);
    if (edge !== undefined) return await this.#compareEdgeVisit(hostname, edge);
    const answers = this.#answers((agent) => agent.tunnels.get(hostname)?.request.Id);
    if (hostname.includes(':')) {
      assert.equal(await saidAt(hostname), answers[0] ?? '', hostname);
      return;
    }
    const { status, text: body } = await this.#accounts.platform.visit(hostname);
    if (answers.length === 0) assert.equal(status, 404, `${hostname} is nobody's`);
    else assert.ok(answers.includes(body), `${hostname}: ${body}, and not one of ${answers}`);
  }

  /** Returns the answer of each online agent that has such a bind. */
  #answers(bindIdOf: (agent: Agent) => unknown): readonly string[] {
    return this.#agents.flatMap((agent) => {
      const id = agent?.isOnline ? bindIdOf(agent) : undefined;
      return id === undefined ? [] : [`${agent?.tag} ${id} /`];
    });
  }

  async #compareEdgeVisit(hostname: string, { account }: Edge): Promise<void> {
    const { status, text: body } = await this.#accounts.platform.visit(hostname);
    const answers = this.#answers(({ credential, labelled }) =>
      credential.account === account ? labelled.get(hostname) : undefined,
    );
    if (answers.length === 0) assert.equal(status, 503, `nobody is behind the edge of ${hostname}`);
    else assert.ok(answers.includes(body), `${hostname}: ${body}, and not one of ${answers}`);
  }
}

interface ShownEndpoint {
  readonly id: string;
  readonly hostport: string;
  /** Null for that of a tunnel. */
  readonly edge: { readonly id: string } | null;
}

interface ShownTunnel {
  readonly id: string;
  readonly public_url?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly tunnel_session: { readonly id: string };
}

/** Runs as many histories as there is time for; the seed repeats them. */
export async function compareHistories(
  t: TestContext,
  { numRuns, seconds }: { readonly numRuns: number; readonly seconds: number },
): Promise<void> {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
  t.diagnostic(`SEED=${seed}`);
  const first = await freePortRange(TCP_PORTS);
  const accounts = await startTwoAccounts({ args: ['--tcp-ports', `${first}-${first + TCP_PORTS - 1}`] });
  t.after(() => accounts.platform.stop());
  let run = 0;
  const compare = async (history: readonly Step[]): Promise<void> => {
    const online = await OnlineHistory.begin(accounts, String(++run));
    try {
      for (const step of history) await online.take(step);
    } finally {
      await online.end();
    }
  };
  const property = fc.asyncProperty(steps, whileTimeLasts(seconds * 1000, compare));
  await fc.assert(property, { seed, numRuns, unbiased: true });
  t.diagnostic(`${run} histories`);
}
