/**
 * The tunnels of one session: Bind, StartTunnelWithLabel, Unbind and PatchTunnelState of an authenticated agent.
 * From the decision on a name to its claim is one turn, so that two binds for one name cannot both win.
 */
import type { MuxSession } from '@underpass/wire';
import { type BindRule, permitsHostname, permitsLabels } from '../core/bind-rule.ts';
import type { HostPattern } from '../core/hostname.ts';
import { suffixOf } from '../core/id.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import type { LiveSession } from '../online/online.ts';
import type { BindAnswer } from './answers.ts';
import {
  answeredOptions,
  type BindRequest,
  type EarlierBind,
  readBind,
  readEarlierBind,
  readLabelled,
  readPatch,
  readUnbind,
} from './bind.ts';
import type { IngressContext } from './context.ts';
import { shown } from './fields.ts';
import { chooseName, denial, isReserved, type Requester, randomName, wantedName } from './names.ts';
import { type StoppedTunnel, tellStopped } from './stopped.ts';
import { type AgentLink, type BoundName, Tunnel, type TunnelFacts } from './tunnel.ts';

const noLabels: ReadonlyMap<string, string> = new Map();
const randomNameBytes = 6;
/** Why a labelled tunnel that an agent had may no longer be. */
const labelRefusals: readonly ErrorName[] = ['bindLabelNotPermitted', 'sessionTunnelLimit'];

export interface SessionFacts {
  readonly live: LiveSession;
  /** What the agent is called in texts for people. */
  readonly agent: string;
  /** It proved that it had a session before. */
  readonly isBack: boolean;
  readonly rules: readonly BindRule[];
}

export class SessionTunnels {
  readonly #context: IngressContext;
  readonly #mux: MuxSession;
  readonly #link: AgentLink;
  readonly #session: LiveSession;
  readonly #facts: SessionFacts;
  readonly #byId = new Map<string, Tunnel>();
  #rules: readonly BindRule[];

  constructor(context: IngressContext, link: Pick<AgentLink, 'mux' | 'silence'>, facts: SessionFacts) {
    const { uptime, limits } = context;
    this.#context = context;
    this.#mux = link.mux;
    this.#link = { ...link, uptime, registerMs: limits.registerMs };
    this.#session = facts.live;
    this.#facts = facts;
    this.#rules = facts.rules;
  }

  /** What the agent is called in texts for people. */
  get agent(): string {
    return this.#facts.agent;
  }

  /**
   * Waits only while somebody else reserves the name that is asked for. An agent that is back and may no longer have what it
   * had is answered as if it had it, and then told that it is stopped: a refusal would cost it all its tunnels.
   */
  bind(body: unknown): BindAnswer | Promise<BindAnswer> {
    try {
      return this.#bind(body);
    } catch (error) {
      this.#countRefusal(error);
      const earlier = error instanceof Problem ? this.#hadBefore(body) : null;
      if (earlier === null) throw error;
      const answer = this.#answer(earlier, earlier.hostname, this.#context.ids.next('tn'));
      this.#tellStopped({ bindId: earlier.id, boundAt: this.#context.uptime() }, error as Problem);
      return answer;
    }
  }

  #bind(body: unknown): BindAnswer | Promise<BindAnswer> {
    const request = readBind(body);
    const asked = this.#askedFor(request);
    const { registry } = this.#context;
    const reserved = asked === null ? null : registry.beforeBind(asked, this.#session.account);
    if (reserved !== null) return reserved.then(() => this.bind(body));
    // The session may have ended while its bind waited.
    if (this.#mux.isClosed) throw new Problem('sessionSuperseded');
    const hostname = this.#nameFor(asked);
    const bindId = this.#bindIdFor(request, hostname);
    this.#refuseBeyondLimit(hostname);
    const id = this.#context.ids.next('tn');
    const { proto, forwardsTo, metadata, name, description } = request;
    const bound = {
      proto,
      hostname,
      publicUrl: this.#publicUrl(hostname),
      endpoint: `ep_${suffixOf(id)}`,
      name,
      description,
    };
    const loser = this.#start({ id, bindId, labels: noLabels, forwardsTo, metadata }, bound);
    const answer = this.#answer({ ...request, id: bindId }, hostname, id);
    if (loser === null) return answer;
    const notice = `The name ${hostname} was taken over from ${loser}, which had it with the same tunnel credential.`;
    return { ...answer, Extra: { ...answer.Extra, Notice: notice } };
  }

  /** A start that is refused is answered as a bind is, for agents that are back: it has no proof of its own. */
  startLabelled(body: unknown): { readonly Id: string; readonly Error: string } {
    const bindId = this.#makeId();
    try {
      const request = readLabelled(body);
      const problem = this.#labelDenial(request.labels);
      if (problem !== null) throw problem;
      this.#refuseBeyondLimit(null);
      this.#start({ ...request, id: this.#context.ids.next('tn'), bindId }, null);
    } catch (error) {
      this.#countRefusal(error);
      const mayNoLongerBe = error instanceof Problem && labelRefusals.includes(error.code);
      if (!mayNoLongerBe || !this.#facts.isBack) throw error;
      this.#tellStopped({ bindId, boundAt: this.#context.uptime() }, error);
    }
    return { Id: bindId, Error: '' };
  }

  unbind(body: unknown): { readonly Error: string } {
    const tunnel = this.#find(readUnbind(body));
    this.#byId.delete(tunnel.bindId);
    this.#context.registry.remove(tunnel);
    return { Error: '' };
  }

  patch(body: unknown): { readonly Error: string } {
    const patch = readPatch(body);
    const tunnel = this.#find(patch.tunnelId);
    if (patch.metadata !== null) tunnel.metadata = patch.metadata;
    if (tunnel.endpoint !== undefined) {
      if (patch.name !== null) tunnel.name = patch.name;
      if (patch.description !== null) tunnel.description = patch.description;
    }
    return { Error: '' };
  }

  /** Takes changed bind rules over and stops the tunnels that they no longer permit. */
  setRules(rules: readonly BindRule[]): void {
    this.#rules = rules;
    for (const tunnel of [...this.#byId.values()]) this.recheck(tunnel);
  }

  /** Stops a tunnel that would not be permitted now. */
  recheck(tunnel: Tunnel): void {
    const problem =
      tunnel.hostname === undefined
        ? this.#labelDenial(tunnel.labels)
        : denial(tunnel.hostname, this.#requester(), this.#context.settings, this.#context.reservations);
    if (problem !== null) this.stop(tunnel, problem);
  }

  /** Takes a tunnel offline at once, then tells the agent why. */
  stop(tunnel: Tunnel, reason: Problem): void {
    this.#context.registry.remove(tunnel);
    if (this.#byId.get(tunnel.bindId) !== tunnel) return;
    this.#byId.delete(tunnel.bindId);
    this.#tellStopped(tunnel, reason);
  }

  /** The session is over: everything goes offline, and names wait for the credential to come back. */
  lose(): void {
    const { registry, reservations } = this.#context;
    for (const tunnel of this.#byId.values()) {
      registry.lose(tunnel, tunnel.hostname !== undefined && isReserved(tunnel.hostname, reservations));
    }
    this.#byId.clear();
  }

  /** By name, or by a proof that it was given before; null: a random name. */
  #askedFor(request: BindRequest): HostPattern | null {
    const { settings, proofs } = this.#context;
    const proven = request.token === '' ? null : proofs.provenName(request.token, this.#session);
    if (request.token !== '' && proven === null) {
      throw new Problem('bindTokenInvalid', { credential: this.#session.credential });
    }
    return wantedName(request.requested, settings) ?? proven;
  }

  #nameFor(name: HostPattern | null): HostPattern {
    const { settings, reservations, registry, random } = this.#context;
    const requester = this.#requester();
    if (name !== null) return chooseName(name, requester, settings, reservations, registry.holder(name));
    const draw = () => random(randomNameBytes).toString('hex');
    return randomName(requester, settings, reservations, (candidate) => registry.holder(candidate), draw);
  }

  /** A bind with the id and the proof of one of an earlier session; null for any other. */
  #hadBefore(body: unknown): (EarlierBind & { readonly hostname: HostPattern }) | null {
    if (!this.#facts.isBack || this.#mux.isClosed) return null;
    const earlier = readEarlierBind(body);
    if (earlier === null || this.#byId.has(earlier.id)) return null;
    const hostname = this.#context.proofs.provenName(earlier.token, this.#session);
    if (hostname === null) return null;
    try {
      const asked = wantedName(earlier.requested, this.#context.settings);
      return asked === null || asked === hostname ? { ...earlier, hostname } : null;
    } catch {
      return null;
    }
  }

  #answer(
    { id, proto, options }: Pick<EarlierBind, 'id' | 'proto' | 'options'>,
    hostname: HostPattern,
    tunnelId: string,
  ): BindAnswer {
    const url = this.#publicUrl(hostname);
    return {
      Id: id,
      URL: url,
      Proto: proto,
      Opts: answeredOptions(options, hostname, url),
      Error: '',
      Extra: { Token: this.#context.proofs.bindToken(this.#session, hostname), TunnelID: tunnelId },
    };
  }

  #publicUrl(hostname: HostPattern): string {
    const { publicPort } = this.#context.settings;
    return `https://${hostname}${publicPort === 443 ? '' : `:${publicPort}`}`;
  }

  #tellStopped(tunnel: StoppedTunnel, reason: Problem): void {
    tellStopped(this.#mux, this.#context, tunnel, reason, () => this.#byId.has(tunnel.bindId));
  }

  #countRefusal(error: unknown): void {
    this.#context.refused('bind', error instanceof Problem ? error.code : 'internalError');
  }

  #requester(): Requester {
    const { account, credential } = this.#session;
    return { account, credential, permits: (name) => permitsHostname(this.#rules, name) };
  }

  #labelDenial(labels: ReadonlyMap<string, string>): Problem | null {
    const refused = [...labels].find((label) => !permitsLabels(this.#rules, new Map([label])));
    if (refused === undefined) return null;
    return new Problem('bindLabelNotPermitted', {
      credential: this.#session.credential,
      label: shown(refused.join('=')),
    });
  }

  /** An agent's own id must be new in the session, unless the same name is bound again. */
  #bindIdFor(request: BindRequest, hostname: HostPattern): string {
    if (request.id === '') return this.#makeId();
    const holder = this.#byId.get(request.id);
    if (holder !== undefined && holder.hostname !== hostname) {
      throw new Problem('bindIdTaken', { id: shown(request.id) });
    }
    return request.id;
  }

  #makeId(): string {
    return this.#context.random(16).toString('hex');
  }

  #refuseBeyondLimit(hostname: HostPattern | null): void {
    const limit = this.#context.limits.tunnelsPerSession;
    if (this.#byId.size < limit) return;
    const replaces = [...this.#byId.values()].some((tunnel) => tunnel.hostname === hostname);
    if (hostname === null || !replaces) throw new Problem('sessionTunnelLimit', { limit });
  }

  /** Answers what the other agent is called that had the name until now; null: none had it. */
  #start(
    own: Pick<TunnelFacts, 'id' | 'bindId' | 'labels' | 'forwardsTo' | 'metadata'>,
    name: BoundName | null,
  ): string | null {
    const { id, bindId, labels, forwardsTo, metadata } = own;
    const { account, credential, id: session, region } = this.#session;
    const { now, uptime, registry, superseded } = this.#context;
    const bound = { startedAt: new Date(now()), boundAt: uptime() };
    const facts = {
      ...{ id, bindId, labels, forwardsTo, metadata },
      ...{ account, credential, session, region, ...bound },
    };
    const tunnel = new Tunnel(this.#link, facts, name);
    const earlier = registry.add(tunnel);
    this.#byId.set(bindId, tunnel);
    if (earlier === null) return null;
    const isOwn = earlier.session === session;
    const loser = superseded(earlier, isOwn ? 'this agent' : this.#facts.agent);
    return isOwn ? null : loser;
  }

  /** By the bind's id, or by `tn_…`, which agents are told too. */
  #find(id: string): Tunnel {
    const tunnel = this.#byId.get(id) ?? [...this.#byId.values()].find((candidate) => candidate.id === id);
    if (tunnel === undefined) throw new Problem('tunnelUnknown', { id: shown(id) });
    return tunnel;
  }
}
