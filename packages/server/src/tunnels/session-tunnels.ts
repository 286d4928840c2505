/**
 * Binds, changes and ends the tunnels of one session, with any carrier.
 * Invariant: a tunnel comes online only if it is permitted in that same turn. After every wait of a bind, all is
 * decided once more when it has its name.
 */

import { suffixOf } from '../core/id.ts';
import { type BindRule, permitsAddress, permitsHostname, permitsLabels } from '../core/names/bind-rule.ts';
import { type Slot, type Target, tcpPort } from '../core/names/bind-target.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import { tcpName } from '../core/service-names.ts';
import { Problem } from '../errors/problem.ts';
import type { AgentModules } from '../online/agent-modules.ts';
import { conflictOf } from '../online/conflict.ts';
import type { SessionFacts } from '../online/session.ts';
import type { Changeable, TunnelFacts, TunnelProtocol } from '../online/tunnel-facts.ts';
import { type Address, randomPort } from './addresses.ts';
import type { BindRequest, LabelledRequest, TunnelPatch } from './bind.ts';
import type { Carrier } from './carrier.ts';
import { placeOf } from './changes.ts';
import type { IngressContext } from './context.ts';
import type { Claimant } from './directory/decide.ts';
import type { TunnelEntry } from './directory/entry.ts';
import { isReserved, randomName } from './names.ts';
import { shown } from './options/fields.ts';
import { behaviourText, servesAlike } from './sharing.ts';
import {
  addressTarget,
  nameTarget,
  provenTarget,
  type TargetRequester,
  targetDenial,
  wantedTarget,
} from './target.ts';
import { Tunnel, type TunnelParts } from './tunnel.ts';

const noLabels: TunnelFacts['labels'] = {};
const randomNameBytes = 6;
/** Number of hosts, as for reserved addresses. */
const tcpHosts = 9;
/** Number of indistinguishable labelled tunnels of one session that get their ids again after a reconnect. */
const alikeTunnels = 32;
/** A port that is drawn may just be reserved through the API. */
const reserveDraws = 8;
/** Milliseconds after the agent ended a tunnel, in which open requests may finish. It accepts no new ones. */
const unboundFinishMs = 5000;

export interface TunnelOwner {
  readonly session: SessionFacts;
  /** The agent's name in texts for people. */
  readonly agent: string;
  readonly rules: readonly BindRule[];
}

export interface Bound {
  /** `tn_…` */
  readonly id: string;
  readonly bindId: string;
  readonly target: Target;
  /** Name of the other agent that had the target until now; null if none had it. */
  readonly loser: string | null;
}

/** A random TCP address that is kept for a bind. */
export interface ReservedAddress {
  readonly text: string;
  readonly port: number;
  /** Idempotent. */
  release(): void;
}

/** Facts of a tunnel that do not come from its bind. */
type OfSession = Pick<
  TunnelFacts,
  'account' | 'credential' | 'session' | 'clientId' | 'region' | 'node' | 'startedAt'
>;

type OfTunnel = Pick<TunnelParts, 'facts' | 'modules' | 'termination'>;
type StartedParts = OfTunnel & Pick<TunnelParts, 'grant'>;

/** A bind that waits for its name. */
interface WaitingBind {
  /** '' when the service is to make one. */
  readonly id: string;
  isWithdrawn: boolean;
}

export class SessionTunnels {
  readonly #context: IngressContext;
  readonly #carrier: Carrier;
  readonly #session: SessionFacts;
  readonly #agent: string;
  readonly #byId = new Map<string, Tunnel>();
  readonly #waiting = new Set<WaitingBind>();
  /** Binds that the service ended, at most as many as tunnels: not every agent understands the notification. */
  readonly #stopped = new Set<string>();
  #rules: readonly BindRule[];
  #isOver = false;
  /** Tunnels that ended with the session. */
  #lost: readonly Tunnel[] = [];

  constructor(context: IngressContext, carrier: Carrier, { session, agent, rules }: TunnelOwner) {
    this.#context = context;
    this.#carrier = carrier;
    this.#session = session;
    this.#agent = agent;
    this.#rules = rules;
  }

  /** The agent's name in texts for people. */
  get agent(): string {
    return this.#agent;
  }

  /** True if requests or connections of lost tunnels are under way. */
  get isFinishing(): boolean {
    return this.#lost.some(({ outstanding }) => outstanding > 0);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  has(bindId: string): boolean {
    return this.#byId.has(bindId);
  }

  /** Puts a tunnel online with the requested name, or with a random one. Raises Problem. */
  async bind(asked: BindRequest): Promise<Bound> {
    const bind: WaitingBind = { id: asked.id, isWithdrawn: false };
    this.#waiting.add(bind);
    try {
      const target = this.#targetFor(asked);
      const request = this.#asChanged(asked, asked.id, target.slot);
      if (target.kind === 'name' && target.isPlain && request.modules.mutual_tls !== undefined)
        throw new Problem('bindMutualTlsPlain');
      this.#refuseBeforeClaim(request, target);
      const own = this.#boundFacts(request, target);
      const { modules, termination } = request;
      const describe = () => this.#entryOf({ facts: own, modules, termination });
      const grant = await this.#context.claims.claim(target.key, own, describe);
      try {
        if (this.#isOver) throw new Problem('sessionSuperseded');
        if (bind.isWithdrawn) throw new Problem('bindWithdrawn', { name: target.text });
        return this.#goOnline({ facts: own, modules, termination, grant }, request, target);
      } finally {
        this.#context.claims.release(grant);
      }
    } finally {
      this.#waiting.delete(bind);
    }
  }

  /** Raises the Problem that a bind would meet at this moment because of its name. */
  check(asked: BindRequest): void {
    const target = this.#targetFor(asked);
    const problem = this.#context.claims.denial(target.key, this.#wish(asked));
    if (problem !== null) throw problem;
  }

  /** Keeps a random TCP address, which a bind of this session may then name. Raises Problem. */
  reserveAddress(): ReservedAddress {
    const { claims, settings } = this.#context;
    for (let count = 0; count < reserveDraws; count += 1) {
      const address = this.#randomAddress();
      const target = addressTarget(address);
      const grant = claims.claimFree(target.key, this.#wish({ id: '', isPooled: false }));
      if (grant === null) continue;
      return { text: target.text, port: address.port, release: () => claims.release(grant) };
    }
    throw new Problem('bindPortsExhausted', settings.tcpPorts);
  }

  /** Raises Problem. */
  startLabelled(request: LabelledRequest, bindId: string): void {
    const problem = this.#labelDenial(request.labels);
    if (problem !== null) throw problem;
    const { metadata } = this.#asChanged(request, bindId, null);
    const { labels, forwardsTo, speaksHttp2 } = request;
    const own = { id: this.#context.ids.next('tn'), bindId, forwardsTo, speaksHttp2, metadata };
    const given = { ...own, labels: Object.fromEntries(labels), endpoint: null, isPooled: false };
    const facts = { ...given, ...this.#ofSession() };
    const { tunnel } = this.#start({ facts, modules: {}, termination: null, grant: null });
    this.#context.claims.publish(tunnel, () => this.#entryOf(tunnel));
  }

  /** Ends a tunnel, and a bind with that id that still waits for its name; one that the service has ended is. Raises Problem. */
  unbind(id: string): void {
    const waiting = [...this.#waiting].filter((bind) => bind.id === id && id !== '');
    for (const bind of waiting) bind.isWithdrawn = true;
    // Any number of times: some agents end a tunnel after its notification, and once more when their user does.
    const isKnownToEnd = waiting.length > 0 || this.#stopped.has(id);
    if (isKnownToEnd && !this.#byId.has(id)) return;
    const tunnel = this.#find(id);
    this.#byId.delete(tunnel.bindId);
    this.#context.changes.forget(placeOf(tunnel.facts));
    this.#context.registry.remove(tunnel, unboundFinishMs);
    this.#context.unbound(tunnel);
  }

  /** Its agent, which has several connections, ended it in another one. */
  unboundElsewhere(bindId: string): void {
    const tunnel = this.#byId.get(bindId);
    if (tunnel === undefined) return;
    this.#byId.delete(bindId);
    this.#noteStopped(bindId);
    this.#context.registry.remove(tunnel, unboundFinishMs);
  }

  patch(patch: TunnelPatch): void {
    const tunnel = this.#find(patch.tunnelId);
    const before = tunnel.changeable;
    tunnel.change(patch);
    const { changes, now, changed } = this.#context;
    changes.note(placeOf(tunnel.facts), before, tunnel.changeable, now());
    this.#describeAgain(tunnel);
    changed(tunnel, patch);
  }

  /** Its agent, which has several connections, changed it in another one. */
  changedElsewhere(bindId: string, patch: Omit<TunnelPatch, 'tunnelId'>): void {
    const tunnel = this.#byId.get(bindId);
    if (tunnel === undefined) return;
    tunnel.change(patch);
    this.#describeAgain(tunnel);
  }

  #describeAgain(tunnel: Tunnel): void {
    this.#context.claims.changed(tunnel, () => this.#entryOf(tunnel));
  }

  /** Takes changed bind rules over and stops the tunnels that they no longer permit. */
  setRules(rules: readonly BindRule[]): void {
    this.#rules = rules;
    for (const tunnel of [...this.#byId.values()]) this.recheck(tunnel);
  }

  /** Stops a tunnel that would not be permitted now. */
  recheck(tunnel: Tunnel): void {
    const { endpoint, labels } = tunnel.facts;
    const problem = endpoint === null ? this.#labelDenial(Object.entries(labels)) : this.#denial(endpoint);
    if (problem !== null) this.stop(tunnel, problem);
  }

  /** Takes a tunnel offline at once, then notifies the agent with the reason. */
  stop(tunnel: Tunnel, reason: Problem): void {
    this.#context.registry.remove(tunnel);
    if (this.#byId.get(tunnel.bindId) !== tunnel) return;
    this.#byId.delete(tunnel.bindId);
    this.#context.changes.forget(placeOf(tunnel.facts));
    this.tellStopped(tunnel, reason);
  }

  /** Notifies the agent that the tunnel with that id has ended. */
  tellStopped({ bindId, boundAt }: Pick<Tunnel, 'bindId' | 'boundAt'>, reason: Problem): void {
    this.#noteStopped(bindId);
    this.#carrier.stop({ bindId, boundAt, isBoundAgain: () => this.#byId.has(bindId) }, reason);
  }

  /**
   * Call it after the end of the session: all tunnels go offline, and leases hold their names for the credential.
   * Requests that are under way may finish for so many milliseconds.
   */
  lose(finishMs = 0): void {
    this.#isOver = true;
    const { registry, reservations, claims } = this.#context;
    claims.cancel(this.#session.id);
    this.#lost = [...this.#byId.values()];
    for (const tunnel of this.#lost) {
      const { endpoint } = tunnel.facts;
      if (endpoint !== null) this.#context.lost(endpoint.key);
      registry.lose(tunnel, endpoint !== null && isReserved(endpoint.key, reservations), finishMs);
    }
    this.#byId.clear();
  }

  /**
   * Returns the same id for the same tunnel after a reconnect, and in all connections of one agent. Agents send no id
   * with the labels, and end the tunnel by the first id of a response.
   */
  labelledId({ labels, forwardsTo, speaksHttp2, metadata }: LabelledRequest): string {
    const { proofs, random } = this.#context;
    const sorted = [...labels].sort(([one], [other]) => (one < other ? -1 : 1));
    for (let place = 0; place < alikeTunnels; place += 1) {
      const subject = [this.#session.clientId, sorted, forwardsTo, speaksHttp2, metadata, place];
      const id = proofs.bindId(this.#session, JSON.stringify(subject));
      if (!this.#byId.has(id)) return id;
    }
    return random(16).toString('hex');
  }

  /** A bind of a tunnel that the agent has had in another session, or has in another connection, with what it changed of it since. */
  #asChanged<Request extends Partial<Changeable>>(
    request: Request,
    bindId: string,
    slot: Slot | null,
  ): Request {
    if (bindId === '' || this.#byId.has(bindId)) return request;
    const { account, clientId } = this.#session;
    return this.#context.changes.applied({ account, clientId, bindId, slot }, request);
  }

  /** Returns the requested target, the one of a proof, or a random one. Raises Problem. */
  #targetFor(asked: BindRequest): Target {
    const { requested, token } = asked;
    const { settings } = this.#context;
    const proven = token === '' ? null : this.#proven(token, requested.proto);
    const target = wantedTarget(requested, settings, proven) ?? proven;
    if (target === null) return this.#randomTarget(requested.proto);
    const problem = this.#denial(target) ?? this.#choiceDenial(target, proven, asked);
    if (problem !== null) throw problem;
    return target;
  }

  #proven(token: string, proto: TunnelProtocol): Target {
    const { settings, proofs } = this.#context;
    const text = proofs.provenTarget(token, this.#session);
    const target = text === null ? null : provenTarget(text, proto, settings);
    if (target === null) throw new Problem('bindTokenInvalid', { credential: this.#session.credential });
    return target;
  }

  #randomTarget(proto: TunnelProtocol): Target {
    const { settings, reservations, claims, random } = this.#context;
    if (proto === 'tcp') return addressTarget(this.#randomAddress());
    const draw = () => random(randomNameBytes).toString('hex');
    const isFree = (candidate: HostPattern) => claims.isFree(candidate);
    const name = randomName(this.#requester(), settings, reservations, isFree, draw);
    return nameTarget(name, proto, settings);
  }

  #randomAddress(): Address {
    const { settings, reservations, claims, random, isPortFree } = this.#context;
    const { credential } = this.#session;
    if (!permitsAddress(this.#rules, null))
      throw new Problem('bindRandomAddressNotPermitted', { credential });
    const { first, last } = settings.tcpPorts;
    const draw = () => first + (random(4).readUInt32BE() % (last - first + 1));
    const isTaken = (port: number) =>
      !claims.isFree(tcpPort(port)) || reservations.reservedAddress(port) !== undefined || !isPortFree(port);
    const port = randomPort(settings.tcpPorts, draw, isTaken);
    return { hostname: tcpName(random(1).readUInt8() % tcpHosts, settings.region, settings), port };
  }

  /** Only who has reserved an address, had a random one, or shares it, may choose it. */
  #choiceDenial(target: Target, proven: Target | null, asked: BindRequest): Problem | null {
    if (target.kind === 'name' || target.text === proven?.text) return null;
    const { claims, reservations } = this.#context;
    if (reservations.reservedAddress(target.port) !== undefined) return null;
    if (claims.isOpenTo(target.key, this.#wish(asked))) return null;
    return new Problem('bindAddressNotReserved', { name: target.text });
  }

  /** A claim may end the tunnel of another agent, so a bind that would fail after it is refused before. Raises Problem. */
  #refuseBeforeClaim(request: BindRequest, target: Target): void {
    const { claims, limits } = this.#context;
    // The reason that visitors of the name are served by others comes first.
    if (claims.denial(target.key, this.#wish(request)) !== null) return;
    this.#refuseConflict(request.modules, target);
    this.#refuseTakenId(request, target);
    if (this.#byId.size < limits.tunnelsPerSession) return;
    const hasSlot = [...this.#byId.values()].some(({ facts }) => facts.endpoint?.slot === target.slot);
    if (!hasSlot) throw new Problem('sessionTunnelLimit', { limit: limits.tunnelsPerSession });
  }

  /** Returns the facts of the tunnel that the bind will have. A bind without an id is identified by its tunnel. */
  #boundFacts(request: BindRequest, target: Target): TunnelFacts {
    const { proofs, ids } = this.#context;
    const id = ids.next('tn');
    const bindId = request.id === '' ? proofs.bindId(this.#session, id) : request.id;
    const { proto, forwardsTo, speaksHttp2, metadata, name, description, proxyProtocol, isPooled } = request;
    const endpoint = { ...target, id: `ep_${suffixOf(id)}`, proto, name, description, proxyProtocol };
    const own = { id, bindId, labels: noLabels, forwardsTo, speaksHttp2, metadata, endpoint, isPooled };
    return { ...own, ...this.#ofSession() };
  }

  #ofSession(): OfSession {
    const { account, credential, id: session, clientId, region, node } = this.#session;
    return { account, credential, session, clientId, region, node, startedAt: this.#context.now() };
  }

  /** Describes a tunnel to the other daemons. */
  #entryOf(parts: OfTunnel): TunnelEntry {
    const { facts, modules, termination } = parts;
    const { capacity = null, hidesDials, refusesForNow = false } = this.#carrier;
    const { wantsRefusals = false, wantsVisits = false } = this.#carrier;
    const hasModules = termination !== null || Object.keys(modules).length > 0;
    const behaviour = this.#context.proofs.behaviour(facts, behaviourText(parts));
    const ofCarrier = { capacity, hidesDials, refusesForNow, wantsRefusals, wantsVisits };
    const { bound = null, changedAt = 0 } = this.#context.changes.get(placeOf(facts)) ?? {};
    return { kind: 'tunnel', facts, ...ofCarrier, hasModules, behaviour, bound, changedAt };
  }

  #goOnline(parts: StartedParts, request: BindRequest, target: Target): Bound {
    const problem = this.#denial(target);
    if (problem !== null) throw problem;
    this.#refuseConflict(request.modules, target);
    this.#refuseTakenId(request, target);
    const { loser } = this.#start(parts);
    const { id, bindId } = parts.facts;
    return { id, bindId, target, loser };
  }

  /** Otherwise visitors would get the error, and not the owner, who can resolve it. */
  #refuseConflict(modules: AgentModules, { key }: Target): void {
    const module = conflictOf(modules, this.#context.reservations.configurationOf(key) ?? {});
    if (module === null) return;
    const name = module === 'ip_restriction' ? 'bindAddressesConfigured' : 'bindModuleConfigured';
    throw new Problem(name, { module });
  }

  #wish({ id, isPooled }: Pick<BindRequest, 'id' | 'isPooled'>, slot: Slot | null = null): Claimant {
    const { account, credential, id: session, clientId } = this.#session;
    const endpoint = slot === null ? null : { slot };
    return { account, credential, session, clientId, isPooled, bindId: id, endpoint };
  }

  #requester(): TargetRequester {
    const { account, credential } = this.#session;
    return {
      account,
      credential,
      permits: (name) => permitsHostname(this.#rules, name),
      permitsAddress: (address) => permitsAddress(this.#rules, address),
    };
  }

  #denial(target: Target): Problem | null {
    const { settings, reservations } = this.#context;
    return targetDenial(target, this.#requester(), settings, reservations);
  }

  #labelDenial(labels: Iterable<readonly [string, string]>): Problem | null {
    const refused = [...labels].find((label) => !permitsLabels(this.#rules, new Map([label])));
    if (refused === undefined) return null;
    return new Problem('bindLabelNotPermitted', {
      credential: this.#session.credential,
      label: shown(refused.join('=')),
    });
  }

  /** An agent's own id must be new in the session, unless it binds the same name again. Raises Problem. */
  #refuseTakenId({ id }: BindRequest, { slot }: Target): void {
    const holder = id === '' ? undefined : this.#byId.get(id);
    if (holder !== undefined && holder.facts.endpoint?.slot !== slot)
      throw new Problem('bindIdTaken', { id: shown(id) });
  }

  #refuseBeyondLimit(tunnel: Tunnel): void {
    const limit = this.#context.limits.tunnelsPerSession;
    if (this.#byId.size < limit) return;
    const isOwn = ({ session }: Tunnel) => session === tunnel.session;
    if (!this.#context.registry.effectOf(tunnel).replaces.some(isOwn))
      throw new Problem('sessionTunnelLimit', { limit });
  }

  #refuseUnlike(tunnel: Tunnel): void {
    const [other] = this.#context.registry.effectOf(tunnel).joins;
    if (other !== undefined && !servesAlike(other, tunnel))
      throw new Problem('bindSharedUnlike', { name: tunnel.facts.endpoint?.text ?? '' });
  }

  /** `loser`: what the other agent is called that had the name until now; null: none had it. Raises Problem. */
  #start(parts: StartedParts): { readonly tunnel: Tunnel; readonly loser: string | null } {
    const { claims, uptime, registry, superseded } = this.#context;
    const mayServe = () => claims.serves;
    const tunnel = new Tunnel(this.#carrier, uptime, { ...parts, boundAt: uptime(), mayServe });
    this.#refuseBeyondLimit(tunnel);
    this.#refuseUnlike(tunnel);
    const replaced = registry.add(tunnel);
    this.#byId.set(tunnel.bindId, tunnel);
    this.#stopped.delete(tunnel.bindId);
    let loser: string | null = null;
    for (const one of replaced) {
      if (one.session === tunnel.session) superseded(one, 'this agent');
      else loser = superseded(one, this.#agent);
    }
    return { tunnel, loser };
  }

  #noteStopped(bindId: string): void {
    const [oldest] = this.#stopped;
    if (oldest !== undefined && this.#stopped.size >= this.#context.limits.tunnelsPerSession)
      this.#stopped.delete(oldest);
    this.#stopped.add(bindId);
  }

  /** Finds by the bind's id, or by `tn_…`. Agents learn both, and use the first one. */
  #find(id: string): Tunnel {
    const tunnel =
      this.#byId.get(id) ??
      [...this.#byId.values()].find((candidate) => candidate.id === id) ??
      this.#byId.get(this.#context.proofs.bindId(this.#session, id));
    if (tunnel === undefined) throw new Problem('tunnelUnknown', { id: shown(id) });
    return tunnel;
  }
}
