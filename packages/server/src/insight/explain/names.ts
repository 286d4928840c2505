/**
 * Looks up names and ports for the caller of an explanation.
 * Invariant: a name or port of another account is like one that no account has.
 */
import type { Hostname } from '../../core/names/hostname.ts';
import { isSharedName } from '../../core/service-names.ts';
import { type CompiledSite, idleSite } from '../../edge/compile/compile-site.ts';
import type { EdgeRules } from '../../edge/edge.ts';

export class OwnNames {
  readonly #rules: EdgeRules;
  readonly #account: string;

  constructor(rules: EdgeRules, account: string) {
    this.#rules = rules;
    this.#account = account;
  }

  /** The site of a name with TLS. A name that agents may get has one without an account. */
  lookup(hostname: Hostname): CompiledSite | undefined {
    const { sites, settings } = this.#rules;
    const own = this.#own(sites.lookup(hostname));
    return own ?? (isSharedName(hostname, settings) ? freeSite : undefined);
  }

  /** The site of a name over plain HTTP. */
  lookupPlain(hostname: Hostname): CompiledSite | undefined {
    return this.#own(this.#rules.sites.lookupPlain(hostname));
  }

  atPort(port: number): CompiledSite | undefined {
    return this.#own(this.#rules.sites.atPort(port));
  }

  #own(site: CompiledSite | undefined): CompiledSite | undefined {
    return site?.account === this.#account ? site : undefined;
  }
}

const freeSite = idleSite('', '');
