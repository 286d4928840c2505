/** Reads the filter of a request for a list. */
import type { Branch } from '../core/filter/fields.ts';
import { type Filter, type FilterFault, isFilterFault } from '../core/filter/filter.ts';
import { parseFilter } from '../core/filter/parse.ts';
import { Problem } from '../errors/problem.ts';

/** The query parameter, as problems name it. */
const field = 'filter';

/** Returns the checked filter over `fields`. Raises Problem. */
export function readFilter(text: string, fields: Branch): Filter {
  const parsed = parseFilter(text, fields);
  if (isFilterFault(parsed)) throw problemOf(parsed);
  return parsed;
}

function problemOf(fault: FilterFault): Problem {
  switch (fault.fault) {
    case 'syntax':
      return new Problem('filterMalformed', { position: fault.position, reason: fault.reason }, { field });
    case 'field': {
      const { allowed } = fault;
      const shown = allowed.length === 0 ? 'the field without it' : allowed.join(', ');
      return new Problem('filterFieldUnknown', { ...placeOf(fault), allowed: shown }, { field, allowed });
    }
    case 'operator': {
      const { allowed, operator } = fault;
      const values = { ...placeOf(fault), operator, allowed: allowed.join(' ') };
      return new Problem('filterOperatorUnsuitable', values, { field, allowed });
    }
    case 'value': {
      const { value, expected: form } = fault;
      return new Problem('filterValueUnsuitable', { ...placeOf(fault), value, form }, { field });
    }
    case 'bytes': {
      const { actual, limit } = fault;
      return new Problem('filterTooLong', { actual, limit }, { field, limit });
    }
    case 'terms': {
      const { limit } = fault;
      return new Problem('filterTooManyTerms', { limit }, { field, limit });
    }
  }
}

function placeOf({ field, position }: { readonly field: string; readonly position: number }) {
  return { field, position };
}
