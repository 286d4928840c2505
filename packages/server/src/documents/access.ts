/** Stored shapes of accounts, their members, API keys, credentials and IP policies. */
import type { Described } from './described.ts';

export type AccountDocument = {
  readonly name: string;
};

export type UserDocument = {
  readonly name: string;
  /** `''` for none. */
  readonly email: string;
  /** A viewer only reads. A program from before viewers takes one for a member. */
  readonly role: 'admin' | 'member' | 'viewer';
  readonly active: boolean;
  /** The user at the provider of the console's sign-in. Absent: the API made the user. */
  readonly identity?: { readonly issuer: string; readonly subject: string };
};

/** A member that is a program. */
export type BotUserDocument = {
  readonly name: string;
  readonly active: boolean;
};

/** The owner of a key or a credential. */
export type Owned = {
  readonly owner_id: string;
  /** The owner as the request named it, if by an alias of the kind. */
  readonly owner_alias?: string;
};

export type ApiKeyDocument = Described &
  Owned & {
    /** SHA-256 of the whole token, base64url. A token is `<id suffix>_<secret>`, so the id is found from the token. */
    readonly token_hash: string;
  };

export type CredentialDocument = Described &
  Owned & {
    /** SHA-256 of the whole token, see `ApiKeyDocument`. */
    readonly token_hash: string;
    /** Bind rules as the request gave them. Each is known to parse. */
    readonly acl: readonly string[];
  };

export type IpPolicyDocument = Described;

/** The parent is the policy. */
export type IpPolicyRuleDocument = Described & {
  /** The range in its canonical form. */
  readonly cidr: string;
  readonly ip_policy_id: string;
  readonly action: 'allow' | 'deny';
};

/** One per type and account. */
export type IpRestrictionDocument = Described & {
  /** False: a violation is only logged. */
  readonly enforced: boolean;
  readonly type: 'dashboard' | 'api' | 'agent' | 'endpoints';
  readonly ip_policy_ids: readonly string[];
};

/**
 * A record of a used login, which the name identifies, or of ended sessions. Account `system`. Times are milliseconds
 * since 1970.
 */
export type LoginRecordDocument = {
  /** Milliseconds since 1970. Later, the record cannot refuse anything. */
  readonly expires_at: number;
  /** The key of the sessions that ended; '' for none. */
  readonly ended: string;
  /** Milliseconds since 1970. Sessions that began later have not ended; 0 for none. */
  readonly ended_at: number;
};

/** A one-time token for the sign-in to the console. The parent is the API key or the user that it signs in. */
export type ConsoleLinkDocument = {
  /** SHA-256 of the whole token, see `ApiKeyDocument`. */
  readonly token_hash: string;
  /** Milliseconds since 1970. */
  readonly expires_at: number;
};

/**
 * A signed-in browser. The parent is the API key or the user that it acts for, so that it ends with them. Times are
 * milliseconds since 1970.
 */
export type ConsoleSessionDocument = {
  /** SHA-256 of the cookie, see `ApiKeyDocument`. */
  readonly token_hash: string;
  /** `usr_…` or `bot_…` */
  readonly owner_id: string;
  readonly begun_at: number;
  /** The latest end. */
  readonly expires_at: number;
  /** The last use that was written down; it is at most a minute too old. */
  readonly seen_at: number;
  /** The address of the sign-in. */
  readonly address: string;
  /** The address of the last use. */
  readonly seen_from: string;
  /** The browser as it names itself, cut. */
  readonly user_agent: string;
};
