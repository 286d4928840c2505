/** Reads the claims of OpenID Connect about a user (Core, section 5.1). */
import { asciiLower, isEmailAddress } from '../core/modules/email-address.ts';
import type { LoginUser } from './session.ts';

const mostClaim = 255;

type Claims = Readonly<Record<string, unknown>>;

/**
 * An address that the provider states to be unverified is left out, unless `takesUnverified`. One of which it states nothing stays, but does
 * not count as verified. All groups are there: lists are compared before a cookie has room for some only.
 */
export function userFrom(claims: Claims, takesUnverified = false): LoginUser {
  const { sub, email, email_verified, name, preferred_username, groups } = claims;
  const isUsable = takesUnverified || email_verified === undefined || isTrue(email_verified);
  const address = isUsable ? addressIn(email) : '';
  return {
    id: textOf(sub),
    email: address,
    isEmailVerified: address !== '' && isTrue(email_verified),
    name: textOf(name) || textOf(preferred_username),
    groups: Array.isArray(groups) ? groups.map(textOf).filter(Boolean) : [],
  };
}

/**
 * The claims of an ID token and of the userinfo response about the same subject, the latter first. `email_verified` comes from the source of
 * the address; the other source counts only if it has the same address.
 */
export function mergedClaims(token: Claims, info: Claims): Claims {
  const [source, other] = info.email === undefined ? [token, info] : [info, token];
  const { email, email_verified: own } = source;
  const email_verified = own === undefined && other.email === email ? other.email_verified : own;
  return { ...token, ...info, email, email_verified };
}

/** Some providers write the text "true" instead of the boolean. */
function isTrue(value: unknown): boolean {
  return value === true || value === 'true';
}

function addressIn(email: unknown): string {
  const text = asciiLower(textOf(email));
  return isEmailAddress(text) ? text : '';
}

/** The whole text: a part of an address, or of the name of a group, could be another one. */
function textOf(value: unknown): string {
  return typeof value === 'string' && value.length <= mostClaim && !/\p{Cc}/u.test(value) ? value : '';
}
