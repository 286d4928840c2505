/**
 * Collects the parts of a tunnel that an SSH client sends: a forwarded port, a command, a terminal. A client that opens no session gets
 * the protocol of its port.
 * Invariant: a connection has at most one tunnel.
 */
import { type Deadline, deadline } from '@underpass/wire';
import { errorCode, Problem } from '../../errors/problem.ts';
import type { Refusal } from '../../online/refusal.ts';
import type { Visits } from '../../online/visits.ts';
import type { ConnectionHandler, ForwardRequest } from '../../ssh/connection.ts';
import type { SessionChannel } from '../../ssh/session-channel.ts';
import type { SessionRequest, TerminalSize } from '../../ssh/session-request.ts';
import { asProblem } from '../answers.ts';
import type { IngressContext } from '../context.ts';
import { shown } from '../options/fields.ts';
import type { SessionTunnels } from '../session-tunnels.ts';
import { type Command, readCommand, usage } from './command.ts';
import { impliedCommand, isReturn } from './forward.ts';
import { type ForwardResponse, Forwards, mostReturns, type TunnelForward } from './forwards.ts';
import type { SshGrant } from './identify.ts';
import { judge } from './judge.ts';
import { Screen } from './screen.ts';
import { type OnlineTunnel, SshTunnel } from './ssh-tunnel.ts';

/** Ctrl-C and Ctrl-D, as a terminal in raw mode sends them. */
const endingKeys: ReadonlySet<number> = new Set([3, 4]);

/** The client, known before its first request. */
export interface SshClient {
  readonly grant: SshGrant;
  readonly tunnels: SessionTunnels;
}

export interface TunnelRequestParts {
  readonly context: Pick<IngressContext, 'settings' | 'refused' | 'limits'>;
  readonly visits: Visits;
  readonly client: () => SshClient | null;
  /** All is known: the tunnel is on its way. */
  decided(): void;
  /** Ends the connection with the reason. */
  end(reason: Problem): void;
  /** The client has all messages. It ends the connection by itself, or the service does after a while. */
  endSoon(): void;
  failed(error: unknown): void;
  /** Sends a line to a client without a session. */
  inform(text: string): void;
}

export class TunnelRequest implements ConnectionHandler {
  readonly #parts: TunnelRequestParts;
  #channel: SessionChannel | null = null;
  #terminal: TerminalSize | null = null;
  #command: Command | null = null;
  readonly #forwards = new Forwards();
  readonly #tunnel: SshTunnel;
  /** The client has given no command: the port implies it. */
  #isImplied = false;
  /** The bind has begun. */
  #isDecided = false;
  #sessionDeadline: Deadline | null = null;
  /** Clients forward before they open the session that shows the refusal. */
  #hasSecondForward = false;
  #screen: Screen | null = null;
  #unwatch: () => void = () => {};
  #isOver = false;

  constructor(parts: TunnelRequestParts) {
    this.#parts = parts;
    this.#tunnel = new SshTunnel(parts.context);
  }

  /** The destination of visitors' connections at the client; null without a forward. */
  get forwarded(): ForwardRequest | null {
    return this.#forwards.wanted?.known ?? null;
  }

  session(channel: SessionChannel): string | null {
    if (this.#channel !== null) return this.text(new Problem('sshMultiplexed'));
    this.#channel = channel;
    this.#sessionDeadline?.met();
    channel.onRequest = (request) => this.#asked(channel, request);
    channel.handler = {
      data: (typed) => {
        if (this.#terminal !== null && typed.some((key) => endingKeys.has(key))) this.#leave(channel);
      },
      end: () => {},
      drain: () => {},
      close: () => this.#leave(channel),
    };
    return null;
  }

  forward(request: ForwardRequest, respond: ForwardResponse): void {
    if (isReturn(request, this.#parts.context.settings.publicPort)) {
      if (!this.#forwards.addReturn(request, respond)) {
        this.#show(new Problem('sshReturnsTooMany', { limit: mostReturns }));
        respond(null);
        return;
      }
      if (this.#isDecided) this.#showReturn(request.port);
    } else if (this.#forwards.tunnel !== null) {
      respond(null);
      if (this.#isDecided) this.#show(new Problem('sshForwardSecond'));
      else this.#hasSecondForward = true;
      return;
    } else this.#forwards.setTunnel(request, respond, this.#judge(request));
    if (this.#command === null) this.#awaitSession();
    else if (!this.#isDecided) this.#begin();
  }

  cancel(request: ForwardRequest): boolean {
    if (this.#forwards.removeReturn(request)) return true;
    if (!this.#forwards.isTunnel(request)) return false;
    // After the response, so that the client receives it.
    if (this.#isDecided) setImmediate(() => this.#parts.end(new Problem('sshForwardCancelled')));
    else this.#forwards.removeTunnel();
    return true;
  }

  leadsBack(target: ForwardRequest): ForwardRequest | null {
    return this.#forwards.leadsBack(target);
  }

  refusal(type: string): string {
    return this.text(new Problem('sshOnlyTunnels', { what: shown(type) }));
  }

  /** Ends a client that has not sent all parts in time. */
  overdue(seconds: number): void {
    if (this.#forwards.wanted === null) this.fail(new Problem('sshForwardAwaited', { seconds }));
    else if (this.#channel === null) this.#imply();
    else this.fail(new Problem('sshCommandAwaited', { seconds }));
  }

  /** Ends the client and shows it why. The text comes first: some clients end at the first refusal. */
  fail(problem: Problem): void {
    if (this.#channel === null) {
      this.#parts.end(problem);
      return;
    }
    this.#channel.complain(this.text(problem));
    this.#forwards.refuseAll();
    this.#channel.exit(1);
    this.#parts.endSoon();
  }

  /** Call it after the end of the connection. */
  stop(): void {
    this.#isOver = true;
    this.#sessionDeadline?.met();
    this.#forwards.removeTunnel();
    this.#unwatch();
    this.#screen?.stop();
  }

  /** Returns the text of a problem for a client. */
  text(problem: Problem): string {
    return `${problem.message} (${errorCode(this.#parts.context.settings.errorPrefix, problem.code)})`;
  }

  #asked(channel: SessionChannel, request: SessionRequest): boolean {
    switch (request.kind) {
      case 'terminal':
        if (this.#parts.client()?.grant.mayHaveTerminal === true) this.#terminal = request;
        else channel.complain(this.text(new Problem('sshTerminalNotPermitted')));
        return this.#terminal !== null;
      case 'resize':
        this.#screen?.resize(request);
        return true;
      case 'command':
        return this.#run(channel, request.command);
      case 'shell':
        return this.#run(channel, '');
      case 'signal':
        this.#leave(channel);
        return true;
      case 'subsystem':
        this.#failCommand(
          channel,
          new Problem('sshOnlyTunnels', { what: `the subsystem ${shown(request.name)}` }),
        );
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
    channel.complain(this.text(new Problem('sshOnlyTunnels', { what })));
    return false;
  }

  #run(channel: SessionChannel, given: string): boolean {
    if (this.#command !== null && !this.#isImplied) return false;
    try {
      const command = readCommand(this.#parts.client()?.grant.forcedCommand ?? given);
      if (command === 'help') {
        channel.print(`${usage()}\n`);
        this.#leave(channel);
      } else {
        this.#command = command;
        this.#isImplied = false;
        this.#begin();
      }
    } catch (error) {
      this.#failCommand(channel, this.#problem(error));
    }
    return true;
  }

  #judge(request: ForwardRequest): ReturnType<typeof judge> {
    const client = this.#parts.client();
    if (client === null) return { port: null, reserved: null };
    return judge(request, client.tunnels, client.grant.forcedCommand, this.#parts.context.settings);
  }

  #awaitSession(): void {
    if (this.#channel !== null) return;
    this.#sessionDeadline?.met();
    this.#sessionDeadline = deadline(this.#parts.context.limits.sshSessionMs, () => {
      if (this.#channel === null && this.#command === null && this.#forwards.wanted !== null) this.#imply();
    });
  }

  /** The client opens no session (`ssh -N`). */
  #imply(): void {
    const [forward, client] = [this.#forwards.wanted, this.#parts.client()];
    if (forward === null || client === null) return;
    try {
      const { forcedCommand } = client.grant;
      const implied = impliedCommand(forward.request, this.#parts.context.settings.publicPort);
      const command = forcedCommand === null ? implied : readCommand(forcedCommand);
      if (command === 'help') throw new Problem('sshCommandMissing');
      this.#command = command;
      this.#isImplied = true;
      this.#begin();
    } catch (error) {
      this.fail(this.#problem(error));
    }
  }

  /** Binds as soon as both are known: the forward and the command. */
  #begin(): void {
    const client = this.#parts.client();
    const [command, forward, channel] = [this.#command, this.#forwards.wanted, this.#channel];
    if (command === null || forward === null || client === null) return;
    this.#isDecided = true;
    this.#parts.decided();
    this.#tunnel.bind(client.tunnels, command, forward).then(
      (online) => this.#bound(client.grant, command, forward, online),
      (error) => {
        // A command that came meanwhile is bound next.
        if (!this.#isOver && this.#command === command) this.fail(this.#problem(error));
      },
    );
    if (this.#hasSecondForward) this.#show(new Problem('sshForwardSecond'));
    this.#hasSecondForward = false;
    if (channel !== null || this.#isImplied)
      for (const port of this.#forwards.returns) this.#showReturn(port);
  }

  #bound(grant: SshGrant, command: Command, forward: TunnelForward, { id, url }: OnlineTunnel): void {
    if (this.#isOver || this.#command !== command) return;
    forward.respond(forward.port ?? (forward.request.port === 0 ? portOf(url) : forward.request.port));
    if (!this.#isImplied && forward.reserved?.port !== portOf(url)) forward.reserved?.release();
    const [channel, { settings }] = [this.#channel, this.#parts.context];
    if (channel === null || this.#isImplied) {
      this.#parts.inform(`Forwarding ${url}`);
      return;
    }
    const screen = new Screen(
      channel,
      { account: grant.accountName, region: settings.region, url },
      this.#terminal,
    );
    this.#screen = screen;
    this.#unwatch = this.#parts.visits.watch(id, grant.account, (visit) => screen.visit(visit));
  }

  /** The edge refused a visitor of the tunnel. */
  refused(make: () => Refusal): void {
    this.#screen?.refused(make);
  }

  #show(problem: Problem): void {
    this.#showText(this.text(problem));
  }

  #showReturn(port: number): void {
    this.#showText(
      `Port ${port} leads back to this client only, as "autossh -M" needs it. Visitors cannot reach it.`,
    );
  }

  /** Writes to the client's stderr, if it has a session. */
  #showText(text: string): void {
    if (this.#channel === null) this.#parts.inform(text);
    else this.#channel.complain(text);
  }

  /** The client is done; a tunnel that the port implied needs no session. */
  #leave(channel: SessionChannel): void {
    if (this.#isOver) return;
    channel.exit(0);
    if (this.#channel !== channel) return;
    if (this.#isImplied) this.#forgetSession();
    else this.#parts.endSoon();
  }

  #failCommand(channel: SessionChannel, problem: Problem): void {
    if (!this.#isImplied) {
      this.fail(problem);
      return;
    }
    channel.complain(this.text(problem));
    channel.exit(1);
    this.#forgetSession();
  }

  /** The tunnel goes on without it, and a later session may still give a command. */
  #forgetSession(): void {
    this.#channel = null;
    this.#terminal = null;
  }

  #problem(error: unknown): Problem {
    return asProblem(error, (cause) => this.#parts.failed(cause));
  }
}

function portOf(url: string): number {
  const { port } = new URL(url);
  return port === '' ? 443 : Number(port);
}
