/** How visitors prove who they are: the provider's side of a login. Never that a user is made up here: all of it comes from the provider. */
import type { BegunFlow, Flow } from '../../../login/flows.ts';
import type { LoginError } from '../../../login/login-fault.ts';
import type { Place } from '../../../login/place.ts';
import type { LoginUser, Session } from '../../../login/session.ts';

/** What a provider has vouched for. */
export interface Identity {
  /** Groups that matter most come first: those that find no room in a cookie are left out. */
  readonly user: LoginUser;
  /** See Session. */
  readonly handles: readonly string[];
  readonly token: string;
  /** When the provider wants the session to be over, in milliseconds since 1970. Absent or null: it does not say. */
  readonly until?: number | null;
}

export interface LoginMethod {
  readonly module: Place['module'];
  /** Of the application at the provider; absent: it knows none. */
  readonly clientId?: string;
  /**
   * Where the visitor is sent to log in; `isForced`: even if the provider knows who it is. Rejects with LoginFault.
   * The provider sends the visitor back, directly or by a place of ours, to `callbackPath` of the flow's host with `state` in the query.
   */
  begin(begun: BegunFlow, isForced: boolean): Promise<string>;
  /** `query` is what the visitor came back with. Rejects with LoginFault. */
  finish(query: URLSearchParams, flow: Flow): Promise<Identity>;
  /** Whether logins may begin at the provider: their flows are of no browser. */
  readonly takesUnsolicited: boolean;
  /** What a user is told who may not come in. */
  readonly denial: LoginError;
  /** Asked for each request. Why the user may not come in, for the log; null: may. */
  refusalOf(user: LoginUser): string | null;
  /** Asked for each request: whether what has vouched for the session may do so now. Absent: always. */
  vouchesStill?(session: Session): boolean;
  /** Asks the provider again about who is logged in. Absent: it is asked at the login alone. */
  readonly recheck?: {
    readonly seconds: number;
    /** Null: the user has to log in again. Rejects with LoginFault. */
    ask(session: Session): Promise<Identity | null>;
  };
  /** Where the session ends at the provider, too, which sends the visitor back to `logoutPath` of the host; null: nowhere. Rejects with LoginFault. */
  logoutUrl(session: Session, host: string): Promise<string | null>;
}
