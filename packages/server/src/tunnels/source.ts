/** Checks the address of an account's agent. */
import type { CredentialGrant } from '../access/tokens.ts';
import { Problem } from '../errors/problem.ts';
import type { IngressContext } from './context.ts';

/** Raises Problem when the account's IP restriction does not let agents come from there. */
export function checkSource(
  { restrictions, log }: Pick<IngressContext, 'restrictions' | 'log'>,
  { account, credential }: Pick<CredentialGrant, 'account' | 'credential'>,
  ip: string,
): void {
  const verdict = restrictions.judge(account, 'agent', ip);
  if (verdict === 'refused') throw new Problem('agentSourceRefused', { address: ip });
  if (verdict === 'unenforced')
    log.warn(
      { account, credential, ip },
      'agent would have been refused: the IP restriction is not enforced',
    );
}
