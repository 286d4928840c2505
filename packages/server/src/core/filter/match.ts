/** Decides whether an object of plain JSON matches a filter. */
import type { Filter, Operand, Operator, Term } from './filter.ts';

/** Returns true if every term holds. */
export function matches(filter: Filter, value: unknown): boolean {
  for (const term of filter) if (!holds(term, value)) return false;
  return true;
}

/** `!=` is the opposite of `=`: it holds if no value of the field is equal. */
function holds(term: Term, value: unknown): boolean {
  const { operator, operand } = term;
  const isNegated = operator === '!=';
  // Equal to null: there is no value.
  if (operand.type === 'null') return some(term, value, 0) === isNegated;
  return some(term, value, 0) !== isNegated;
}

/** Returns true if one value of the field passes. */
function some(term: Term, value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.some((item) => some(term, item, depth));
  if (value === null || value === undefined) return false;
  const step = term.path[depth];
  if (step === undefined) return passes(term.operator, term.operand, value);
  if (typeof value !== 'object' || !Object.hasOwn(value, step)) return false;
  return some(term, (value as Readonly<Record<string, unknown>>)[step], depth + 1);
}

/** `value` is not null. */
function passes(operator: Operator, operand: Operand, value: unknown): boolean {
  switch (operand.type) {
    case 'null':
      return true;
    case 'text':
      return typeof value === 'string' && textPasses(operator, operand.value, value);
    case 'number':
      return typeof value === 'number' && compared(operator, value, operand.value);
    case 'time':
      return typeof value === 'string' && compared(operator, Date.parse(value), operand.value);
    case 'boolean':
      return value === operand.value;
  }
}

function textPasses(operator: Operator, wanted: string, value: string): boolean {
  switch (operator) {
    case 'contains':
      return value.toLowerCase().includes(wanted);
    case 'starts_with':
      return value.toLowerCase().startsWith(wanted);
    default:
      return compared(operator, value, wanted);
  }
}

/** Texts are compared by their UTF-16 units. A time that is none passes nothing. */
function compared<T extends string | number>(operator: Operator, value: T, wanted: T): boolean {
  switch (operator) {
    case '>':
      return value > wanted;
    case '>=':
      return value >= wanted;
    case '<':
      return value < wanted;
    case '<=':
      return value <= wanted;
    default:
      return value === wanted;
  }
}
