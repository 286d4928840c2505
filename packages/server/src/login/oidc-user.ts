/** Who a user is by the claims of OpenID Connect (Core, section 5.1). Never longer than what has room in a cookie and in headers. */
import type { LoginUser } from './session.ts';

const mostClaim = 255;
const mostGroups = 500;

type Claims = Readonly<Record<string, unknown>>;

/** An address that the provider has not verified is anybody's, and counts as none. */
export function userFrom(claims: Claims): LoginUser {
  const { sub, email, email_verified, name, preferred_username, groups } = claims;
  return {
    id: textOf(sub),
    email: isVerified(email_verified) ? textOf(email).toLowerCase() : '',
    name: textOf(name) || textOf(preferred_username),
    groups: Array.isArray(groups) ? groups.slice(0, mostGroups).map(textOf).filter(Boolean) : [],
  };
}

/** Some providers write it as a text, and some say nothing of it. */
function isVerified(value: unknown): boolean {
  return value === undefined || value === true || value === 'true';
}

/** Whole: a part of an address, or of the name of a group, could be another one. */
function textOf(value: unknown): string {
  return typeof value === 'string' && value.length <= mostClaim && !/\p{Cc}/u.test(value) ? value : '';
}
