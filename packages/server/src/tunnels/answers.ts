/**
 * Responses to the RPCs of agents (agent protocol, sections 4 and 5). Errors contain every field, because some agents
 * require them.
 */
import { errorCode, Problem } from '../errors/problem.ts';
import { StoreRefusedError, StoreUnavailableError } from '../store/store.ts';

export interface BindAnswer {
  readonly Id: string;
  readonly URL: string;
  readonly Proto: string;
  readonly Opts: Record<string, unknown> | null;
  readonly Error: string;
  readonly Extra: {
    readonly Token: string;
    readonly TunnelID: string;
    /** Text for people, for this project's own agents; others ignore it. */
    readonly Notice?: string;
  };
}

export interface AuthAnswer {
  readonly Version: string;
  readonly ClientId: string;
  readonly Error: string;
  readonly Extra: {
    readonly Version: string;
    readonly Region: string;
    readonly Cookie: string;
    readonly AccountName: string;
    /** Seconds; 0 for no limit. */
    readonly SessionDuration: number;
    readonly PlanName: string;
    readonly Banner: string;
    readonly DeprecationWarning: null;
    readonly ConnectAddresses: readonly { readonly Region: string; readonly ServerAddr: string }[];
    readonly AgentSessionID: string;
    /** Useful connections now, one for each daemon that takes agents. Absent for agents of other projects. */
    readonly UnderpassConnections?: number;
    /** Id of the daemon that the session is at, for the same agents. */
    readonly UnderpassDaemon?: string;
    /** The version of this project's agents that belongs to this daemon, for them alone. */
    readonly UnderpassAgentVersion?: string;
  };
}

export function failedBind(error: string): BindAnswer {
  return { Id: '', URL: '', Proto: '', Opts: null, Error: error, Extra: { Token: '', TunnelID: '' } };
}

export function failedAuth(error: string, serverVersion: string, region: string): AuthAnswer {
  return {
    Version: '',
    ClientId: '',
    Error: error,
    Extra: {
      Version: serverVersion,
      Region: region,
      Cookie: '',
      AccountName: '',
      SessionDuration: 0,
      PlanName: '',
      Banner: '',
      DeprecationWarning: null,
      ConnectAddresses: [],
      AgentSessionID: '',
    },
  };
}

/** An error as agents print it: the text, and its code alone on the last line, which they recognise. */
export function errorText(problem: Problem, prefix: string): string {
  return `${problem.message}\n\n${errorCode(prefix, problem.code)}`;
}

/** Anything raised, as a Problem; what is none is a fault of ours and shown as such. */
export function asProblem(error: unknown, report: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error;
  report(error);
  if (error instanceof StoreRefusedError) return new Problem('storeRefused');
  if (error instanceof StoreUnavailableError) return new Problem('storeUnavailable', { seconds: 1 });
  return new Problem('internalError');
}
