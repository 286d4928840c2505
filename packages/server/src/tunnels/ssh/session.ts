/**
 * One SSH connection that starts a tunnel, from its first key to its end.
 * Invariant: a session never starts if its credential, owner or certificate changed during the check of the key.
 */
import type { Socket } from 'node:net';
import { type Deadline, deadline } from '@underpass/wire';
import { type ConnectionAddresses, ipOf } from '../../core/ip/client-address.ts';
import { Problem } from '../../errors/problem.ts';
import type { SessionRequest as AgentRequest, SessionFacts } from '../../online/session.ts';
import type { AuthenticationRefused, Authenticator, Offered } from '../../ssh/authentication.ts';
import type { HostKey } from '../../ssh/host-key.ts';
import { ServerConnection } from '../../ssh/server-connection.ts';
import { isOutage } from '../../store/outage-log.ts';
import { agentName } from '../agent-name.ts';
import { asProblem } from '../answers.ts';
import type { IngressContext } from '../context.ts';
import { admitUnchanged } from '../credentials.ts';
import type { Session, SessionIdentity } from '../live-session.ts';
import { shown } from '../options/fields.ts';
import type { SessionParts } from '../session-parts.ts';
import { SessionTunnels } from '../session-tunnels.ts';
import { checkSource } from '../source.ts';
import { SshCarrier } from './carrier.ts';
import { identify, type SshGrant } from './identify.ts';
import { type SshClient, TunnelRequest } from './tunnel-request.ts';

const newestSyntax = 'v2';
/** Milliseconds for the client to end by itself after its command has ended. */
const lastWordsMs = 3_000;

export interface SshSessionParts extends SessionParts {
  readonly hostKeys: readonly HostKey[];
}

export class SshSession implements Session, Authenticator {
  readonly #parts: SshSessionParts;
  readonly #context: IngressContext;
  readonly #addresses: ConnectionAddresses;
  readonly #server: ServerConnection;
  readonly #request: TunnelRequest;
  #deadline: Deadline;
  #identity: (SessionIdentity & SshClient) | null = null;
  #isOver = false;
  #hasSaidUnknown = false;

  constructor(parts: SshSessionParts, socket: Socket, addresses: ConnectionAddresses) {
    this.#parts = parts;
    this.#context = parts.context;
    this.#addresses = addresses;
    const { limits, version } = parts.context;
    this.#request = new TunnelRequest({
      ...parts,
      client: () => this.#identity,
      decided: () => this.#deadline.met(),
      end: (reason) => this.end(reason),
      endSoon: () => this.#await(lastWordsMs, () => this.destroy()),
      failed: (error) => this.failed(error),
      inform: (text) => this.#server.inform(text),
    });
    const options = {
      software: `Underpass_${version}`,
      hostKeys: parts.hostKeys,
      channels: limits.streams,
      keepaliveMs: limits.sshKeepaliveMs,
    };
    this.#server = new ServerConnection(socket, options, {
      authenticator: this,
      channels: this.#request,
      closed: (reason) => this.#closed(reason),
    });
    this.#deadline = deadline(limits.authMs, () => {
      const problem = new Problem('sessionAuthTimeout', { seconds: limits.authMs / 1000 });
      this.#context.refused('authentication', problem.code);
      this.end(problem);
    });
  }

  readonly welcome =
    'Give "http", "tls" or "tcp" as the command. Without one (-N) the port decides: 80 is http, 443 is https, 0 is tcp; "-v" shows the URL.';

  get identity(): SessionIdentity | null {
    return this.#identity;
  }

  end(reason: Problem): void {
    this.#server.close(this.#request.text(reason));
  }

  async leave(reason: Problem): Promise<void> {
    this.end(reason);
  }

  /** A client that does not read why is not waited for either way. */
  drop(reason: Problem): void {
    this.end(reason);
  }

  destroy(): void {
    this.#server.destroy();
  }

  offer(offered: Offered): Promise<AuthenticationRefused | null> {
    return this.#admit(offered, () => {});
  }

  prove(offered: Offered): Promise<AuthenticationRefused | null> {
    return this.#admit(offered, (grant) => this.#goOnline(grant));
  }

  tooMany(limit: number): string {
    return this.#request.text(new Problem('sshKeysTooMany', { limit }));
  }

  failed(error: unknown): void {
    if (isOutage(error)) return;
    this.#context.log.error({ err: error, session: this.#identity?.facts.id }, 'SSH connection failed');
  }

  async #admit(offered: Offered, use: (grant: SshGrant) => void): Promise<AuthenticationRefused | null> {
    try {
      if (/^v\d+$/.test(offered.user) && offered.user !== newestSyntax)
        throw new Problem('sshSyntaxUnknown', { user: offered.user });
      const arriving = { ...offered, ip: ipOf(this.#addresses.clientAddr), now: this.#context.now() };
      const { credentials } = this.#context;
      await admitUnchanged(this.#context, (documents) => identify(documents, credentials, arriving), use);
      return null;
    } catch (error) {
      return this.#refused(asProblem(error, (cause) => this.failed(cause)));
    }
  }

  #refused(problem: Problem): AuthenticationRefused {
    this.#context.refused('authentication', problem.code);
    this.#context.log.info({ client: this.#addresses.clientAddr, reason: problem.code }, 'SSH key refused');
    // Clients try one key after the other, and the first that is unknown is often not the one that is meant.
    const isRepeated = problem.code === 'sshKeyUnknown' && this.#hasSaidUnknown;
    this.#hasSaidUnknown ||= problem.code === 'sshKeyUnknown';
    return { text: isRepeated ? null : this.#request.text(problem) };
  }

  #goOnline(grant: SshGrant): void {
    if (this.#isOver || this.#identity !== null) throw new Problem('sessionSuperseded');
    const { account, credential, certificate } = grant;
    const ip = ipOf(this.#addresses.clientAddr);
    checkSource(this.#context, grant, ip);
    this.#context.admit({ account, credential, ip, clientId: '', leg: 0, wantsOtherDaemon: false });
    const { ids, settings, registry, now, limits } = this.#context;
    const id = ids.next('ts');
    const facts: SessionFacts = {
      ...{ id, account, credential, clientId: id, leg: 0, ip },
      agentVersion: shown(this.#server.clientSoftware),
      userAgent: '',
      serverIp: ipOf(this.#addresses.serverAddr),
      metadata: '',
      os: '',
      arch: '',
      region: settings.region,
      node: settings.nodeName,
      startedAt: now(),
      transport: 'ssh',
    };
    const carrier = new SshCarrier({
      connection: this.#server,
      forward: () => this.#request.forwarded,
      stopped: (reason) => this.end(reason),
      refused: (make) => this.#request.refused(make),
    });
    const owner = { session: facts, agent: agentName(facts, ''), rules: grant.acl };
    const tunnels = new SessionTunnels(this.#context, carrier, owner);
    this.#identity = { facts, tunnels, certificate, grant };
    registry.addSession({ facts, ask: (what) => this.#ask(what) });
    this.#parts.watcher.online(this);
    this.#context.log.info({ session: id, credential, ip }, 'session online');
    this.#await(limits.sshRequestMs, () => {
      this.#request.overdue(limits.sshRequestMs / 1000);
    });
  }

  async #ask(what: AgentRequest): Promise<void> {
    switch (what) {
      case 'restart':
        throw new Problem('sshCannotRestart');
      case 'update':
        throw new Problem('sshCannotUpdate');
      case 'stop':
        this.end(new Problem('sshSessionStopped'));
        return;
      default:
        what satisfies never;
    }
  }

  /** Replaces the previous wait. */
  #await(ms: number, missed: () => void): void {
    this.#deadline.met();
    this.#deadline = deadline(ms, missed);
  }

  #closed(reason: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deadline.met();
    this.#request.stop();
    if (this.#identity !== null) {
      this.#identity.tunnels.lose();
      this.#context.registry.removeSession(this.#identity.facts);
      this.#context.log.info({ session: this.#identity.facts.id, reason: reason ?? '' }, 'session over');
    }
    this.#parts.watcher.over(this, reason ?? 'the client closed the connection');
  }
}
