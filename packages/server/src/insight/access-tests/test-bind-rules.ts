/** Answers `POST /credentials/test`. */
import { storedRules } from '../../access/tokens.ts';
import type { DocumentStore } from '../../documents/index.ts';
import { errorCode, Problem } from '../../errors/problem.ts';
import { checkRules } from '../../resources/acl.ts';
import type { StandaloneCall } from '../../resources/standalone/definition.ts';
import type { JsonObject } from '../../store/store.ts';
import type { BindTest, BindVerdict } from '../../tunnels/bind-test.ts';

export interface TestBindRulesOptions {
  readonly store: Pick<DocumentStore, 'get'>;
  readonly judge: (test: BindTest) => BindVerdict;
  /** Prefix of error codes. */
  readonly errorPrefix: string;
}

type Body = {
  readonly credential_id?: string;
  readonly acl?: readonly string[];
  readonly bind: string;
};

/** Raises Problem. */
export async function testBindRules(
  { store, judge, errorPrefix }: TestBindRulesOptions,
  { principal, body }: StandaloneCall,
): Promise<JsonObject> {
  const { credential_id: credential, acl: given, bind } = body as Body;
  if (credential !== undefined && given !== undefined)
    throw new Problem('bindTestCredential', {}, { field: '/acl' });
  const { account } = principal;
  const acl = credential === undefined ? checkRules(given ?? []) : await rulesOf(store, account, credential);
  const { kind, target, rule, denial } = judge({
    ...{ account, credential: credential ?? '', rules: storedRules(acl), bind },
  });
  return {
    outcome: denial === null ? 'permitted' : 'refused',
    ...{ kind, target, rule: rule === null ? '' : (acl[rule] ?? '') },
    error_code: denial === null ? '' : errorCode(errorPrefix, denial.code),
    why: denial === null ? permission(rule === null ? null : (acl[rule] ?? null)) : denial.message,
  };
}

function permission(rule: string | null): string {
  return rule === null
    ? 'There are no bind rules, so everything is permitted.'
    : `The rule "${rule}" permits it.`;
}

/** Raises Problem. */
async function rulesOf(
  store: Pick<DocumentStore, 'get'>,
  account: string,
  id: string,
): Promise<readonly string[]> {
  const document = await store.get(id);
  const isOwn = document?.account === account;
  if (!isOwn || (document.kind !== 'credential' && document.kind !== 'ssh_credential'))
    throw new Problem('resourceNotFound');
  return document.body.acl;
}
