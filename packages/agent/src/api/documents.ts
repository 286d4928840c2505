/** Reads the documents of `underpass api apply`: YAML or JSON, one or several. */
import { createRequire } from 'node:module';
import { type FieldTable, resourceTables } from '@underpass/client/operations';
import type { Document as YamlDocument } from 'yaml';
import { InvalidInput } from '../address.ts';
import { reasonOf } from '../yaml-file.ts';
import { hasKind, type KnownResource, kindOfId, verbOf } from './catalogue.ts';
import { mistakesIn } from './check-body.ts';
import { isRow } from './lookup.ts';
import { kebab } from './names.ts';
import type { Row } from './resources.ts';
import { suggestions } from './suggest.ts';

/** Loads a package of many files that most commands do not need. */
const require = createRequire(import.meta.url);

export interface Declared {
  /** The file, the number of the document and its line, for messages. */
  readonly place: string;
  readonly resource: KnownResource;
  /** Null: it is found by its names. */
  readonly id: string | null;
  /** The names or ids of the resources that hold it, e.g. the edge of a route. */
  readonly holders: readonly string[];
  readonly body: Row;
}

/** Lines of mistakes that are shown. */
const MOST_MISTAKES = 20;

/** The documents in a text. Throws InvalidInput, which names the file, the document and the field. */
export function readDocuments(text: string, file: string): readonly Declared[] {
  const mistakes: string[] = [];
  const declared: Declared[] = [];
  for (const { place, value } of valuesIn(text, file)) {
    const read = declaredBy(place, value);
    if (Array.isArray(read)) mistakes.push(...read.map((it) => `${place}: ${it}`));
    else declared.push(read as Declared);
  }
  if (mistakes.length > 0) throw new InvalidInput(mistakes.slice(0, MOST_MISTAKES).join('\n  '));
  if (declared.length === 0)
    throw new InvalidInput(
      `${file} has no document. Write one such as {kind: ip-policy, description: office}.`,
    );
  return declared;
}

interface Placed {
  readonly place: string;
  readonly value: unknown;
}

function valuesIn(text: string, file: string): readonly Placed[] {
  const { LineCounter, parseAllDocuments }: typeof import('yaml') = require('yaml');
  const lines = new LineCounter();
  const documents = [...(parseAllDocuments(text, { lineCounter: lines }) as readonly YamlDocument[])];
  const values: { readonly line: number; readonly value: unknown }[] = [];
  for (const document of documents) {
    const [error] = document.errors as YamlDocument['errors'];
    const line = lines.linePos(document.contents?.range?.[0] ?? 0).line;
    if (error !== undefined)
      throw new InvalidInput(
        `${file}:${error.linePos?.[0].line ?? line} is not valid YAML or JSON: ${reasonOf(error)}`,
      );
    const value = contentOf(document, `${file}:${line}`);
    if (value === null || value === undefined) continue;
    values.push(...(Array.isArray(value) ? value : [value]).map((it: unknown) => ({ line, value: it })));
  }
  return values.map(({ line, value }, at) => ({
    place: `${file}, document ${at + 1} (line ${line})`,
    value,
  }));
}

function contentOf(document: YamlDocument, place: string): unknown {
  try {
    return document.toJS();
  } catch {
    throw new InvalidInput(
      `${place}: an alias (*NAME) has no anchor, or there are too many. Write the values out.`,
    );
  }
}

/** A list of mistakes instead, if there are any. */
function declaredBy(place: string, value: unknown): Declared | readonly string[] {
  if (!isRow(value)) return ['it is no mapping. Write fields such as "kind: ip-policy".'];
  const { kind: kindName, id = null, ...rest } = value;
  if (id !== null && typeof id !== 'string') return ['"id" must be a text. Put it in quotes.'];
  const resource = resourceBy(kindName, id);
  if (typeof resource === 'string') return [resource];
  const parameters = (verbOf(resource, 'create')?.parameters ?? []).map(({ name }) => name);
  const mistakes = [
    ...mistakesIn(applicableFields(resource), rest, parameters),
    ...parameters
      .filter((name) => typeof rest[name] !== 'string')
      .map((name) => `"${name}" is missing. Give the id or name of the resource that it belongs to.`),
  ];
  if (mistakes.length > 0) return mistakes;
  const holders = parameters.map((name) => String(rest[name]));
  const body = Object.fromEntries(Object.entries(rest).filter(([name]) => !parameters.includes(name)));
  return { place, resource, id, holders, body };
}

/** The fields that can be given: at creation, or for a change alone. */
export function applicableFields(resource: KnownResource): readonly FieldTable[] {
  const created = verbOf(resource, 'create')?.fields ?? [];
  const changed = verbOf(resource, 'update')?.fields ?? [];
  return [...created, ...changed.filter(({ name }) => created.every((it) => it.name !== name))];
}

/** The message of the mistake instead, if there is one. */
function resourceBy(name: unknown, id: string | null): KnownResource | string {
  if (name === undefined && id !== null) {
    const known = resourceTables.find(({ kind }) => kind !== null && kind === kindOfId(id));
    if (hasKind(known) && isApplicable(known)) return known;
  }
  const names = resourceTables.filter(isApplicable).map((it) => kebab(it.name));
  if (typeof name !== 'string') return `"kind" is missing. Give one of: ${names.join(', ')}.`;
  const near = suggestions(name, names);
  const found = resourceTables.find((it) => kebab(it.name) === near[0]);
  const isExact = near.length === 1 && hasKind(found) && isSpelling(name, found);
  if (isExact) return found;
  const advice =
    near.length === 0
      ? `Give one of: ${names.join(', ')}.`
      : `Did you mean ${near.map((it) => `"${it}"`).join(' or ')}?`;
  return `"kind": "${name}" is no kind that can be applied. ${advice}`;
}

function isApplicable(resource: (typeof resourceTables)[number]): resource is KnownResource {
  return hasKind(resource) && verbOf(resource, 'create') !== null && verbOf(resource, 'get') !== null;
}

/** `reserved-domain`, `reserved_domains` and `ReservedDomain` are the same. */
function isSpelling(name: string, resource: KnownResource): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[-_ ]/g, '');
  return [resource.name, resource.kind.name].map(plain).includes(plain(name));
}
