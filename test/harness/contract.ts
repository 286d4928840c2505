/**
 * Checks the daemon's responses against the OpenAPI document: the first difference is an AssertionError.
 * Invariant: error responses are checked as well.
 */
import assert from 'node:assert/strict';
import { checkConventions } from './conventions.ts';
import type { LooseJson as Loose } from './loose-json.ts';
import { acceptedChecksIn, type Check, checksIn, closed } from './strict-schema.ts';

/** Statuses that any request may meet, whatever the operation. */
const ANYTIME = [408, 421, 431];
const JSON_TYPE = 'application/json';
/** Statuses of requests without an operation. */
const NOWHERE = [400, 401, 403, 404, 405, 429, 500, 503];

export interface ApiExchange {
  readonly method: string;
  readonly url: URL;
  /** Body as sent; null for none. */
  readonly sent: string | null;
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

interface Found {
  readonly operation: Loose;
  /** JSON pointer to the operation. */
  readonly at: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Checks by JSON pointer to a schema. */
interface Checks {
  readonly sent: (at: string) => Check;
  readonly answered: (at: string) => Check;
}

/** Checks of documents, which are equal for many daemons: compiling them takes as long as a hundred requests. */
const known = new Map<string, Checks>();

function checksOf(document: object): Checks {
  const text = JSON.stringify({ ...document, servers: [] });
  const checks = known.get(text) ?? {
    sent: acceptedChecksIn(document),
    // Clients let new fields be; for this daemon's own document they are mistakes.
    answered: checksIn(closed(document)),
  };
  known.set(text, checks);
  return checks;
}

export class Contract {
  readonly #document: Loose;
  readonly #checks: Checks;

  constructor(document: object) {
    this.#document = document;
    this.#checks = checksOf(document);
  }

  check(exchange: ApiExchange): void {
    const { method, url, status } = exchange;
    const what = `${method} ${url.pathname} -> ${status}`;
    // It is an operation of no path.
    if (method === 'OPTIONS' && status === 204) {
      this.#checkResult(exchange, {}, '', what);
      return;
    }
    const found = this.#find(method === 'HEAD' ? 'get' : method.toLowerCase(), url.pathname);
    const { responses } = this.#document.components;
    const documented = found?.operation.responses[status];
    if (documented === undefined) {
      const expected = found === null ? [...NOWHERE, ...ANYTIME] : ANYTIME;
      assert.ok(
        expected.includes(status),
        `${what}: the document does not have this status: ${exchange.text}`,
      );
    }
    const response = documented?.$ref === undefined ? documented : null;
    if (response === undefined || response === null) {
      this.#checkError(exchange, responses[`Error${status}`], what);
      return;
    }
    this.#checkResult(exchange, response, `${found?.at}/responses/${status}`, what);
    if (found !== null) this.#checkRequest(exchange, found, what);
  }

  #checkError({ method, status, headers, text }: ApiExchange, response: Loose, what: string): void {
    assert.ok(response !== undefined, `${what}: the document does not describe this error`);
    for (const name of Object.keys(response.headers ?? {}))
      assert.ok(headers[name.toLowerCase()], `${what}: the header ${name} is missing`);
    if (method === 'HEAD') return;
    const error = parse(headers, text, what);
    this.#checks.answered('/components/schemas/Error')(error, what);
    assert.equal(error.status_code, status, what);
    assert.equal(error.details.operation_id, headers['underpass-operation-id'], what);
  }

  #checkResult({ method, headers, text }: ApiExchange, response: Loose, at: string, what: string): void {
    if (response.content === undefined) {
      assert.equal(text, '', `${what} has no body`);
      assert.equal(headers['content-type'], undefined, `${what} has no content type`);
      return;
    }
    if (method === 'HEAD') {
      assert.equal(text, '', `${what} has no body`);
      return;
    }
    const schema = `${at}/content/application~1json/schema`;
    const result = parse(headers, text, what);
    this.#checks.answered(schema)(result, what);
    checkConventions(result, this.#document.servers[0].url, what);
  }

  /** Checks that an accepted request is valid by the document. */
  #checkRequest(
    { method, sent, url }: ApiExchange,
    { operation, at, parameters }: Found,
    what: string,
  ): void {
    const { components } = this.#document;
    const query = new Set<string>();
    for (const parameter of operation.parameters ?? []) {
      // Operations that belong to no kind have parameters of their own.
      const referred = parameter.$ref?.split('/').at(-1);
      const { name, in: place } = referred === undefined ? parameter : components.parameters[referred];
      if (place === 'query') query.add(name);
    }
    for (const [name, value] of url.searchParams) {
      // One without a value counts as absent.
      if (value === '') continue;
      // As published clients spell it.
      const documented = name === 'beforeId' ? 'before_id' : name;
      assert.ok(query.has(documented), `${what} accepted ?${name}`);
    }

    if (operation.requestBody === undefined || sent === null) return;
    const schema = `${at}/requestBody/content/application~1json/schema`;
    const body = withoutRepeated(JSON.parse(sent), parameters);
    const given = method === 'PUT' ? (body?.module ?? body) : body;
    this.#checks.sent(schema)(given, `the body that ${what} accepted`);
  }

  #find(method: string, pathname: string): Found | null {
    const segments = pathname.split('/');
    for (const [template, item] of Object.entries<Loose>(this.#document.paths)) {
      const parameters = match(template.split('/'), segments);
      if (parameters === null || item[method] === undefined) continue;
      const at = `/paths/${template.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll(/[{}]/g, encodeURIComponent)}`;
      return { operation: item[method], at: `${at}/${method}`, parameters };
    }
    return null;
  }
}

function match(template: readonly string[], segments: readonly string[]): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const parameters: Record<string, string> = {};
  for (const [index, wanted] of template.entries()) {
    const segment = segments[index] ?? '';
    const [, name] = /^\{(\w+)\}$/.exec(wanted) ?? [];
    if (name === undefined ? segment !== wanted : segment === '') return null;
    if (name !== undefined) parameters[name] = decoded(segment);
  }
  return parameters;
}

/** Returns the decoded segment; '' if it does not encode UTF-8. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return '';
  }
}

/** Published clients repeat parameters of the path in the body; that is let be, and no field of the resource. */
function withoutRepeated(body: Loose, parameters: Readonly<Record<string, string>>): Loose {
  if (body === null || typeof body !== 'object') return body;
  const fields = Object.entries(body).filter(([name, value]) => parameters[name] !== value);
  return Object.fromEntries(fields);
}

function parse(headers: ApiExchange['headers'], text: string, what: string): Loose {
  assert.equal(headers['content-type'], JSON_TYPE, `the content type of ${what}`);
  return JSON.parse(text);
}
