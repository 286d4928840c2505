/** Takes the body of a request, has its endpoint run, and answers in the words of the client. */
import { Problem, type ProblemDetails } from '../errors/problem.ts';
import { type ProblemValues, Terms } from '../errors/values.ts';
import type { Request } from '../http-server/request.ts';
import type { JsonObject, JsonValue } from '../store/store.ts';
import { readBody } from './body.ts';
import { checkContentCoding, checkContentType } from './checks.ts';
import type { Call, Endpoint, KindEndpoint } from './endpoints.ts';
import { parseJson } from './json.ts';
import type { ProfileWords } from './profile-words.ts';
import { inOurWords, inTheirWords, pointerInTheirWords, type Scope, scopeAt } from './vocabulary.ts';

/**
 * Parses the body for an endpoint, synchronously if it has none; null for no body. `grow` as for `readBody`. Raises
 * Problem.
 */
export function takeBody(
  request: Request,
  endpoint: Endpoint,
  grow: (bytes: number) => void,
): JsonValue | Promise<JsonValue> {
  const { body: manner } = endpoint;
  switch (manner) {
    case 'json':
      return readJson(request, endpoint, grow);
    case 'none':
      return refuseBody(request);
    case 'ignored':
      if (request.hasBody) request.discardBody();
      return null;
    default:
      throw new Error(`a body is taken as ${manner satisfies never}`);
  }
}

async function readJson(
  request: Request,
  endpoint: Endpoint,
  grow: (bytes: number) => void,
): Promise<JsonValue> {
  if (!request.hasBody) {
    // Clients leave out a body that would have no fields: a PATCH that changes nothing, a module with its defaults. Nothing new is made so.
    return fieldsAreOptional(endpoint) ? {} : parseJson(new Uint8Array());
  }
  checkContentType(request.headers.get('content-type'));
  checkContentCoding(request.headers.get('content-encoding'));
  return parseJson(await readBody(request, grow));
}

function fieldsAreOptional(endpoint: Endpoint): boolean {
  const { verb } = endpoint;
  if (verb === 'standalone') return (endpoint.standalone.body?.write.required ?? []).length === 0;
  return verb === 'update' || verb === 'updateElement' || verb === 'putModule';
}

/** Refuses a body for methods without one. Raises Problem. */
export function refuseBody(request: Request): null {
  if (request.hasBody) throw new Problem('bodyNotAllowed', { method: request.method });
  return null;
}

/** Returns the response as JSON; null for none. `words` are the client's names. Raises Problem. */
export function perform(
  endpoint: KindEndpoint,
  call: Call,
  words: ProfileWords | null,
): Promise<JsonObject | null> {
  return words === null ? endpoint.run(call) : performInTheirs(endpoint, call, words);
}

async function performInTheirs(
  endpoint: KindEndpoint,
  call: Call,
  words: ProfileWords,
): Promise<JsonObject | null> {
  const { request, result } = words.of(endpoint);
  try {
    const answer = await endpoint.run({ ...call, body: inOurWords(request, call.body) });
    return inTheirWords(result, answer) as JsonObject | null;
  } catch (error) {
    throw error instanceof Problem ? problemInTheirWords(error, request) : error;
  }
}

/**
 * Returns a problem with the place of the fault and the accepted values in the words of the client. `scope` is that of
 * the request.
 */
function problemInTheirWords(problem: Problem, scope: Scope | undefined): Problem {
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
