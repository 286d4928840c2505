/**
 * What an SSH client wants, in pieces: a port that it forwards, a command, a terminal. Never more than one tunnel of a connection, nor
 * one before the client has said both what is forwarded and as what.
 */
import { errorCode, Problem } from '../../errors/problem.ts';
import type { ConnectionHandler, ForwardRequest } from '../../ssh/connection.ts';
import type { SessionChannel } from '../../ssh/session-channel.ts';
import type { SessionRequest, TerminalSize } from '../../ssh/session-request.ts';
import { asProblem } from '../answers.ts';
import { readBind } from '../bind.ts';
import type { IngressContext } from '../context.ts';
import { shown } from '../options/fields.ts';
import type { Bound, SessionTunnels } from '../session-tunnels.ts';
import type { Visits } from '../visits.ts';
import { type Command, readCommand, usage } from './command.ts';
import { contradiction, toBind } from './forward.ts';
import type { SshGrant } from './identify.ts';
import { Screen } from './screen.ts';

/** Ctrl-C and Ctrl-D, as a terminal in raw mode sends them. */
const endingKeys: ReadonlySet<number> = new Set([3, 4]);

/** Who asks: known by the time that anything is asked. */
export interface SshClient {
  readonly grant: SshGrant;
  readonly tunnels: SessionTunnels;
}

export interface TunnelRequestParts {
  readonly context: Pick<IngressContext, 'settings' | 'refused'>;
  readonly visits: Visits;
  readonly client: () => SshClient | null;
  /** All is known: the tunnel is on its way. */
  decided(): void;
  /** Ends the connection and says why. */
  end(reason: Problem): void;
  /** The client was told all, and ends the connection by itself, or not soon enough. */
  endSoon(): void;
  failed(error: unknown): void;
}

interface Forward {
  readonly request: ForwardRequest;
  readonly answer: (port: number | null) => void;
}

export class TunnelRequest implements ConnectionHandler {
  readonly #parts: TunnelRequestParts;
  #channel: SessionChannel | null = null;
  #terminal: TerminalSize | null = null;
  #command: Command | null = null;
  #forward: Forward | null = null;
  /** Clients forward before they open the channel on which they can be told of it. */
  #hasSecondForward = false;
  /** What the client was told about; the port that it left open filled in. */
  #forwarded: ForwardRequest | null = null;
  #screen: Screen | null = null;
  #unwatch: () => void = () => {};
  #isOver = false;

  constructor(parts: TunnelRequestParts) {
    this.#parts = parts;
  }

  /** Where visitors' connections go at the client; null before there is a tunnel. */
  get forwarded(): ForwardRequest | null {
    return this.#forwarded;
  }

  /** What the client has not said yet. */
  get missing(): 'forward' | 'command' {
    return this.#forward === null ? 'forward' : 'command';
  }

  session(channel: SessionChannel): string | null {
    if (this.#channel !== null) return this.text(new Problem('sshMultiplexed'));
    this.#channel = channel;
    channel.onRequest = (request) => this.#asked(channel, request);
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
    if (this.#command === null) this.#hasSecondForward = true;
    else this.#complainOfSecondForward();
  }

  cancel({ address, port }: ForwardRequest): boolean {
    const forwarded = this.#forwarded;
    if (forwarded === null || forwarded.address !== address || forwarded.port !== port) return false;
    // After the answer, so that the client knows that it was heard.
    setImmediate(() => this.#parts.end(new Problem('sshForwardCancelled')));
    return true;
  }

  refusal(type: string): string {
    return this.text(new Problem('sshOnlyTunnels', { what: shown(type) }));
  }

  /** Says why there is no tunnel. Words first: some clients end at the first refusal. */
  fail(problem: Problem): void {
    if (this.#channel === null) {
      this.#parts.end(problem);
      return;
    }
    this.#channel.complain(this.text(problem));
    this.#forward?.answer(null);
    this.#channel.exit(1);
    this.#parts.endSoon();
  }

  /** The connection is over. */
  stop(): void {
    this.#isOver = true;
    this.#unwatch();
    this.#screen?.stop();
  }

  /** As a client is told of a problem. */
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
        this.#leave();
        return true;
      case 'subsystem':
        this.fail(new Problem('sshOnlyTunnels', { what: `the subsystem ${shown(request.name)}` }));
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

  #complainOfSecondForward(): void {
    this.#channel?.complain(this.text(new Problem('sshForwardSecond')));
  }

  #refuse(channel: SessionChannel, what: string): false {
    channel.complain(this.text(new Problem('sshOnlyTunnels', { what })));
    return false;
  }

  #run(channel: SessionChannel, given: string): boolean {
    if (this.#command !== null) return false;
    try {
      const command = readCommand(this.#parts.client()?.grant.forcedCommand ?? given);
      if (command === 'help') {
        channel.print(`${usage()}\n`);
        this.#leave();
      } else {
        this.#command = command;
        this.#begin();
      }
    } catch (error) {
      this.fail(this.#problem(error));
    }
    return true;
  }

  /** As soon as both are known: what is forwarded, and as what. */
  #begin(): void {
    const client = this.#parts.client();
    const [command, forward, channel] = [this.#command, this.#forward, this.#channel];
    if (command === null || forward === null || channel === null || client === null) return;
    this.#parts.decided();
    if (this.#hasSecondForward) this.#complainOfSecondForward();
    this.#bind(client.tunnels, command, forward).then(
      (bound) => this.#bound(channel, client.grant, forward, bound),
      (error) => this.fail(this.#problem(error)),
    );
  }

  async #bind(tunnels: SessionTunnels, command: Command, { request }: Forward): Promise<Bound> {
    const { settings, refused } = this.#parts.context;
    try {
      return await tunnels.bind(readBind(toBind(command, request, settings.publicPort), settings));
    } catch (thrown) {
      const isContradiction = thrown instanceof Problem && thrown.code === 'bindNamesContradict';
      const error = isContradiction ? contradiction(command, request) : thrown;
      refused('bind', error instanceof Problem ? error.code : 'internalError');
      throw error;
    }
  }

  #bound(
    channel: SessionChannel,
    { account, accountName }: SshGrant,
    { request, answer }: Forward,
    { id, name: { target } }: Bound,
  ): void {
    if (this.#isOver) return;
    const port = request.port === 0 ? portOf(target.url) : request.port;
    this.#forwarded = { address: request.address, port };
    answer(port);
    const { settings } = this.#parts.context;
    const facts = { account: accountName, region: settings.region, url: target.url };
    const screen = new Screen(channel, facts, this.#terminal);
    this.#screen = screen;
    this.#unwatch = this.#parts.visits.watch(id, account, (visit) => screen.visit(visit));
  }

  /** The client is done. */
  #leave(): void {
    if (this.#isOver) return;
    this.#channel?.exit(0);
    this.#parts.endSoon();
  }

  #problem(error: unknown): Problem {
    return asProblem(error, (cause) => this.#parts.failed(cause));
  }
}

function portOf(url: string): number {
  const { port } = new URL(url);
  return port === '' ? 443 : Number(port);
}
