/**
 * The request headers in which backends receive the logged-in user.
 * Invariant: visitors cannot send them, because the edge removes them from every request.
 */

/** Header names in lower case. */
export interface UserHeaders {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly groups: string;
}

/** The names if no profile is set. */
export const defaultUserHeaders: UserHeaders = {
  id: 'underpass-auth-user-id',
  email: 'underpass-auth-user-email',
  name: 'underpass-auth-user-name',
  groups: 'underpass-auth-user-groups',
};
