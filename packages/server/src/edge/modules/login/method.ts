/**
 * The provider's side of a login.
 * Invariant: all facts about a user come from the provider.
 */
import type { BegunFlow, Flow } from '../../../login/flows.ts';
import type { LoginError } from '../../../login/login-fault.ts';
import type { Place } from '../../../login/place.ts';
import type { LoginUser, Session } from '../../../login/session.ts';

/** Identity by a provider. */
export interface Identity {
  /** Groups that matter most come first: those that find no room in a cookie are left out. */
  readonly user: LoginUser;
  /** See Session. */
  readonly handles: readonly string[];
  readonly token: string;
  /** The end of the session at the provider, in milliseconds since 1970. Absent or null: unknown. */
  readonly until?: number | null;
}

export interface LoginMethod {
  readonly module: Place['module'];
  /** The id of the application at the provider; absent for none. */
  readonly clientId?: string;
  /**
   * Returns the URL for the login; `isForced`: even if the provider knows the user. Rejects with LoginFault. The
   * provider sends the visitor back, directly or by a place of ours, to `callbackPath` of the flow's host with
   * `state` in the query.
   */
  begin(begun: BegunFlow, isForced: boolean): Promise<string>;
  /** `query` is what the visitor came back with. Rejects with LoginFault. */
  finish(query: URLSearchParams, flow: Flow): Promise<Identity>;
  /** True if logins may begin at the provider: their flows are of no browser. */
  readonly takesUnsolicited: boolean;
  /** The error for a user without permission. */
  readonly denial: LoginError;
  /** Called for each request. Returns the reason of a refusal for the log; null to admit. */
  refusalOf(user: LoginUser): string | null;
  /** Called for each request. Returns true if the session's identity provider is still trusted. Absent: always. */
  vouchesStill?(session: Session): boolean;
  /** Repeats the check at the provider. Absent: only the login checks. */
  readonly recheck?: {
    readonly seconds: number;
    /** Null: the user has to log in again. Rejects with LoginFault. */
    ask(session: Session): Promise<Identity | null>;
  };
  /**
   * Returns the URL that ends the session at the provider, too; null if there is none. The provider then sends the
   * visitor to `logoutPath` of the host. Rejects with LoginFault.
   */
  logoutUrl(session: Session, host: string): Promise<string | null>;
}
