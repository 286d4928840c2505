/**
 * The tunnels of one session: Bind, StartTunnelWithLabel, Unbind and PatchTunnelState of an authenticated agent.
 * From the decision on a name to its claim is one turn, so that two binds for one name cannot both win.
 */
import { call, type MuxSession, StreamType } from '@underpass/wire';
import { type BindRule, permitsHostname, permitsLabels } from '../core/bind-rule.ts';
import type { HostPattern } from '../core/hostname.ts';
import { suffixOf } from '../core/id.ts';
import { errorCode, Problem } from '../errors/problem.ts';
import { type BindAnswer, errorText } from './answers.ts';
import { type BindRequest, effectiveOptions, readBind, readLabelled, readPatch, readUnbind } from './bind.ts';
import type { IngressContext } from './context.ts';
import { shown } from './fields.ts';
import { type Asker, chooseName, isReserved, objection, randomName, wantedName } from './names.ts';
import type { LiveSession } from './online.ts';
import { type BoundName, Tunnel } from './tunnel.ts';

const noLabels: ReadonlyMap<string, string> = new Map();
const randomNameBytes = 6;
const stopTimeoutMs = 10_000;

export class SessionTunnels {
  readonly #context: IngressContext;
  readonly #mux: MuxSession;
  readonly #session: LiveSession;
  readonly #byId = new Map<string, Tunnel>();
  #rules: readonly BindRule[];

  constructor(context: IngressContext, mux: MuxSession, session: LiveSession, rules: readonly BindRule[]) {
    this.#context = context;
    this.#mux = mux;
    this.#session = session;
    this.#rules = rules;
  }

  /** Waits only while somebody else reserves the name that is asked for. */
  bind(body: unknown): BindAnswer | Promise<BindAnswer> {
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
    const { publicPort } = this.#context.settings;
    const publicUrl = `https://${hostname}${publicPort === 443 ? '' : `:${publicPort}`}`;
    const id = this.#context.ids.next('tn');
    const endpoint = `ep_${suffixOf(id)}`;
    const { proto, name, description } = request;
    const bound = { proto, hostname, publicUrl, endpoint, name, description };
    this.#start(id, bindId, noLabels, request, bound);
    const token = this.#context.proofs.bindToken(this.#session, hostname);
    return {
      Id: bindId,
      URL: publicUrl,
      Proto: request.proto,
      Opts: effectiveOptions(request.options, hostname, publicUrl),
      Error: '',
      Extra: { Token: token, TunnelID: id },
    };
  }

  startLabelled(body: unknown): { readonly Id: string; readonly Error: string } {
    const request = readLabelled(body);
    const problem = this.#labelObjection(request.labels);
    if (problem !== null) throw problem;
    this.#refuseBeyondLimit(null);
    const bindId = this.#makeId();
    this.#start(this.#context.ids.next('tn'), bindId, request.labels, request, null);
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
        ? this.#labelObjection(tunnel.labels)
        : objection(tunnel.hostname, this.#asker(), this.#context.settings, this.#context.reservations);
    if (problem !== null) this.stop(tunnel, problem);
  }

  /** Takes a tunnel offline at once, then tells the agent why. */
  stop(tunnel: Tunnel, reason: Problem): void {
    this.#context.registry.remove(tunnel);
    if (this.#byId.get(tunnel.bindId) !== tunnel) return;
    this.#byId.delete(tunnel.bindId);
    const { errorPrefix } = this.#context.settings;
    const message = {
      Id: tunnel.bindId,
      Message: errorText(reason, errorPrefix),
      ErrorCode: errorCode(errorPrefix, reason.code),
    };
    // The agent may be gone or too old to know the message: it is offline either way.
    call(this.#mux, StreamType.stopTunnel, message, stopTimeoutMs).catch(() => {});
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
    return wantedName(request.wish, settings) ?? proven;
  }

  #nameFor(name: HostPattern | null): HostPattern {
    const { settings, reservations, registry, random } = this.#context;
    const asker = this.#asker();
    if (name !== null) return chooseName(name, asker, settings, reservations, registry.holder(name));
    const draw = () => random(randomNameBytes).toString('hex');
    return randomName(asker, settings, reservations, (candidate) => registry.holder(candidate), draw);
  }

  #asker(): Asker {
    const { account, credential } = this.#session;
    return { account, credential, permits: (name) => permitsHostname(this.#rules, name) };
  }

  #labelObjection(labels: ReadonlyMap<string, string>): Problem | null {
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

  #start(
    id: string,
    bindId: string,
    labels: ReadonlyMap<string, string>,
    request: { readonly forwardsTo: string; readonly metadata: string },
    name: BoundName | null,
  ): void {
    const { account, credential, id: session, region } = this.#session;
    const { forwardsTo, metadata } = request;
    const startedAt = new Date(this.#context.now());
    const facts = {
      id,
      bindId,
      account,
      credential,
      session,
      labels,
      forwardsTo,
      metadata,
      region,
      startedAt,
    };
    const tunnel = new Tunnel(this.#mux, facts, name);
    const earlier = this.#context.registry.add(tunnel);
    this.#byId.set(bindId, tunnel);
    if (earlier?.hostname !== undefined) {
      this.#context.displaced(earlier, new Problem('tunnelSuperseded', { name: earlier.hostname }));
    }
  }

  /** By the bind's id, or by `tn_…`, which agents are told too. */
  #find(id: string): Tunnel {
    const tunnel = this.#byId.get(id) ?? [...this.#byId.values()].find((candidate) => candidate.id === id);
    if (tunnel === undefined) throw new Problem('tunnelUnknown', { id: shown(id) });
    return tunnel;
  }
}
