/**
 * Accepts agents: sessions, their tunnels, and the effects on both of changes to credentials, owners, reservations
 * and edges.
 * Invariant: a change reaches every live session that it concerns.
 */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { ByteBudget } from '@underpass/wire';
import type { Logger } from 'pino';
import { storedRules } from '../access/tokens.ts';
import { IdSequence } from '../core/id.ts';
import { type ConnectionAddresses, ipOf, sourceKey } from '../core/ip/client-address.ts';
import { type BindTarget, patternsAbove } from '../core/names/bind-target.ts';
import type { Change, KindName, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import type { Peers } from '../link/peers.ts';
import type { Changeable } from '../online/tunnel-facts.ts';
import { Visits } from '../online/visits.ts';
import { failureLog } from '../store/outage-log.ts';
import type { TunnelPatch } from './bind.ts';
import { type BindTest, type BindVerdict, judgeBind } from './bind-test.ts';
import { BoundNames } from './bound-names.ts';
import { type BindPlace, Changes } from './changes.ts';
import type { Claims } from './claims.ts';
import type { Arrival, IngressContext, IngressSettings } from './context.ts';
import { targetOf } from './directory/stored.ts';
import {
  type CredentialDocument,
  credentialKinds,
  FollowedCredentials,
  isCredential,
} from './followed-credentials.ts';
import type { DirectoryOptions, IngressOptions } from './ingress-options.ts';
import { defaultLimits } from './limits.ts';
import type { Session, SessionObserver, SessionWatcher } from './live-session.ts';
import { LiveSessions } from './live-sessions.ts';
import { LocalClaims } from './local-claims.ts';
import { isReserved } from './names.ts';
import { Proofs } from './proofs.ts';
import { RefusalRoom } from './refusal-room.ts';
import { Registry } from './registry.ts';
import { RemoteTunnels } from './remote/remote-tunnels.ts';
import { endReplaced, servePeers } from './remote/served-peers.ts';
import { Reservations } from './reservations.ts';
import { AgentSession } from './session.ts';
import type { SessionParts } from './session-parts.ts';
import { SessionQuotas } from './session-quotas.ts';
import type { SessionTunnels } from './session-tunnels.ts';
import { fencedAs, SharedClaims } from './shared-claims.ts';
import type { SharedDirectory } from './shared-directory.ts';
import { Rounds, silentRounds } from './silence-watch.ts';
import { targetDenial } from './target.ts';
import type { Tunnel } from './tunnel.ts';
import { Unauthenticated } from './unauthenticated.ts';
import { UsefulConnections } from './useful-connections.ts';

/** Kinds of documents that the ingress follows. */
export const ingressKinds: readonly KindName[] = [
  ...credentialKinds,
  'reserved_domain',
  'reserved_addr',
  'endpoint_configuration',
  'tls_edge',
  'https_edge',
  'tcp_edge',
];
const reservedElsewhere: readonly ErrorName[] = ['bindNameReservedElsewhere', 'bindAddressReservedElsewhere'];

export class Ingress {
  readonly online: Registry;
  readonly claims: Claims;
  /** Null: this is the only daemon. */
  readonly directory: SharedDirectory | null;
  /** Sessions and tunnels of other daemons; null: this is the only one. */
  readonly others: RemoteTunnels | null;
  /** Links to other daemons; null: this is the only one. */
  readonly peers: Peers | null;
  readonly #shared: SharedClaims | null;
  #onLost: (name: BindTarget) => void = () => {};
  /** True: agents that come are sent away, and try again, which leads them to other daemons. */
  sendsAway = false;
  /** Visits of tunnels, for the users of SSH clients. */
  readonly visits = new Visits();
  readonly #watcher: SessionWatcher = {
    online: (session) => this.#online(session),
    over: (session, reason) => this.#over(session, reason),
  };
  readonly #observer: SessionObserver | undefined;
  readonly #context: IngressContext;
  readonly #reservations: Reservations;
  readonly #credentials = new FollowedCredentials();
  readonly #rounds = new Rounds();
  /** Every connection, authenticated or not. */
  readonly #connections = new Set<Session>();
  readonly #unauthenticated: Unauthenticated<Session>;
  readonly #quotas: SessionQuotas;
  readonly #sessions = new LiveSessions();
  readonly #useful: UsefulConnections;
  #credentialChanges = 0;
  #following: { stop(): Promise<void> } | null = null;
  #closing = false;
  /** Sessions end with the life of this daemon in the directory. */
  #areReported = false;
  #emptied: (() => void) | null = null;

  /** Knows all credentials, reservations and edges before it takes a connection. */
  static async start(options: IngressOptions): Promise<Ingress> {
    const ingress = new Ingress(options);
    await ingress.claims.start();
    ingress.#following = await followDocuments(
      options.store,
      ingressKinds,
      {
        reset: (documents) => ingress.#reset(documents),
        apply: (changes) => ingress.#apply(changes),
      },
      { onError: failureLog(options.log, 'following credentials and names failed') },
    );
    options.restrictions.onChange(() => ingress.#recheckSources());
    return ingress;
  }

  private constructor(options: IngressOptions) {
    this.#observer = options.observer;
    const limits = { ...defaultLimits, ...options.limits };
    this.#rounds.start(limits.silentMs / silentRounds);
    this.#unauthenticated = new Unauthenticated({
      inAll: limits.unauthenticated,
      perSource: limits.unauthenticatedPerSource,
    });
    this.#quotas = new SessionQuotas(limits);
    const changes = new Changes();
    const uptime = options.uptime ?? (() => performance.now());
    const names = new BoundNames();
    this.#reservations = new Reservations();
    const local = new LocalClaims({ bound: names, now: uptime });
    const { directory } = options;
    const shared =
      directory === undefined ? null : this.#sharedClaims(local, changes, directory, options.log);
    this.claims = shared ?? local;
    this.directory = shared;
    this.#shared = shared;
    this.online = new Registry({ names, claims: this.claims });
    this.peers = directory?.peers ?? null;
    this.others = shared === null ? null : this.#otherDaemons(shared, directory!.peers, options.settings);
    this.#useful = UsefulConnections.start(shared, this.peers);
    this.#context = {
      store: options.store,
      credentials: this.#credentials,
      settings: options.settings,
      registry: this.online,
      claims: this.claims,
      reservations: this.#reservations,
      restrictions: options.restrictions,
      proofs: new Proofs(options.bindTokenKey),
      changes,
      ids: new IdSequence({ now: Date.now, random: randomBytes }),
      log: options.log,
      now: Date.now,
      uptime,
      random: randomBytes,
      isPortFree: options.isPortFree ?? (() => true),
      version: options.version,
      limits,
      budgets: {
        unauthenticated: new ByteBudget(limits.unauthenticatedBytesInAll),
        requests: new ByteBudget(limits.requestBytesInAll),
        queued: new ByteBudget(limits.queuedBytesInAll),
      },
      refusalRoom: new RefusalRoom(),
      connections: this.#useful,
      refused: options.refused ?? (() => {}),
      admit: (arrival) => this.#admit(arrival),
      rounds: this.#rounds,
      credentialChanges: () => this.#credentialChanges,
      lost: (name) => this.#onLost(name),
      superseded: (tunnel, by) => this.#superseded(tunnel, by),
      unbound: (tunnel) => this.#unbound(tunnel),
      changed: (tunnel, patch) => this.#changed(tunnel, patch),
    };
  }

  #sharedClaims(
    local: LocalClaims,
    changes: Changes,
    directory: DirectoryOptions,
    log: Logger,
  ): SharedClaims {
    return new SharedClaims({
      ...directory,
      local,
      now: () => ({ uptime: performance.now(), wall: Date.now() }),
      isReserved: (name) => isReserved(name, this.#reservations),
      failed: failureLog(log, 'claims of names in the database failed'),
      quotas: this.#quotas,
      over: (tunnel, reason) => {
        if (reason === null) this.#superseded(tunnel, 'another agent');
        else this.#tunnelsOf(tunnel)?.unboundElsewhere(tunnel.bindId);
        this.online.remove(tunnel);
      },
      changes,
      changed: (place, now) => this.#changedElsewhere(place, now),
      sessionOver: (id) => this.#sessions.get(id)?.end(new Problem('sessionSuperseded')),
      fenced: (reason) => this.#fenced(reason),
      replaced: (numbers) => endReplaced(directory.peers, numbers),
      ended: (sessions) => {
        for (const one of sessions)
          this.#observer?.stopped(one, 'the daemon that it was connected to has ended');
      },
    });
  }

  /**
   * Calls the listener for each name that lost its agent, or its daemon, and may come back in a moment. The first names are
   * those that are held now, because their agents may be on their way from a daemon that has left.
   */
  whenLost(listener: (name: BindTarget) => void): void {
    this.#onLost = listener;
    for (const key of this.#shared?.keys() ?? []) this.#lostIfHeld(key);
  }

  #lostIfHeld(key: string): void {
    const name = targetOf(key);
    if (name !== null && this.#shared?.heldFor(name) !== undefined) this.#onLost(name);
  }

  /** Makes sessions and tunnels of other daemons known here, and those of this one to others. */
  #otherDaemons(directory: SharedClaims, peers: Peers, { region }: IngressSettings): RemoteTunnels {
    const { online, visits } = this;
    const lost = (name: BindTarget): void => this.#onLost(name);
    // Visitors wait as soon as the tunnel leaves.
    directory.onRows((key) => this.#lostIfHeld(key));
    const remote = new RemoteTunnels({ directory, peers, table: online, visits, region, lost });
    online.include(remote);
    const session = (id: string, account: string) => online.ownSession(id, account);
    const tunnelOf = (number: number) => directory.tunnelOf(number);
    const endReplaced = (numbers: readonly number[]) => directory.endReplaced(numbers);
    servePeers(peers, { tunnelOf, session, endReplaced }, visits);
    return remote;
  }

  /** Ends all connections of agents, which connect again. */
  #fenced(reason: keyof typeof fencedAs): void {
    // The daemon that ends the life of this one reports the sessions that have rows.
    this.#areReported = reason === 'dead' || reason === 'isolated';
    for (const session of [...this.#connections]) session.end(new Problem(fencedAs[reason]));
    this.#areReported = false;
  }

  /** Sessions of agents, oldest first. */
  get sessions(): readonly Session[] {
    return this.#sessions.all;
  }

  get counts(): { readonly sessions: number; readonly tunnels: number } {
    return this.online.counts;
  }

  /** Number of other daemons that cannot be reached at the moment. */
  get unreachable(): number {
    let count = 0;
    for (const { isUp } of this.peers?.all() ?? []) if (!isUp) count += 1;
    return count;
  }

  /** Returns the verdict on a bind that no agent requests. Raises Problem for a text that is none. */
  testBind(test: BindTest): BindVerdict {
    return judgeBind(test, this.#context.settings, this.#reservations);
  }

  /** Takes over a connection whose TLS handshake is done. */
  serve(socket: TLSSocket, addresses: ConnectionAddresses): void {
    this.take(
      socket,
      addresses,
      ({ context, watcher }) => new AgentSession(context, watcher, socket, addresses),
    );
  }

  /** Takes over a connection of any kind, whose session `begin` makes. */
  take(socket: Socket, { clientAddr }: ConnectionAddresses, begin: (parts: SessionParts) => Session): void {
    if (this.#closing) {
      socket.destroy();
      return;
    }
    const session = begin({ context: this.#context, watcher: this.#watcher, visits: this.visits });
    this.#connections.add(session);
    if (this.directory?.isolated.is === true) session.drop(new Problem('sessionNodeIsolated'));
    else if (this.sendsAway) session.drop(new Problem('serviceStopping'));
    const longestWaiting = this.#unauthenticated.add(session, sourceKey(ipOf(clientAddr)));
    longestWaiting?.drop(new Problem('unauthenticatedTooMany'));
    socket.once('close', () => {
      this.#connections.delete(session);
      this.#unauthenticated.delete(session);
      if (this.#connections.size === 0) this.#emptied?.();
    });
  }

  /** Ends every session with GOAWAY, gives the connections `deadlineMs` to close, and then closes them. */
  async close(deadlineMs: number): Promise<void> {
    this.#closing = true;
    for (const session of [...this.#connections]) session.end(new Problem('serviceStopping'));
    await this.#allClosed(deadlineMs);
    for (const session of this.#connections) session.destroy();
    this.#rounds.stop();
    this.#useful.stop();
    await this.#following?.stop();
    await this.claims.stop();
  }

  #allClosed(deadlineMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#connections.size === 0) resolve();
    const deadline = setTimeout(resolve, deadlineMs);
    this.#emptied = resolve;
    return promise.finally(() => clearTimeout(deadline));
  }

  #admit(arrival: Arrival): void {
    if (this.#formerOf(arrival).length > 0) return;
    const isTaken = arrival.wantsOtherDaemon && this.#sessions.ofAgent(arrival.clientId).length > 0;
    if (isTaken) throw new Problem('sessionDaemonTaken');
    if (this.#shared?.sessions.isElsewhere(arrival) !== true) this.#quotas.check(arrival);
  }

  /** Returns sessions of former connections of the same agent. */
  #formerOf({ clientId, leg }: Pick<Arrival, 'clientId' | 'leg'>): readonly Session[] {
    return this.#sessions.ofAgent(clientId).filter(({ identity }) => identity?.facts.leg === leg);
  }

  #online(session: Session): void {
    if (session.identity === null) return;
    const { facts } = session.identity;
    this.#unauthenticated.delete(session);
    // The same agent is back: what is left of its former connection is not waited for.
    for (const former of this.#formerOf(facts)) former.end(new Problem('sessionSuperseded'));
    this.#quotas.add(facts);
    this.#sessions.add(facts, session);
    this.#shared?.sessions.add(facts);
    this.#observer?.started(facts);
  }

  #over(session: Session, reason: string): void {
    if (session.identity === null) return;
    const { facts } = session.identity;
    this.#sessions.delete(facts, session);
    this.#quotas.remove(facts);
    const hasRow = this.#shared?.sessions.remove(facts) === true;
    if (!(hasRow && this.#areReported)) this.#observer?.stopped(facts, reason);
  }

  #reset(documents: readonly StoredDocument[]): void {
    const certificates = new Set(
      documents.flatMap(({ kind, id }) => (kind === 'ssh_user_certificate' ? [id] : [])),
    );
    const credentials = new Map(documents.filter(isCredential).map((document) => [document.id, document]));
    this.#credentialChanges += 1;
    this.#credentials.reset(documents);
    for (const id of this.#sessions.credentials) this.#credentialChanged(id, credentials.get(id) ?? null);
    this.claims.releaseLeases((lease) => !credentials.has(lease.credential));
    for (const { identity } of this.#sessions.all)
      if (identity?.certificate != null && !certificates.has(identity.certificate))
        this.#certificateRevoked(identity.certificate);
    this.#endInactive();
    this.#reservations.reset(documents);
    this.#recheckNames(() => true);
  }

  #apply(changes: readonly Change[]): void {
    for (const change of changes) {
      if (!this.#credentials.apply(change)) continue;
      this.#credentialChanges += 1;
      this.#accessChanged(change);
    }
    const touched = this.#reservations.apply(changes);
    if (touched.size === 0) return;
    this.#recheckNames(
      (name) => touched.has(name) || patternsAbove(name).some((parent) => touched.has(parent)),
    );
  }

  #accessChanged(change: Change): void {
    switch (change.kind) {
      case 'credential':
      case 'ssh_credential':
        this.#credentialChanged(change.id, change.document);
        if (change.document === null) this.claims.releaseLeases((lease) => lease.credential === change.id);
        return;
      case 'ssh_user_certificate':
        if (change.document === null) this.#certificateRevoked(change.id);
        return;
      default:
        this.#endInactive();
    }
  }

  /** Returns the tunnels of the session that the tunnel is of. */
  #tunnelsOf({ session }: Tunnel): SessionTunnels | undefined {
    return this.#sessions.get(session)?.identity?.tunnels;
  }

  #superseded(tunnel: Tunnel, by: string): string | null {
    const tunnels = this.#tunnelsOf(tunnel);
    tunnels?.stop(
      tunnel,
      new Problem('tunnelSuperseded', { name: tunnel.facts.endpoint?.text ?? '', agent: by }),
    );
    return tunnels?.agent ?? null;
  }

  #unbound(tunnel: Tunnel): void {
    for (const tunnels of this.#sessions.beside(tunnel.facts)) tunnels.unboundElsewhere(tunnel.bindId);
    this.#shared?.unboundElsewhere(tunnel);
  }

  #changed(tunnel: Tunnel, patch: TunnelPatch): void {
    for (const tunnels of this.#sessions.beside(tunnel.facts)) tunnels.changedElsewhere(tunnel.bindId, patch);
  }

  /** An agent has changed a tunnel in a connection to another daemon. */
  #changedElsewhere({ clientId, bindId }: BindPlace, now: Changeable): void {
    for (const { identity } of this.#sessions.ofAgent(clientId))
      identity?.tunnels.changedElsewhere(bindId, now);
  }

  #credentialChanged(id: string, document: CredentialDocument | null): void {
    for (const session of this.#sessions.ofCredential(id)) {
      if (document !== null) this.#setRules(session, document);
      else if (isSsh(session)) session.end(new Problem('sshCredentialRevoked', { credential: id }));
      else session.end(new Problem('credentialRevoked', { credential: id }));
    }
  }

  /** An authority cannot be deleted before its certificates are. */
  #certificateRevoked(certificate: string): void {
    for (const session of this.#sessions.all)
      if (session.identity?.certificate === certificate)
        session.end(new Problem('sshCertificateRevoked', { certificate }));
  }

  /** Ends sessions and held names of credentials whose owner is not active any more. */
  #endInactive(): void {
    for (const credential of this.#sessions.credentials) {
      if (!this.#credentials.isInactive(credential)) continue;
      for (const session of this.#sessions.ofCredential(credential))
        session.end(new Problem(isSsh(session) ? 'sshOwnerInactive' : 'authtokenOwnerInactive'));
    }
    this.claims.releaseLeases((lease) => this.#credentials.isInactive(lease.credential));
  }

  /** Ends the sessions of agents that may no longer come from where they are. */
  #recheckSources(): void {
    const { restrictions } = this.#context;
    for (const session of this.#sessions.all) {
      const { account, ip } = session.identity!.facts;
      if (restrictions.judge(account, 'agent', ip) === 'refused')
        session.end(new Problem('agentSourceRefused', { address: ip }));
    }
  }

  #setRules(session: Session, document: CredentialDocument): void {
    try {
      const { acl } = document.body;
      session.identity?.tunnels.setRules(storedRules(acl));
    } catch (error) {
      // Rules that cannot be read permit nothing.
      this.#context.log.error({ err: error, credential: document.id }, 'bind rules unreadable');
      session.end(new Problem('internalError'));
    }
  }

  /** Stops tunnels, and ends leases, whose name their credential may no longer have. */
  #recheckNames(affected: (name: BindTarget) => boolean): void {
    const tunnels: Tunnel[] = [...this.online.named(affected)];
    for (const tunnel of tunnels) this.#sessions.get(tunnel.session)?.identity?.tunnels.recheck(tunnel);
    const { settings } = this.#context;
    this.claims.releaseLeases((lease) => {
      if (!affected(lease.name)) return false;
      const { account, credential } = lease;
      const requester = { account, credential, permits: () => true, permitsAddress: () => true };
      // A held name stays free for its credential until its lease expires.
      const problem = targetDenial(lease.target, requester, settings, this.#reservations);
      return problem !== null && !reservedElsewhere.includes(problem.code);
    });
  }
}

function isSsh({ identity }: Session): boolean {
  return identity?.facts.transport === 'ssh';
}
