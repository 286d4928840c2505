/** Writes a problem in the client's vocabulary: the place of the fault, and the accepted values. */
import type { Problem, ProblemDetails } from '../errors/problem.ts';
import { type ProblemValues, Terms } from '../errors/values.ts';
import { inTheirWords, pointerInTheirWords, type Scope, scopeAt } from './vocabulary.ts';

/** `scope` is that of the request that the problem is about. */
export function problemInTheirWords(problem: Problem, scope: Scope | undefined): Problem {
  if (scope === undefined) return problem;
  const values = Object.fromEntries(
    Object.entries(problem.values).map(([name, value]) => [name, inWords(name, value, scope)]),
  );
  const { allowed } = values;
  const details = {
    ...fieldOf(problem.details, scope),
    ...(allowed instanceof Terms ? { allowed: allowed.terms } : {}),
  };
  return problem.withWords(values, { ...problem.details, ...details });
}

function fieldOf({ field }: ProblemDetails, scope: Scope): ProblemDetails {
  return field === undefined ? {} : { field: pointer(field, scope) };
}

function inWords(name: string, value: ProblemValues[string], scope: Scope): ProblemValues[string] {
  if (value instanceof Terms) return termsIn(value, scope);
  return name === 'field' && typeof value === 'string' ? pointer(value, scope) : value;
}

/** The name of a parameter is no pointer, and stays. */
function pointer(field: string, scope: Scope): string {
  return field.startsWith('/') ? pointerInTheirWords(scope, field) : field;
}

function termsIn({ at, terms }: Terms, scope: Scope): Terms {
  const here = scopeAt(scope, at);
  if (here === undefined) return new Terms(at, terms);
  return new Terms(
    at,
    terms.map((term) => here.names.theirs(String(inTheirWords(here, term)))),
  );
}
