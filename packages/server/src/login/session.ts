/**
 * The session of a logged-in user: its user, its beginning and its end.
 * Invariant: only the clock of this service decides how long a session lasts.
 */

/** User as the identity provider states; '' and empty for what it does not state. */
export interface LoginUser {
  readonly id: string;
  readonly email: string;
  /** True if the provider states that it has verified the address. */
  readonly isEmailVerified: boolean;
  readonly name: string;
  readonly groups: readonly string[];
  /** Attributes in which groups were looked up, for the log. Absent unless the user is in none that the module lists. */
  readonly groupSource?: string;
}

/** Content of the session cookie, sealed for its place. Times are milliseconds since 1970. */
export interface Session {
  readonly id: string;
  readonly user: LoginUser;
  /** Handles by which it can be ended beside its id: a session of the identity provider. */
  readonly handles: readonly string[];
  readonly begunAt: number;
  /** Latest end, set at the start: the record of an earlier end is kept no longer. */
  readonly endsAt: number;
  /** Time of the last known request. */
  readonly seenAt: number;
  /** Time of the last check of the user at the identity provider. */
  readonly checkedAt: number;
  /**
   * Token for further requests to the provider, or the provider's id of its own session; '' if neither is needed, or
   * if the cookie would be too large.
   */
  readonly token: string;
}

/** Limits of sessions, in seconds. */
export interface SessionLimits {
  /** 0: none. */
  readonly inactivity_timeout: number;
  /** 0: the default. */
  readonly maximum_duration: number;
}

/** Default of a module without a value: 14 days, in seconds. */
export const defaultMaximumDuration = 14 * 24 * 60 * 60;

/** Clocks of several daemons differ by less, in milliseconds. */
const toleranceMs = 5 * 60_000;

/** Returns the latest end of a session that begins now. */
export function latestEnd(begunAt: number, { maximum_duration }: SessionLimits): number {
  return begunAt + (maximum_duration || defaultMaximumDuration) * 1000;
}

/** Returns the latest end of a session. Shorter limits of the present configuration apply to it, longer ones do not. */
export function endOf(
  { begunAt, endsAt }: Pick<Session, 'begunAt' | 'endsAt'>,
  limits: SessionLimits,
): number {
  return Math.min(endsAt, latestEnd(begunAt, limits));
}

/**
 * Returns the reason why a session has ended at `now`; null if it has not. If its last use is later than now, one of
 * the clocks was wrong, and its age is unknown.
 */
export function overBecause(
  session: Pick<Session, 'begunAt' | 'endsAt' | 'seenAt'>,
  limits: SessionLimits,
  now: number,
): 'clock' | 'maximum duration' | 'inactivity' | null {
  if (Math.max(session.begunAt, session.seenAt) > now + toleranceMs) return 'clock';
  if (now >= endOf(session, limits)) return 'maximum duration';
  const { inactivity_timeout } = limits;
  if (inactivity_timeout > 0 && now >= session.seenAt + inactivity_timeout * 1000) return 'inactivity';
  return null;
}
