/** Stored shapes of accounts, of who is in them, of what they get in with, and of from where. */
import type { Described } from './described.ts';

export type AccountDocument = {
  readonly name: string;
};

export type UserDocument = {
  readonly name: string;
  /** `''` for none. */
  readonly email: string;
  readonly role: 'admin' | 'member';
  readonly active: boolean;
};

/** A member that is no person. */
export type BotUserDocument = {
  readonly name: string;
  readonly active: boolean;
};

/** Who answers for a key or a credential. */
export type Owned = {
  readonly owner_id: string;
  /** The same as it was named, where that was by an alias of the kind. */
  readonly owner_alias?: string;
};

export type ApiKeyDocument = Described &
  Owned & {
    /** SHA-256 of the whole token, base64url. A token is `<id suffix>_<secret>`, so the id is found from the token. */
    readonly token_hash: string;
  };

export type CredentialDocument = Described &
  Owned & {
    /** As in `ApiKeyDocument`. */
    readonly token_hash: string;
    /** Bind rules as they were given; each is known to parse. */
    readonly acl: readonly string[];
  };

export type IpPolicyDocument = Described;

/** The parent is the policy. */
export type IpPolicyRuleDocument = Described & {
  /** Canonical. */
  readonly cidr: string;
  readonly ip_policy_id: string;
  readonly action: 'allow' | 'deny';
};

/** One per type and account. */
export type IpRestrictionDocument = Described & {
  /** False: what it would refuse is only logged. */
  readonly enforced: boolean;
  readonly type: 'dashboard' | 'api' | 'agent' | 'endpoints';
  readonly ip_policy_ids: readonly string[];
};

/** Account `system`: what was used for a login, which the name says, or what ended sessions. Times are milliseconds since the epoch. */
export type LoginRecordDocument = {
  /** Nothing can be refused because of it any more. */
  readonly expires_at: number;
  /** What the sessions are known by that have ended; '' for none. */
  readonly ended: string;
  /** What began later has not ended; 0 for none. */
  readonly ended_at: number;
};
