/**
 * The reads from which sites are compiled. Every read is recorded. If its result changes, the site is compiled again.
 */
import type { IpRuleSet } from '../../core/ip/ip-rule-set.ts';
import type { StoredDocument } from '../../documents/index.ts';
import type { Login } from '../../login/login.ts';
import type { GroupKind, Groups } from './groups.ts';
import type { ExplainedBackend } from './site.ts';
import type { SiteKind } from './site-documents.ts';

export interface Look {
  /** Undefined also for an id of another kind. */
  get<Kind extends SiteKind>(kind: Kind, id: string): StoredDocument<Kind> | undefined;
  /** Returns the documents of a group with this kind. */
  group<Kind extends SiteKind, Of extends GroupKind>(
    kind: Kind,
    group: Of,
    of: Groups[Of],
  ): readonly StoredDocument<Kind>[];
  /** The rules of an IP policy as they are at each moment; of one that is gone: none. */
  rules(policy: string): IpRuleSet;
  /** Returns the secret that was sealed for a place; null if it cannot be opened. */
  secret(sealed: string, context: string): string | null;
  /** The shared part of login modules; null if logins are impossible. */
  readonly login: Login | null;
  /** The compiled backend; one that is gone or was never there leads nowhere. */
  backend(id: string): ExplainedBackend;
}
