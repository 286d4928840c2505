/** Links to the rule about the address of a request. */
import type { Explanation, ExplanationStep, TrafficRequest } from '@underpass/client';
import { mayWrite } from '../api/session.ts';
import { href } from '../router.ts';

/** Drawn for users who may change something. A refused visitor is suggested to be allowed. */
export function AddressRuleLink({ request }: { readonly request: TrafficRequest }) {
  if (!mayWrite()) return null;
  const { site, route, client_ip: ip, decisions } = request;
  const isRefused = decisions.some(
    ({ module, decision }) => module.endsWith('ip_restriction') && decision !== 'allow',
  );
  const state = { ip, site, route, action: isRefused ? 'allow' : 'deny' };
  return (
    <a class="button" href={href(['address-rule'], state)}>
      {isRefused ? 'Allow this address' : 'Deny this address'}
    </a>
  );
}

interface AllowParts {
  readonly explanation: Explanation;
  readonly step: ExplanationStep;
  /** The address that is explained. */
  readonly ip: string;
}

/** Leads from a refusal by an IP restriction to the rule that allows the address. */
export function AllowLink({ explanation, step, ip }: AllowParts) {
  if (!mayWrite() || !step.step.endsWith('ip_restriction') || step.outcome !== 'refused') return null;
  const resourceOf = (...names: readonly string[]) =>
    explanation.steps.find((one) => names.includes(one.step) && one.resource !== '')?.resource ?? '';
  const state = { ip, site: resourceOf('name', 'listener'), route: resourceOf('route'), action: 'allow' };
  return (
    <a class="button small" href={href(['address-rule'], state)}>
      allow
    </a>
  );
}
