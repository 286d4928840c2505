/**
 * What agents, credentials and reservations do to each other, done to a daemon and to a model of it. Never that an answer of the API,
 * a list or who answers a visitor is another than the model's, from the moment on that the step was answered. `SEED` repeats a run.
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
import { eventually } from '../harness/index.ts';
import { startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';

const SLOTS = 3;
const CREDENTIALS = 3;
const NAMES = 3;

const slot = fc.nat({ max: SLOTS - 1 });
const credential = fc.nat({ max: CREDENTIALS - 1 });
const name = fc.nat({ max: NAMES - 1 });

const step = fc.oneof(
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('connect' as const), slot, credential }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('bind' as const), slot, name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('bindRandom' as const), slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('unbind' as const), slot, name }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('cut' as const), slot }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('comeBack' as const), slot }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('revoke' as const), credential }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('reserve' as const), credential, name }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), name }) },
);
const steps = fc.array(step, { minLength: 20, maxLength: 40, size: 'max' });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

type Account = 'first' | 'other';

interface Credential {
  readonly id: string;
  readonly token: string;
  readonly account: Account;
}

interface Bound {
  readonly hostname: string;
  /** As it is to be bound again. */
  readonly request: Json;
  readonly tunnelId: string;
}

/** An agent that is online, or that was and may come back. */
interface Agent {
  readonly credential: Credential;
  session: AgentSession;
  isOnline: boolean;
  /** What each of its answers begins with. */
  tag: string;
  /** By host name. */
  readonly tunnels: Map<string, Bound>;
}

class OnlineHistory {
  readonly #accounts: TwoAccounts;
  readonly #run: string;
  readonly #credentials: Credential[] = [];
  readonly #agents: (Agent | null)[] = Array.from({ length: SLOTS }, () => null);
  /** Of names whose tunnel was lost: the credential that they wait for. */
  readonly #held = new Map<string, Credential>();
  readonly #reserved = new Map<string, { readonly account: Account; readonly id: string }>();
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
    this.#agents[place] = { credential, session, isOnline: true, tag, tunnels: new Map() };
  }

  /** Whether the model gives a credential a name. */
  #mayHave({ id, account }: Credential, hostname: string): boolean {
    const owner = this.#reserved.get(hostname)?.account ?? account;
    const holder = this.#holder(hostname);
    return owner === account && (holder === null || holder.id === id);
  }

  /** Who has a name, or for whom it is held. */
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
    const request = { Id, Proto: 'https', Opts: { Domain: hostname ?? '' }, Extra: { Token: '' } };
    const answer = agent.session.call(StreamType.bind, request);
    if (hostname !== null && !this.#mayHave(agent.credential, hostname)) {
      await assert.rejects(answer, /ERR_SERVICE_/, `${hostname} is not to be had`);
      return;
    }
    this.#nowHas(agent, await answer, request);
  }

  #nowHas(agent: Agent, answer: Json, request: Json): void {
    const { hostname } = new URL(text(answer, 'URL'));
    // Of the same credential: whoever had it was told that it has it no longer.
    this.#bearer(hostname)?.tunnels.delete(hostname);
    this.#held.delete(hostname);
    const { Token, TunnelID } = object(answer, 'Extra');
    const again = { ...request, Opts: object(answer, 'Opts'), Extra: { Token } };
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
    for (const hostname of agent.tunnels.keys()) this.#held.set(hostname, agent.credential);
  }

  /** After a cut, or before the service knows of one. */
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
    agent.tunnels.clear();
    agent.isOnline = true;
    for (const { hostname, request } of earlier) {
      // What may no longer be is answered, too, and is not online.
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
    assert.equal((await this.#api(reservation.account, 'DELETE', path)).status, 204);
    this.#reserved.delete(hostname);
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
    const list = async (path: string) => (await this.#api(account, 'GET', `/${path}`)).json[path];
    const ids = async (path: string) => (await list(path)).map(({ id }: { id: string }) => id).sort();
    const shown = (await list('tunnels')).map(
      (one: { id: string; public_url: string; tunnel_session: { id: string } }) =>
        `${one.id} ${new URL(one.public_url).hostname} of ${one.tunnel_session.id}`,
    );
    assert.deepEqual(
      shown.sort(),
      tunnels.map(({ tunnelId, hostname, session }) => `${tunnelId} ${hostname} of ${session}`).sort(),
    );
    assert.deepEqual(await ids('tunnel_sessions'), online.map(({ session }) => session.id).sort());
    assert.deepEqual(
      await ids('endpoints'),
      tunnels.map(({ tunnelId }) => tunnelId.replace('tn_', 'ep_')).sort(),
    );
  }

  async #compareVisits(): Promise<void> {
    const fixed = Array.from({ length: NAMES }, (_, index) => this.#hostname(index));
    const random = this.#agents.flatMap((agent) => [...(agent?.tunnels.keys() ?? [])]);
    await Promise.all([...new Set([...fixed, ...random])].map((hostname) => this.#compareVisit(hostname)));
  }

  async #compareVisit(hostname: string): Promise<void> {
    const bearer = this.#bearer(hostname);
    const { status, text: body } = await this.#accounts.platform.visit(hostname);
    if (bearer === null) assert.equal(status, 404, `${hostname} is nobody's`);
    else assert.equal(body, `${bearer.tag} ${bearer.tunnels.get(hostname)?.request.Id} /`, hostname);
  }
}

/** As many histories as there is time for; the seed repeats them. */
export async function compareHistories(
  t: TestContext,
  { numRuns, seconds }: { readonly numRuns: number; readonly seconds: number },
): Promise<void> {
  const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
  t.diagnostic(`SEED=${seed}`);
  const accounts = await startTwoAccounts();
  t.after(() => accounts.platform.stop());
  let run = 0;
  const property = fc.asyncProperty(steps, async (history) => {
    const online = await OnlineHistory.begin(accounts, String(++run));
    try {
      for (const step of history) await online.take(step);
    } finally {
      await online.end();
    }
  });
  await fc.assert(property, { seed, numRuns, unbiased: true, interruptAfterTimeLimit: seconds * 1000 });
  t.diagnostic(`${run} histories`);
}
