/** Finds out what `apply` has to do: which resources exist, and how they differ from the documents. */
import { ApiError, type CallOptions } from '@underpass/client';
import type { FieldTable, KindTable } from '@underpass/client/operations';
import { fieldsIn, isId, verbOf } from './catalogue.ts';
import { applicableFields, type Declared } from './documents.ts';
import { ambiguous, idOf, isRow, NameError, type Resolve, resolveBody } from './lookup.ts';
import { kebab } from './names.ts';
import { named, nameOf, textsOf } from './naming.ts';
import { ordered } from './order.ts';
import type { Resources, Row } from './resources.ts';
import { type Difference, differencesOf, isNotGiven } from './shape.ts';
import { TaggedState } from './tagged-state.ts';

export interface Step {
  readonly document: Declared;
  readonly action: 'create' | 'update' | 'unchanged';
  /** The text that the resource is called in messages. */
  readonly title: string;
  /** The existing resource; null for one to be created. */
  readonly item: Row | null;
  /** The tag of the state that the differences are from. Absent unless the step changes an existing resource. */
  readonly etag?: string | undefined;
  readonly differences: readonly Difference[];
  /** Modules that are taken off, with `null` in the document. */
  readonly removals: readonly string[];
  /** Paths of secrets that the document gives; they are not compared. */
  readonly secrets: readonly string[];
}

interface Planned {
  readonly kind: KindTable;
  readonly item: Row;
}

/**
 * The steps in the order in which they can be done. Rejects with NameError, which names the document, or a ClientError.
 * `sendsSecrets`: secrets count as a change, because they cannot be compared.
 */
export async function planOf(
  resources: Resources,
  documents: readonly Declared[],
  sendsSecrets: boolean,
): Promise<readonly Step[]> {
  const planned: Planned[] = [];
  const steps: Step[] = [];
  for (const document of ordered(documents)) {
    const step = await stepOf(resources, document, planned, sendsSecrets);
    const twin = steps.find((it) => isSameResource(it, step));
    if (twin !== undefined)
      throw new NameError(
        `${document.place}: this is the same resource as ${twin.document.place}. Leave one out, or give ids.`,
      );
    steps.push(step);
    if (step.item === null) planned.push({ kind: document.resource.kind, item: expectedItem(document.body) });
  }
  return steps;
}

function isSameResource(one: Step, other: Step): boolean {
  if (one.document.resource !== other.document.resource) return false;
  if (one.item !== null || other.item !== null) return one.item?.id === other.item?.id;
  const [, names] = identityOf(one.document) ?? [];
  const [, others] = identityOf(other.document) ?? [];
  const isSameHolder = one.document.holders.join() === other.document.holders.join();
  return (
    isSameHolder && names !== undefined && others !== undefined && names.some((it) => others.includes(it))
  );
}

async function stepOf(
  resources: Resources,
  document: Declared,
  planned: readonly Planned[],
  sendsSecrets: boolean,
): Promise<Step> {
  const resolve = withPlanned(resources, planned);
  const { resource, place } = document;
  try {
    const holders = await holdersOf(document, resolve);
    const body = await resolveBody(resolve, applicableFields(resource), document.body);
    const item = await existing(resources, document, holders, body);
    const step = comparison(document, body, item, sendsSecrets);
    if (item === null || step.action === 'unchanged') return step;
    // Items of a list have no tag. The differences must be those of the state that has it.
    const state = new TaggedState();
    const read = await byId(resources, document, [...holders, String(item.id)], state.readOptions());
    return { ...comparison(document, body, read, sendsSecrets), etag: state.etag };
  } catch (error) {
    if (error instanceof NameError) throw new NameError(`${place}: ${error.message}`);
    throw error;
  }
}

/** Compares a document with its resource. `body` has ids in place of names. Throws NameError. */
function comparison(document: Declared, body: Row, item: Row | null, sendsSecrets: boolean): Step {
  const fields = applicableFields(document.resource);
  const secrets = secretsIn(fields, document.body, '');
  const step = { document, title: titleOf(document, item), item, secrets };
  if (item === null) return { ...step, action: 'create', differences: [], removals: [] };
  const differences = differencesOf(fields, body, item);
  refuseImmutable(document, differences);
  const removals = removalsOf(document, item);
  const isSent = sendsSecrets && changingSecrets({ document, secrets }).length > 0;
  const isChange = differences.length > 0 || removals.length > 0 || isSent;
  return { ...step, action: isChange ? 'update' : 'unchanged', differences, removals };
}

/** The fields at the top of the body that hold secrets and can be changed. */
export function changingSecrets({
  document,
  secrets,
}: Pick<Step, 'document' | 'secrets'>): readonly string[] {
  const changeable = (verbOf(document.resource, 'update')?.fields ?? [])
    .filter((it) => it.isImmutable !== true)
    .map(({ name }) => name);
  return secrets.map((path) => path.split('.')[0] ?? path).filter((name) => changeable.includes(name));
}

/** Also finds what an earlier document is going to create; its name stays until then. */
function withPlanned(resources: Resources, planned: readonly Planned[]): Resolve {
  return async (kinds, text) => {
    const isPlanned = planned.some(
      ({ kind, item }) => kinds.includes(kind.name) && named(kind, [item], text).length > 0,
    );
    try {
      return await idOf(resources, kinds, text, '');
    } catch (error) {
      if (error instanceof NameError && isPlanned) return text;
      throw error;
    }
  };
}

/** The ids of the resources that hold it. */
export async function holdersOf(
  { resource, holders }: Declared,
  resolve: Resolve,
): Promise<readonly string[]> {
  const parameters = verbOf(resource, 'create')?.parameters ?? [];
  const ids: string[] = [];
  for (const [at, text] of holders.entries()) ids.push(await resolve(parameters[at]?.refersTo ?? [], text));
  return ids;
}

/** The resource that the document is about; null: there is none yet. */
async function existing(
  resources: Resources,
  document: Declared,
  holders: readonly string[],
  body: Row,
): Promise<Row | null> {
  const { resource, id } = document;
  if (id !== null) return byId(resources, document, [...holders, id]);
  const [field, names] = identityOf(document) ?? [];
  if (field === undefined || names === undefined)
    throw new NameError(
      `the document does not identify its resource. Give one of: id, ${resource.kind.namedBy.join(', ')}.`,
    );
  // The holder itself is going to be created.
  const [holder = ''] = holders;
  if (resource.kind.within !== undefined && !isId(holder)) return null;
  const items = (await resources.all(resource, holder)).filter((item) =>
    isBelow(applicableFields(resource), body, item),
  );
  const found = new Set(names.flatMap((name) => named({ ...resource.kind, namedBy: [field] }, items, name)));
  const [only = null] = found;
  if (found.size > 1)
    throw new NameError(
      ambiguous(
        names.join(),
        [...found].map((item) => ({ resource, item })),
      ),
    );
  return only;
}

async function byId(
  resources: Resources,
  { resource }: Declared,
  ids: readonly string[],
  options: CallOptions = {},
): Promise<Row> {
  const verb = verbOf(resource, 'get');
  if (verb === null) throw new Error(`${resource.name} cannot be read`);
  try {
    return (await resources.call(resource, verb, ids, undefined, {}, options)) ?? {};
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
    throw new NameError(
      `"id": there is no ${kebab(resource.kind.name)} ${ids.at(-1)}. Leave the id out to create one.`,
    );
  }
}

/** Returns the field that identifies the resource of a document, with its texts. */
function identityOf({ resource, body }: Declared): readonly [field: string, names: readonly string[]] | null {
  const { namedBy } = resource.kind;
  // A name below the shared domain of the server is shown as a domain.
  if (namedBy.includes('domain') && typeof body.name === 'string' && body.name !== '')
    return ['domain', [body.name]];
  for (const field of namedBy) {
    const texts = textsOf(body[field]);
    if (texts.length > 0) return [field, texts];
  }
  return null;
}

/** Returns true if it refers to the same resources in fields that cannot be changed, such as the policy of a rule. */
function isBelow(fields: readonly FieldTable[], body: Row, item: Row): boolean {
  const fixed = fields.filter((it) => it.isImmutable === true && it.refersTo !== undefined);
  return differencesOf(fixed, body, item).length === 0;
}

function refuseImmutable({ resource }: Declared, differences: readonly Difference[]): void {
  const changeable = (verbOf(resource, 'update')?.fields ?? []).filter((it) => it.isImmutable !== true);
  const fixed = differences.find(({ field }) => changeable.every(({ name }) => name !== field));
  if (fixed !== undefined)
    throw new NameError(
      `"${fixed.path}" cannot be changed from ${JSON.stringify(fixed.from)}. Delete the resource first, or keep the value.`,
    );
}

function removalsOf({ resource, body }: Declared, item: Row): readonly string[] {
  return Object.keys(body).filter(
    (name) => body[name] === null && isRow(item[name]) && verbOf(resource, removalVerb(name)) !== null,
  );
}

/** The verb that takes a module off: `deleteIpRestriction`. */
export function removalVerb(field: string): string {
  return `delete${field.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}`;
}

/** The paths of secrets that a body gives. */
function secretsIn(fields: readonly FieldTable[], body: Row, at: string): readonly string[] {
  return fields.flatMap((field) => {
    const value = body[field.name];
    const path = `${at}${field.name}`;
    if (field.isSecret === true) return isNotGiven(field, value) || value === '' ? [] : [path];
    return isRow(value) ? secretsIn(fieldsIn(field), value, `${path}.`) : [];
  });
}

function titleOf({ resource, body, id, holders }: Declared, item: Row | null): string {
  const name = item === null ? nameOf(resource.kind, expectedItem(body)) : nameOf(resource.kind, item);
  const known = item === null ? id : item.id;
  const below = holders.length === 0 ? '' : ` of ${holders.join(' ')}`;
  return [
    kebab(resource.name),
    `"${name}"${below}`,
    ...(typeof known === 'string' ? [`(${known})`] : []),
  ].join(' ');
}

/** A resource as it will be, as far as its names go. */
function expectedItem(body: Row): Row {
  return { ...body, domain: body.domain ?? body.name, cname_target: null };
}
