/** Agents of this project and stock agents, each with a name of its own, and visitors of all names. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { connect as connectAgent } from '@underpass/agent';
import { type AgentTunnel, FamilyAgent, families, localPort } from '../agents/index.ts';
import { eventually, SteadyVisitors, until } from '../harness/index.ts';

const DOMAIN = 'underpass.localhost';

/** The service that agents and visitors connect to, and the local server of the agents. */
export interface Meeting {
  readonly port: number;
  readonly ca: string;
  readonly authtoken: string;
  readonly upstream: number;
}

export class TwoMakers {
  readonly hosts: string[] = [];
  readonly stock: { readonly agent: FamilyAgent; readonly tunnel: AgentTunnel }[] = [];
  readonly #at: Meeting;
  readonly #stops: (() => Promise<unknown>)[] = [];

  constructor(at: Meeting) {
    this.#at = at;
  }

  /** Starts so many agents of each maker. `connections`: of the own agent with that number; absent: the default. */
  async start(own: number, stock: number, connections?: (index: number) => number): Promise<void> {
    const { port, ca, authtoken, upstream } = this.#at;
    for (let n = 0; n < own; n += 1) {
      const host = this.#name(`own-${n}`);
      const options = { server: `connect.${DOMAIN}:${port}`, authtoken, ca };
      const limited = connections === undefined ? {} : { connections: connections(n) };
      const agent = await eventually(() => connectAgent({ ...options, ...limited }));
      this.#stops.push(() => agent.close());
      await agent.forward(upstream, { domain: host });
    }
    for (let n = 0; n < stock; n += 1) {
      const host = this.#name(`stock-${n}`);
      const service = { port, ca, host: `connect.${DOMAIN}` };
      const agent = await FamilyAgent.start(families[n % 2]!, service, authtoken);
      this.#stops.push(() => agent.stop());
      this.stock.push({ agent, tunnel: await agent.bind('https', localPort(upstream), { name: host }) });
    }
  }

  #name(label: string): string {
    const host = `${label}.${DOMAIN}`;
    this.hosts.push(host);
    return host;
  }

  /** Starts so many visitors of all agents. */
  visit(visitors: number): VisitsOfAll {
    const visits = new VisitsOfAll(this.#at, this.hosts, visitors);
    this.#stops.push(() => visits.stop());
    return visits;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#stops.map((stop) => stop()));
  }
}

export class VisitsOfAll {
  readonly #visitors: SteadyVisitors;
  readonly #hosts: readonly string[];

  constructor({ port, ca }: Meeting, hosts: readonly string[], visitors: number) {
    this.#hosts = hosts;
    this.#visitors = new SteadyVisitors({ port, ca });
    this.#visitors.start(visitors, hosts);
  }

  /** Resolves when so many more visits were served, and none was lost. */
  async more(visits: number): Promise<void> {
    const before = this.#visitors.served;
    await until(() => this.#visitors.served >= before + visits, 'more visits');
    assert.deepEqual(this.#visitors.lost, []);
  }

  stop(): Promise<void> {
    return this.#visitors.stop();
  }

  /** Ends the visits, and asserts that none was lost. */
  async loseNone(context: TestContext): Promise<void> {
    await this.#visitors.stop();
    const { served, retried, longestMs, lost } = this.#visitors;
    context.diagnostic(`${served} served, ${retried} retried, the longest took ${Math.round(longestMs)} ms`);
    assert.deepEqual(lost, []);
  }

  /** Asserts that each agent was in the last visits. */
  reachAll(visits: number): void {
    const reached = [...this.#visitors.lastServed(visits)].sort();
    assert.deepEqual(reached, [...this.#hosts].sort(), 'every agent is back');
  }
}
