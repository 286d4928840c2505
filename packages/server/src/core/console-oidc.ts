/** Settings of the sign-in to the console by OpenID Connect, and the role that groups give. Pure. */

/** Roles of users, the one with most rights first. */
export const userRoles = ['admin', 'member', 'viewer'] as const;
export type UserRole = (typeof userRoles)[number];

export interface GroupRole {
  readonly role: UserRole;
  /** Name of the group, as the provider states it. */
  readonly group: string;
}

export interface ConsoleOidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Scopes beside `openid`. */
  readonly scopes: readonly string[];
  /** The claim with the groups of a user. */
  readonly groupsClaim: string;
  readonly roles: readonly GroupRole[];
  /** The account of the users; null: the only one. */
  readonly account: string | null;
}

/** Returns the role with most rights that a user's groups give; null for none. Names are compared exactly. */
export function roleByGroups(groups: readonly string[], roles: readonly GroupRole[]): UserRole | null {
  const given = new Set(roles.filter(({ group }) => groups.includes(group)).map(({ role }) => role));
  return userRoles.find((role) => given.has(role)) ?? null;
}
