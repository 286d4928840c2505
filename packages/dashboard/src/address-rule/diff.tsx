/** The difference that a rule makes: the rules of its policy, and the verdict on the address before and after. */
import type { IPRulesVerdict } from '@underpass/client';
import { Status } from '@underpass/ui/status.tsx';
import type { Place } from './places.ts';
import { type Action, NEW, type Plan } from './plan.ts';

export interface Difference {
  readonly plan: Plan;
  readonly action: Action;
  /** The place where the policy decides; null if it decides nowhere for the request. */
  readonly place: Place | null;
  /** Null: no rule concerns the address yet. */
  readonly now: IPRulesVerdict | null;
  readonly after: IPRulesVerdict;
}

/** Rules that are shown at most. */
const RULES_MAX = 50;

export function DifferenceView({ difference }: { readonly difference: Difference }) {
  const { plan, place, now, after } = difference;
  const { before, added } = plan;
  const more = before.length - RULES_MAX;
  return (
    <>
      <ul class="diff" aria-label="Rules of the policy">
        {before.slice(0, RULES_MAX).map(({ id, action, cidr }) => (
          <li key={id}>
            <code>{`  ${action} ${cidr}`}</code>
          </li>
        ))}
        {more > 0 && <li class="remark">and {more} more</li>}
        {added.map(({ action, cidr }) => (
          <li key={`${action} ${cidr}`}>
            <ins>
              <code>{`+ ${action} ${cidr}`}</code>
            </ins>
          </li>
        ))}
      </ul>
      <p class="verdict">
        {after.ip} {place === null ? 'by this policy alone' : `at ${place.title}`}:{' '}
        {now === null ? <Status kind={2}>allowed</Status> : <Outcome verdict={now} />} now, then{' '}
        <Outcome verdict={after} />. {after.why}
      </p>
      {warningsOf(difference).map((warning) => (
        <p key={warning} class="banner">
          {warning}
        </p>
      ))}
    </>
  );
}

function Outcome({ verdict: { outcome } }: { readonly verdict: IPRulesVerdict }) {
  return <Status kind={outcome === 'allowed' ? 2 : 5}>{outcome}</Status>;
}

function warningsOf({ plan, action, place, after }: Difference): readonly string[] {
  const isNew = plan.policy === NEW;
  const warnings: string[] = [];
  if (isNew && action === 'allow')
    warnings.push(`Every other address is refused at ${place?.title ?? 'this place'} from then on.`);
  if (action === 'allow' && after.outcome === 'denied')
    warnings.push('The address stays denied: a deny rule comes before all allow rules.');
  if (place === null)
    warnings.push('The policy does not decide about the request, so nothing changes for it.');
  if (place !== null && !place.isOn && !isNew)
    warnings.push(`The restriction at ${place.title} is off, so it refuses no visitor.`);
  return warnings;
}
