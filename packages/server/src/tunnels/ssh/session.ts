/**
 * One SSH connection that starts a tunnel: who it is, what it forwards and runs, and its end. Never more than one tunnel, nor one
 * before the client has said both.
 */
import type { Socket } from 'node:net';
import { type Deadline, deadline } from '@underpass/wire';
import { ipOf } from '../../core/client-address.ts';
import { errorCode, Problem } from '../../errors/problem.ts';
import type { SessionRequest as AgentRequest, LiveSession } from '../../online/online.ts';
import type { AuthenticationRefused, Offered } from '../../ssh/authentication.ts';
import type { ForwardRequest } from '../../ssh/connection.ts';
import type { HostKey } from '../../ssh/host-key.ts';
import { ServerConnection, type ServerHandler } from '../../ssh/server-connection.ts';
import type { SessionChannel } from '../../ssh/session-channel.ts';
import type { SessionRequest, TerminalSize } from '../../ssh/session-request.ts';
import { isOutage } from '../../store/outage-log.ts';
import { agentName } from '../agent-name.ts';
import { asProblem } from '../answers.ts';
import { readBind } from '../bind.ts';
import type { IngressContext } from '../context.ts';
import { admitUnchanged } from '../credentials.ts';
import type { SessionParts } from '../ingress.ts';
import type { Session, SessionIdentity } from '../live-session.ts';
import { shown } from '../options/fields.ts';
import { type Bound, SessionTunnels } from '../session-tunnels.ts';
import { checkSource } from '../source.ts';
import { SshCarrier } from './carrier.ts';
import { type Command, readCommand, usage } from './command.ts';
import { toBind } from './forward.ts';
import { identify, type SshGrant } from './identify.ts';
import { Screen } from './screen.ts';

const newestSyntax = 'v2';
/** Ctrl-C and Ctrl-D, as a terminal in raw mode sends them. */
const endingKeys: ReadonlySet<number> = new Set([3, 4]);
/** For the client to end by itself after its command failed, in milliseconds. */
const lastWordsMs = 3_000;

export interface SshSessionParts extends SessionParts {
  readonly hostKeys: readonly HostKey[];
}

interface Forward {
  readonly request: ForwardRequest;
  readonly answer: (port: number | null) => void;
}

export class SshSession implements Session, ServerHandler {
  readonly #parts: SshSessionParts;
  readonly #context: IngressContext;
  readonly #clientAddr: string;
  readonly #server: ServerConnection;
  #deadline: Deadline;
  #identity: (SessionIdentity & { readonly grant: SshGrant }) | null = null;
  #isOver = false;
  #hasSaidUnknown = false;

  #channel: SessionChannel | null = null;
  #terminal: TerminalSize | null = null;
  #command: Command | null = null;
  #forward: Forward | null = null;
  /** What the client was told about; the port that it left open filled in. */
  #forwarded: ForwardRequest | null = null;
  #screen: Screen | null = null;
  #unwatch: () => void = () => {};

  constructor(parts: SshSessionParts, socket: Socket, clientAddr: string) {
    this.#parts = parts;
    this.#context = parts.context;
    this.#clientAddr = clientAddr;
    const { limits, version } = parts.context;
    const options = {
      software: `Underpass_${version}`,
      hostKeys: parts.hostKeys,
      channels: limits.streams,
      keepaliveMs: limits.sshKeepaliveMs,
    };
    this.#server = new ServerConnection(socket, options, this);
    this.#deadline = deadline(limits.authMs, () => {
      const problem = new Problem('sessionAuthTimeout', { seconds: limits.authMs / 1000 });
      this.#context.refused('authentication', problem.code);
      this.end(problem);
    });
  }

  get identity(): SessionIdentity | null {
    return this.#identity;
  }

  end(reason: Problem): void {
    this.#server.close(this.#text(reason));
  }

  drop(reason: Problem): void {
    this.end(reason);
  }

  destroy(): void {
    this.#server.destroy();
  }

  async offer(offered: Offered): Promise<AuthenticationRefused | null> {
    return this.#admit(offered, () => {});
  }

  async prove(offered: Offered): Promise<AuthenticationRefused | null> {
    return this.#admit(offered, (grant) => this.#goOnline(grant));
  }

  session(channel: SessionChannel): string | null {
    if (this.#channel !== null) return this.#text(new Problem('sshMultiplexed'));
    this.#channel = channel;
    channel.onRequest = (request) => this.#request(channel, request);
    channel.handler = {
      data: (typed) => {
        if (this.#terminal !== null && typed.some((key) => endingKeys.has(key))) this.#leave();
      },
      end: () => {},
      drain: () => {},
      close: () => this.#leave(),
    };
    return null;
  }

  forward(request: ForwardRequest, answer: (port: number | null) => void): void {
    if (this.#forward === null) {
      this.#forward = { request, answer };
      this.#begin();
      return;
    }
    answer(null);
    this.#channel?.complain(this.#text(new Problem('sshForwardSecond')));
  }

  cancel({ address, port }: ForwardRequest): boolean {
    const forwarded = this.#forwarded;
    if (forwarded === null || forwarded.address !== address || forwarded.port !== port) return false;
    // After the answer, so that the client knows that it was heard.
    setImmediate(() => this.end(new Problem('sshForwardCancelled')));
    return true;
  }

  refusal(type: string): string {
    return this.#text(new Problem('sshOnlyTunnels', { what: shown(type) }));
  }

  failed(error: unknown): void {
    this.#context.log.error({ err: error, session: this.#identity?.live.id }, 'SSH connection failed');
  }

  closed(reason: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deadline.met();
    this.#unwatch();
    this.#screen?.stop();
    if (this.#identity !== null) {
      this.#identity.tunnels.lose();
      this.#context.registry.removeSession(this.#identity.live);
      this.#context.log.info({ session: this.#identity.live.id, reason: reason ?? '' }, 'session over');
    }
    this.#parts.watcher.over(this);
  }

  async #admit(offered: Offered, use: (grant: SshGrant) => void): Promise<AuthenticationRefused | null> {
    try {
      if (/^v\d+$/.test(offered.user) && offered.user !== newestSyntax)
        throw new Problem('sshSyntaxUnknown', { user: offered.user });
      const arriving = { ...offered, ip: ipOf(this.#clientAddr), now: this.#context.now() };
      const { credentials } = this.#context;
      await admitUnchanged(this.#context, (documents) => identify(documents, credentials, arriving), use);
      return null;
    } catch (error) {
      const problem = asProblem(error, (cause) => isOutage(cause) || this.failed(cause));
      this.#context.refused('authentication', problem.code);
      this.#context.log.info({ client: this.#clientAddr, reason: problem.code }, 'SSH key refused');
      // Clients try one key after the other, and the first that is unknown is often not the one that is meant.
      const isRepeated = problem.code === 'sshKeyUnknown' && this.#hasSaidUnknown;
      this.#hasSaidUnknown ||= problem.code === 'sshKeyUnknown';
      return { text: isRepeated ? null : this.#text(problem) };
    }
  }

  #goOnline(grant: SshGrant): void {
    if (this.#isOver || this.#identity !== null) throw new Problem('sessionSuperseded');
    const { account, credential } = grant;
    const ip = ipOf(this.#clientAddr);
    checkSource(this.#context, grant, ip);
    this.#context.admit({ account, credential, ip, clientId: '', leg: 0 });
    const { ids, settings, registry, now } = this.#context;
    const live: LiveSession = {
      id: ids.next('ts'),
      ...{ account, credential, ip },
      agentVersion: shown(this.#server.clientSoftware),
      metadata: '',
      os: '',
      region: settings.region,
      startedAt: new Date(now()),
      transport: 'ssh',
      ask: (what) => this.#ask(what),
    };
    const carrier = new SshCarrier({
      connection: this.#server,
      forward: () => this.#forwarded,
      stopped: (reason) => this.end(reason),
    });
    const agent = agentName(live, '');
    const tunnels = new SessionTunnels(this.#context, carrier, { live, agent, rules: grant.acl });
    this.#identity = { live, clientId: live.id, leg: 0, tunnels, authority: grant.authority, grant };
    registry.addSession(live);
    this.#parts.watcher.online(this);
    this.#context.log.info({ session: live.id, credential, ip }, 'session online');
    this.#awaitTunnel();
  }

  #awaitTunnel(): void {
    const { sshRequestMs } = this.#context.limits;
    const seconds = sshRequestMs / 1000;
    this.#deadline.met();
    this.#deadline = deadline(sshRequestMs, () => {
      const name = this.#forward === null ? 'sshForwardAwaited' : 'sshCommandAwaited';
      this.#fail(new Problem(name, { seconds }));
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

  #request(channel: SessionChannel, request: SessionRequest): boolean {
    switch (request.kind) {
      case 'terminal':
        if (this.#identity?.grant.mayHaveTerminal === true) this.#terminal = request;
        else channel.complain(this.#text(new Problem('sshTerminalNotPermitted')));
        return this.#terminal !== null;
      case 'resize':
        this.#screen?.resize(request);
        return true;
      case 'command':
        return this.#run(channel, request.command);
      case 'shell':
        return this.#run(channel, '');
      case 'signal':
        this.#leave();
        return true;
      case 'subsystem':
        this.#fail(new Problem('sshOnlyTunnels', { what: `the subsystem ${shown(request.name)}` }));
        return true;
      case 'x11':
        return this.#refuse(channel, 'X11 forwarding');
      case 'agent':
        return this.#refuse(channel, 'forwarding of an SSH agent');
      case 'environment':
      case 'unknown':
        return false;
      default:
        return request satisfies never;
    }
  }

  #refuse(channel: SessionChannel, what: string): false {
    channel.complain(this.#text(new Problem('sshOnlyTunnels', { what })));
    return false;
  }

  #run(channel: SessionChannel, given: string): boolean {
    if (this.#command !== null) return false;
    try {
      const command = readCommand(this.#identity?.grant.forcedCommand ?? given);
      if (command === 'help') {
        channel.print(`${usage()}\n`);
        channel.exit(0);
        this.#endSoon();
      } else {
        this.#command = command;
        this.#begin();
      }
    } catch (error) {
      this.#fail(this.#problem(error));
    }
    return true;
  }

  /** As soon as both are known: what is forwarded, and as what. */
  #begin(): void {
    const identity = this.#identity;
    const [command, forward, channel] = [this.#command, this.#forward, this.#channel];
    if (command === null || forward === null || channel === null || identity === null) return;
    this.#deadline.met();
    this.#bind(identity.tunnels, command, forward).then(
      (bound) => this.#bound(channel, identity.grant, forward, bound),
      (error) => this.#fail(this.#problem(error)),
    );
  }

  async #bind(tunnels: SessionTunnels, command: Command, { request }: Forward): Promise<Bound> {
    try {
      const body = toBind(command, request, this.#context.settings.publicPort);
      return await tunnels.bind(readBind(body, this.#context.settings));
    } catch (error) {
      this.#context.refused('bind', error instanceof Problem ? error.code : 'internalError');
      throw error;
    }
  }

  #bound(
    channel: SessionChannel,
    { accountName }: SshGrant,
    { request, answer }: Forward,
    { id, name: { target } }: Bound,
  ): void {
    if (this.#isOver) return;
    const port = request.port === 0 ? portOf(target.url) : request.port;
    this.#forwarded = { address: request.address, port };
    answer(port);
    const facts = { account: accountName, region: this.#context.settings.region, url: target.url };
    const screen = new Screen(channel, facts, this.#terminal);
    this.#screen = screen;
    this.#unwatch = this.#parts.visits.watch(id, (visit) => screen.visit(visit));
  }

  /** Says why there is no tunnel. Words first: some clients end at the first refusal. */
  #fail(problem: Problem): void {
    if (this.#channel === null) {
      this.end(problem);
      return;
    }
    this.#channel.complain(this.#text(problem));
    this.#forward?.answer(null);
    this.#channel.exit(1);
    this.#endSoon();
  }

  /** The client is done. */
  #leave(): void {
    if (this.#isOver) return;
    this.#channel?.exit(0);
    this.#endSoon();
  }

  #endSoon(): void {
    this.#deadline.met();
    this.#deadline = deadline(lastWordsMs, () => this.destroy());
  }

  #problem(error: unknown): Problem {
    return asProblem(error, (cause) => isOutage(cause) || this.failed(cause));
  }

  #text(problem: Problem): string {
    return `${problem.message} (${errorCode(this.#context.settings.errorPrefix, problem.code)})`;
  }
}

function portOf(url: string): number {
  const { port } = new URL(url);
  return port === '' ? 443 : Number(port);
}
