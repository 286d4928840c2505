/** Reads the query of a request. */
import { parseId } from '../core/id.ts';
import { Problem } from '../errors/problem.ts';
import type { Selection, SelectionText } from '../resources/selection.ts';
import type { QueryValues } from '../resources/standalone/definition.ts';

export interface Page {
  readonly limit: number;
  readonly before?: string;
  /** Absent: every resource. */
  readonly selection?: Selection;
}

/** The checked query of a request. */
export interface Query extends Page {
  /** Parameters of an operation that belongs to no kind. */
  readonly values?: QueryValues;
}

const MAX_LIMIT = 100;
const FIRST_PAGE: Page = { limit: MAX_LIMIT };
const PAGE_PARAMETERS: readonly string[] = ['limit', 'before_id'];
const LIST_PARAMETERS: readonly string[] = [...PAGE_PARAMETERS, 'filter', 'q'];

/** Spellings of parameters by published clients that differ from the specification. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([['beforeId', 'before_id']]);

/** The two parts of a request target, without the question mark between them. */
export function splitTarget(target: string): { readonly pathname: string; readonly query: string } {
  const mark = target.indexOf('?');
  if (mark === -1) return { pathname: target, query: '' };
  return { pathname: target.slice(0, mark), query: target.slice(mark + 1) };
}

/**
 * Reads the query of a list. Ids of the list begin with `prefix` and an underscore. `select` checks `filter` and `q`; absent:
 * the list has no such parameters. Raises Problem.
 */
export function pageQuery(query: string, prefix: string, select?: (text: SelectionText) => Selection): Page {
  if (query === '') return FIRST_PAGE;
  const values = parameters(query, select === undefined ? PAGE_PARAMETERS : LIST_PARAMETERS);
  const limit = limitOf(values.get('limit'));
  const before = values.get('before_id');
  if (before !== undefined) checkBefore(before, prefix);
  const [filter, q] = [values.get('filter'), values.get('q')];
  const text = { ...(filter === undefined ? {} : { filter }), ...(q === undefined ? {} : { q }) };
  const isSelected = filter !== undefined || q !== undefined;
  return {
    limit,
    ...(before === undefined ? {} : { before }),
    ...(isSelected && select !== undefined ? { selection: select(text) } : {}),
  };
}

/** Reads the query of a list with resources of any kind. Raises Problem. */
export function mixedQuery(query: string): Page {
  if (query === '') return FIRST_PAGE;
  const value = parameters(query, PAGE_PARAMETERS).get('before_id') ?? '';
  const [prefix = ''] = value.split('_', 1);
  if (value !== '' && parseId(value) === null)
    throw new Problem('idMalformed', { value, prefix }, { field: 'before_id' });
  return pageQuery(query, prefix);
}

/** Returns the query of the page after `next`, with its question mark. */
export function nextQuery(next: string, { limit, selection }: Page): string {
  const { filter, q } = selection?.text ?? {};
  const filtering = filter === undefined ? '' : `&filter=${encodeURIComponent(filter)}`;
  const searching = q === undefined ? '' : `&q=${encodeURIComponent(q)}`;
  return `?before_id=${next}&limit=${limit}${filtering}${searching}`;
}

/** The same of a list of elements: without a limit all of them, and it is theirs to know their keys. Raises Problem. */
export function elementsQuery(query: string): Page {
  const values = parameters(query, PAGE_PARAMETERS);
  const limit = values.has('limit') ? limitOf(values.get('limit')) : Infinity;
  const before = values.get('before_id');
  return before === undefined ? { limit } : { limit, before };
}

/** Checks the query of operations without parameters. Their callers ignore the result. Raises Problem. */
export function emptyQuery(query: string): Page {
  if (query !== '') parameters(query, []);
  return FIRST_PAGE;
}

/**
 * Returns the parameters of a query by name. Raises Problem. A parameter without a value counts as absent, also an unknown
 * one: generated clients send every parameter that they know.
 */
export function parameters(query: string, allowed: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  for (const part of query.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const written = decode(equals === -1 ? part : part.slice(0, equals));
    const name = SPELLINGS.get(written) ?? written;
    if (equals === -1 || equals === part.length - 1) continue;
    const value = decode(part.slice(equals + 1));
    if (!allowed.includes(name)) {
      const list = allowed.length === 0 ? 'none' : allowed.join(', ');
      throw new Problem(
        'queryParameterUnknown',
        { name: written, allowed: list },
        { field: written, allowed },
      );
    }
    if (values.has(name)) throw new Problem('queryParameterRepeated', { name }, { field: name });
    values.set(name, value);
  }
  return values;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw new Problem('queryMalformed', { reason: 'a percent sign is not followed by encoded UTF-8' });
  }
}

/** `most`: largest number on a page. */
export function limitOf(value: string | undefined, most = MAX_LIMIT): number {
  if (value === undefined) return MAX_LIMIT;
  const details = { field: 'limit', limit: most };
  if (!/^-?\d+$/.test(value)) throw new Problem('limitNotNumber', { value, most }, details);
  const limit = Number(value);
  if (limit < 1 || limit > most) throw new Problem('limitOutOfRange', { value, most }, details);
  return limit;
}

/** Raises Problem unless the value is an id with this prefix. */
export function checkBefore(value: string, prefix: string): void {
  if (!value.startsWith(`${prefix}_`))
    throw new Problem('idPrefixWrong', { value, prefix }, { field: 'before_id' });
  if (parseId(value) === null) throw new Problem('idMalformed', { value, prefix }, { field: 'before_id' });
}
