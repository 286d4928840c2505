/** Documents and rules from which sites are made, and the values that were made from them. */
import type { KindName, StoredDocument } from '../../documents/index.ts';
import type { Login } from '../../login/login.ts';
import type { OnlineTunnels } from '../../online/online.ts';
import { backendKinds, compileBackend } from '../backends/compile-backend.ts';
import { Dialler } from '../backends/dialler.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import type { GroupKind } from '../sites/groups.ts';
import type { ExplainedBackend } from '../sites/site.ts';
import {
  type BackendKind,
  kindsBesideBackends,
  type SiteDocument,
  type SiteKind,
} from '../sites/site-documents.ts';
import type { AccountLook, WouldRefuse } from './account-restriction.ts';
import type { CompiledSite } from './compile-site.ts';
import { Derived, type Name, type Read } from './derived.ts';
import { DocumentIndex, type DocumentKey } from './document-index.ts';
import { PolicyRules, type RulesView } from './policy-rules.ts';

/** Kinds of documents that it holds. */
export const siteKinds = [
  ...backendKinds,
  ...kindsBesideBackends,
  'ip_policy_rule',
] as const satisfies readonly KindName[];
export type FollowedKind = (typeof siteKinds)[number];

export interface SecretOpener {
  /** Raises an error for what was not sealed for this place. */
  open(sealed: string, context: string): string;
}

export interface SourcesOptions {
  readonly online: Pick<OnlineTunnels, 'matching'>;
  /** Dialler for static backends; absent: one that dials only public addresses. */
  readonly dialler?: Dialler;
  /** Opens what is sealed in documents; absent: nothing can be opened. */
  readonly sealer?: SecretOpener;
  /** Login of visitors, for modules; absent: no visitor can log in. */
  readonly login?: Login;
  /** Called with visitors that a restriction would refuse if it were enforced. */
  readonly wouldRefuse?: (visitor: WouldRefuse) => void;
  /** Random number from 0 up to, but not including, 1. */
  readonly random?: () => number;
}

/** The kinds of values, each with its type. A document and a backend are named by their ids. */
export interface SiteValues extends Readonly<Record<GroupKind, readonly SiteDocument[]>> {
  readonly document: SiteDocument | undefined;
  /** Rules of the policy with an id. */
  readonly rules: RulesView;
  readonly backend: ExplainedBackend;
  /** The site of an edge, or of a reservation with nothing online, by its id. */
  readonly site: CompiledSite;
  /** The site of a reservation without the required proof, by its id. */
  readonly unproven: CompiledSite;
  /** The site of a tunnel or a pool, by its id and those of its reservations. */
  readonly endpoint: CompiledSite;
}

export type ReadValue = Read<SiteValues>;

export class Sources {
  readonly documents: DocumentIndex;
  readonly derived: Derived<SiteValues>;
  readonly #rules: PolicyRules;
  readonly #options: SourcesOptions;
  readonly #dialler: Dialler;

  /** `touched` is called for each change of an input; `isRead` is true if a value was made from it. */
  constructor(options: SourcesOptions, touched: (key: DocumentKey | null, isRead: boolean) => void) {
    this.#options = options;
    this.#dialler = options.dialler ?? new Dialler({ allowPrivate: [] });
    this.derived = new Derived({ read: (kind, of) => this.#read(kind, of) });
    this.documents = new DocumentIndex((key) => touched(key, this.derived.touch(key.kind, key.of)));
    this.#rules = new PolicyRules((policy) => touched(null, this.derived.touch('rules', policy)));
  }

  /** The ids of all documents. */
  get ids(): readonly string[] {
    return [...this.documents.ids, ...this.#rules.ids];
  }

  put(document: StoredDocument<FollowedKind>): void {
    if (document.kind === 'ip_policy_rule') this.#rules.put(document);
    else this.documents.put(document);
  }

  /** Returns true if the id was that of a document that can hold names. */
  remove(id: string): boolean {
    const wasDocument = this.documents.remove(id);
    if (!wasDocument) this.#rules.remove(id);
    this.derived.forget('site', id);
    this.derived.forget('unproven', id);
    return wasDocument;
  }

  /** Reads the inputs as they are, without a record. */
  lookNow(): AccountLook {
    return this.look(((kind, of) => this.#read(kind, of)) as ReadValue);
  }

  look(read: ReadValue): AccountLook {
    return {
      get: (kind, id) => {
        const document = read('document', id);
        return document === undefined ? undefined : onlyOf(kind, [document])[0];
      },
      group: (kind, group, of) => onlyOf(kind, read(group, of)),
      rules: (policy) => read('rules', policy).rules,
      secret: (sealed, context) => this.#open(sealed, context),
      login: this.#options.login ?? null,
      backend: (id) => this.#backend(id, read),
      wouldRefuse: this.#options.wouldRefuse ?? (() => {}),
    };
  }

  #open(sealed: string, context: string): string | null {
    try {
      return this.#options.sealer?.open(sealed, context) ?? null;
    } catch {
      return null;
    }
  }

  #backend(id: string, read: ReadValue): ExplainedBackend {
    const { online, random = Math.random } = this.#options;
    const make = (below: ReadValue): ExplainedBackend => {
      const document = below('document', id) as StoredDocument<BackendKind> | undefined;
      if (document === undefined) return unservedBackend(id, 'edgeWithoutBackend');
      const child = (one: string): ExplainedBackend => this.#backend(one, below);
      return compileBackend(document, { online, dialler: this.#dialler, random, child });
    };
    this.derived.part('backend', id, make, (backend) => backend.dispose?.());
    return read('backend', id);
  }

  #read(kind: keyof SiteValues, of: Name): unknown {
    switch (kind) {
      case 'document':
        return this.documents.get(of as string);
      case 'rules':
        return this.#rules.view(of as string);
      case 'backend':
      case 'site':
      case 'unproven':
      case 'endpoint':
        return undefined;
      default:
        return this.documents.groups[kind].at(of as never);
    }
  }
}

/** The compiler cannot see that a kind which is equal is the same. */
export function onlyOf<Kind extends SiteKind>(
  kind: Kind,
  documents: readonly SiteDocument[],
): readonly StoredDocument<Kind>[] {
  return documents.filter(
    (document) => document.kind === kind,
  ) as readonly SiteDocument[] as readonly StoredDocument<Kind>[];
}
