/** The tunnel of an SSH connection. A later command replaces what was bound for a client that gave none. */
import { Problem } from '../../errors/problem.ts';
import { readBind } from '../bind.ts';
import type { IngressContext } from '../context.ts';
import type { SessionTunnels } from '../session-tunnels.ts';
import type { Command } from './command.ts';
import { contradiction, toBind } from './forward.ts';
import type { TunnelForward } from './forwards.ts';

export interface OnlineTunnel {
  /** `tn_…` */
  readonly id: string;
  readonly url: string;
  /** The bind in the form in which two of them are compared. */
  readonly text: string;
}

export class SshTunnel {
  readonly #context: Pick<IngressContext, 'settings' | 'refused'>;
  #online: OnlineTunnel | null = null;
  /** Binds follow each other. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(context: Pick<IngressContext, 'settings' | 'refused'>) {
    this.#context = context;
  }

  /** Binds, unless the same is bound already; another tunnel goes offline first. Rejects with Problem. */
  bind(tunnels: SessionTunnels, command: Command, forward: TunnelForward): Promise<OnlineTunnel> {
    const bound = this.#turn.then(() => this.#bind(tunnels, command, forward));
    this.#turn = bound.catch(() => {});
    return bound;
  }

  async #bind(tunnels: SessionTunnels, command: Command, forward: TunnelForward): Promise<OnlineTunnel> {
    const { settings, refused } = this.#context;
    try {
      const body = toBind(command, forward.request, settings.publicPort, forward.reserved?.text);
      const text = JSON.stringify(body);
      if (this.#online?.text === text) return this.#online;
      if (this.#online !== null) tunnels.unbind(this.#online.id);
      this.#online = null;
      const { id, target } = await tunnels.bind(readBind(body, settings));
      this.#online = { id, url: target.url, text };
      return this.#online;
    } catch (thrown) {
      const isContradiction = thrown instanceof Problem && thrown.code === 'bindNamesContradict';
      const error = isContradiction ? contradiction(command, forward.request) : thrown;
      refused('bind', error instanceof Problem ? error.code : 'internalError');
      throw error;
    }
  }
}
