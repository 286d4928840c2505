/** Modules that an explanation leaves out. The address of the page keeps them. */
import type { ExplanationRequest, ExplanationStep } from '@underpass/client';
import { query, setQuery } from '../router.ts';

type Module = NonNullable<ExplanationRequest['without']>[number];

/** The compiler requires each module. */
const MODULES: Readonly<Record<Module, true>> = {
  account_ip_restriction: true,
  mutual_tls: true,
  ip_restriction: true,
  user_agent_filter: true,
  basic_auth: true,
  webhook_verification: true,
  circuit_breaker: true,
  saml: true,
  oidc: true,
  oauth: true,
  websocket_tcp_converter: true,
  request_headers: true,
  response_headers: true,
  compression: true,
};

export function leftOut(): readonly Module[] {
  return (query.value.get('without') ?? '').split(',').filter(isModule);
}

/** Leaves one module out, or takes it in again. */
function toggle(module: Module): void {
  const before = leftOut();
  const after = before.includes(module) ? before.filter((one) => one !== module) : [...before, module];
  setQuery({ without: after.join(',') });
}

interface TrialParts {
  readonly step: ExplanationStep;
  /** Explains again. */
  readonly again: () => void;
}

/** A button that tries a step with its module turned off, or on again; none for other steps. */
export function Trial({ step: { step, outcome }, again }: TrialParts) {
  if (!isModule(step)) return null;
  const isOut = leftOut().includes(step);
  if (!isOut && outcome !== 'refused' && outcome !== 'answered') return null;
  const name = step.replaceAll('_', ' ');
  return (
    <button
      type="button"
      class="small"
      aria-label={isOut ? `Try with ${name} on` : `Try with ${name} off`}
      onClick={() => {
        toggle(step);
        again();
      }}
    >
      {isOut ? 'try with the rule on' : 'try with the rule off'}
    </button>
  );
}

function isModule(name: string): name is Module {
  return Object.hasOwn(MODULES, name);
}
