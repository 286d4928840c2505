/** The request headers by which backends read who has logged in. Never that visitors can send them: the edge takes them off every request. */

/** Names in lower case. */
export interface UserHeaders {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly groups: string;
}

/** Unless a profile names others. */
export const defaultUserHeaders: UserHeaders = {
  id: 'underpass-auth-user-id',
  email: 'underpass-auth-user-email',
  name: 'underpass-auth-user-name',
  groups: 'underpass-auth-user-groups',
};
