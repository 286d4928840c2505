/** Random histories of calls, for tests of what holds for any of them. */
import fc from 'fast-check';
import { type Plan, plans } from './plans.fixture.ts';
import { type Reference, reference } from './references.fixture.ts';

export type Verb =
  | 'create'
  | 'get'
  | 'list'
  | 'update'
  | 'remove'
  | 'putModule'
  | 'getModule'
  | 'removeModule'
  | 'detach'
  | 'addElement'
  | 'listElements'
  | 'getElement'
  | 'updateElement'
  | 'removeElement';

export interface Step {
  readonly verb: Verb;
  readonly kind: string;
  /** The admin of one account, a member of it, or the admin of another. */
  readonly as: 0 | 1 | 2;
  readonly target: Reference;
  /** The parent of a kind below another one. */
  readonly parent: Reference | null;
  /** Name of a module, a detachment or an element. */
  readonly name: string;
  readonly page: { readonly limit: number; readonly before: Reference | null };
  /** Body in the form of the plans. */
  readonly body: unknown;
}

type Body = fc.Arbitrary<unknown>;

function stepsOf(kind: string, plan: Plan): fc.Arbitrary<Step> {
  const none = fc.constant(null);
  const step = (
    verbs: readonly Verb[],
    { body = none, name = fc.constant('') }: { body?: Body; name?: fc.Arbitrary<string> } = {},
  ) =>
    fc.record<Step>({
      verb: fc.constantFrom(...verbs),
      kind: fc.constant(kind),
      as: fc.constantFrom(0, 0, 0, 0, 1, 2),
      target: reference(kind),
      parent: plan.parent === undefined ? none : reference(plan.parent),
      name,
      page: fc.record({
        limit: fc.integer({ min: 1, max: 3 }),
        before: fc.option(reference(kind)),
      }),
      body,
    });
  const { elements } = plan;
  return fc.oneof(
    { weight: 8, arbitrary: step(['create'], { body: plan.create }) },
    { weight: 3, arbitrary: step(['update'], { body: plan.update ?? plan.create }) },
    { weight: 2, arbitrary: step(['remove', 'get', 'list']) },
    ...Object.entries(plan.modules ?? {}).flatMap(([module, body]) => {
      const name = fc.constant(module);
      return [step(['putModule'], { body, name }), step(['getModule', 'removeModule'], { name })];
    }),
    ...(plan.detachments ?? []).map((name) => step(['detach'], { name: fc.constant(name) })),
    ...(elements === undefined
      ? []
      : [
          step(['addElement', 'listElements'], { body: elements.body }),
          step(['getElement', 'updateElement', 'removeElement'], {
            body: elements.body,
            name: fc.constantFrom(...elements.keys),
          }),
        ]),
  );
}

/** Histories of up to 250 steps. */
export const histories: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    ...Object.entries(plans).map(([kind, plan]) => ({
      weight: plan.weight ?? 1,
      arbitrary: stepsOf(kind, plan),
    })),
  ),
  { maxLength: 250, size: 'max' },
);
