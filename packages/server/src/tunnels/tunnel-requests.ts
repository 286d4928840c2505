/**
 * Requests and responses of Bind, StartTunnelWithLabel, Unbind and PatchTunnelState (agent protocol, section 5).
 * Invariant: an agent that reconnects keeps its other tunnels if it may not have one of them any more.
 */
import type { Target } from '../core/names/bind-target.ts';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import type { SessionFacts } from '../online/session.ts';
import type { BindAnswer } from './answers.ts';
import {
  answeredOptions,
  type EarlierBind,
  type LabelledRequest,
  readBind,
  readEarlierBind,
  readLabelled,
  readPatch,
  readUnbind,
} from './bind.ts';
import type { IngressContext } from './context.ts';
import type { SessionTunnels } from './session-tunnels.ts';
import { provenTarget, wantedTarget } from './target.ts';

/** Reason why a labelled tunnel that an agent had may no longer be. */
const labelRefusals: readonly ErrorName[] = ['bindLabelNotPermitted', 'sessionTunnelLimit'];

export interface Requesting {
  readonly session: SessionFacts;
  /** The agent proved that it had a session before. */
  readonly isBack: boolean;
}

export class TunnelRequests {
  readonly #context: IngressContext;
  readonly #tunnels: SessionTunnels;
  readonly #session: SessionFacts;
  readonly #isBack: boolean;

  constructor(context: IngressContext, tunnels: SessionTunnels, { session, isBack }: Requesting) {
    this.#context = context;
    this.#tunnels = tunnels;
    this.#session = session;
    this.#isBack = isBack;
  }

  /**
   * An agent that reconnects and may not have a tunnel any more gets a successful response, and then the notification
   * of its end. A refusal would cost it all its tunnels.
   */
  async bind(body: unknown): Promise<BindAnswer> {
    try {
      return await this.#bind(body);
    } catch (error) {
      this.#countRefusal(error);
      const earlier = error instanceof Problem ? this.#hadBefore(body) : null;
      if (earlier === null) throw error;
      const answer = this.#answer(earlier, earlier.target, this.#context.ids.next('tn'));
      this.#tellStopped(earlier.id, error as Problem);
      return answer;
    }
  }

  async #bind(body: unknown): Promise<BindAnswer> {
    const request = readBind(body, this.#context.settings);
    const { id, bindId, target, loser } = await this.#tunnels.bind(request);
    const answer = this.#answer({ ...request, id: bindId }, target, id);
    if (loser === null) return answer;
    const notice = `The name ${target.text} was taken over from ${loser}, which had it with the same tunnel credential.`;
    return { ...answer, Extra: { ...answer.Extra, Notice: notice } };
  }

  /** A start that is refused is answered as a bind is, for agents that are back: it has no proof of its own. */
  startLabelled(body: unknown): { readonly Id: string; readonly Error: string } {
    try {
      const request = readLabelled(body);
      const bindId = this.#tunnels.labelledId(request);
      this.#startLabelled(request, bindId);
      return { Id: bindId, Error: '' };
    } catch (error) {
      this.#countRefusal(error);
      throw error;
    }
  }

  #startLabelled(request: LabelledRequest, bindId: string): void {
    try {
      this.#tunnels.startLabelled(request, bindId);
    } catch (error) {
      const mayNoLongerBe = error instanceof Problem && labelRefusals.includes(error.code);
      if (!mayNoLongerBe || !this.#isBack) throw error;
      this.#countRefusal(error);
      this.#tellStopped(bindId, error);
    }
  }

  /** Ends a tunnel. An unknown one of an agent that is back counts as ended: its earlier session may have stopped it. */
  unbind(body: unknown): { readonly Error: string } {
    const id = readUnbind(body);
    try {
      this.#tunnels.unbind(id);
    } catch (error) {
      const isGone = error instanceof Problem && error.code === 'tunnelUnknown';
      if (!isGone || !this.#isBack) throw error;
    }
    return { Error: '' };
  }

  patch(body: unknown): { readonly Error: string } {
    this.#tunnels.patch(readPatch(body));
    return { Error: '' };
  }

  /** A bind with the id and the proof of one of an earlier session; null for any other. */
  #hadBefore(body: unknown): (EarlierBind & { readonly target: Target }) | null {
    if (!this.#isBack || this.#tunnels.isOver) return null;
    const earlier = readEarlierBind(body);
    if (earlier === null || this.#tunnels.has(earlier.id)) return null;
    const { proofs, settings } = this.#context;
    const proven = proofs.provenTarget(earlier.token, this.#session);
    const target = proven === null ? null : provenTarget(proven, earlier.proto, settings);
    if (target === null) return null;
    try {
      const asked = wantedTarget(earlier.requested, settings, target);
      return asked === null || asked.text === target.text ? { ...earlier, target } : null;
    } catch {
      // A label of the shared domain, and the name that it was once, when the shared domain is another one.
      return earlier.requested.hostname === target.text ? { ...earlier, target } : null;
    }
  }

  #answer(
    { id, proto, options }: Pick<EarlierBind, 'id' | 'proto' | 'options'>,
    target: Target,
    tunnelId: string,
  ): BindAnswer {
    return {
      Id: id,
      URL: target.url,
      Proto: proto,
      Opts: answeredOptions(proto, options, target),
      Error: '',
      Extra: { Token: this.#context.proofs.bindToken(this.#session, target.text), TunnelID: tunnelId },
    };
  }

  #tellStopped(bindId: string, reason: Problem): void {
    this.#tunnels.tellStopped({ bindId, boundAt: this.#context.uptime() }, reason);
  }

  #countRefusal(error: unknown): void {
    this.#context.refused('bind', error instanceof Problem ? error.code : 'internalError');
  }
}
