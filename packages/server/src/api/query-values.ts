/** Reads the parameters of an operation that belongs to no kind. */
import type { TObject, TSchema } from '../core/type.ts';
import { Problem } from '../errors/problem.ts';
import type { Keywords } from '../resources/keywords.ts';
import type { QueryValues } from '../resources/standalone/definition.ts';
import { validate } from '../resources/validate.ts';
import { checkBefore, limitOf, parameters } from './query.ts';

/** Returns the parameters in a query, with the defaults of the schema. Raises Problem. */
export function queryValues(schema: TObject, query: string): QueryValues {
  const properties: Readonly<Record<string, TSchema>> = schema.properties;
  const given = parameters(query, Object.keys(properties));
  const values = Object.entries(properties).flatMap(([name, property]) => {
    const text = given.get(name);
    if (text === undefined) return 'default' in property ? [[name, property.default] as const] : [];
    return [[name, readValue(name, property as Keywords, text)] as const];
  });
  try {
    return validate(schema, Object.fromEntries(values)) as QueryValues;
  } catch (error) {
    throw error instanceof Problem ? aboutParameter(error) : error;
  }
}

/** Text that is no value of the type stays text, which the validation rejects. */
function readValue(name: string, property: Keywords, text: string): string | number | boolean {
  const { type, maximum, 'x-id-prefixes': [prefix] = [] } = property;
  if (name === 'limit') return limitOf(text, maximum);
  if (name === 'before_id' && prefix !== undefined) checkBefore(text, prefix);
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

/** Names the parameter instead of a field of a body. */
function aboutParameter(problem: Problem): Problem {
  const { field } = problem.details;
  if (field === undefined) return problem;
  const name = field.slice(1);
  return problem.withWords({ ...problem.values, field: name }, { ...problem.details, field: name });
}
