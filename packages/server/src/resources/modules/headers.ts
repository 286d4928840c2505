/** The modules that change the headers of requests and of responses (specification, section 2.6; open points, B 1.9.1 and 4.8). */

import {
  isHeaderName,
  isHeaderValue,
  isKeptByEdge,
  maxHeaderNameBytes,
  maxHeaderValueBytes,
} from '../../core/header-syntax.ts';
import {
  answerVariables,
  type HeaderVariable,
  parseTemplate,
  requestVariables,
} from '../../core/modules/header-template.ts';
import { Type } from '../../core/type.ts';
import type { HeadersModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredModule } from '../definition.ts';
import { patterns } from '../patterns.ts';
import { pointerStep } from '../pointer.ts';
import { body, enabled, type Input, optional } from '../schema.ts';

const maxHeaders = 5;

const name = Type.String({ pattern: patterns.headerName, description: 'A name, in any case.' });

function fieldsWith(variables: readonly HeaderVariable[]) {
  const value = Type.String({
    pattern: patterns.headerValue,
    description: `A value, in which \`\${.name}\` stands for what is known by that name: ${variables.join(', ')}.`,
  });
  return {
    enabled,
    add: optional(
      Type.Record(Type.String(), value, {
        propertyNames: name,
        maxProperties: maxHeaders,
        'x-error': 'headerModuleCount',
        description: `Headers to add, at most ${maxHeaders}; one that is also removed is replaced.`,
      }),
    ),
    remove: optional(
      Type.Array(name, {
        maxItems: maxHeaders,
        uniqueItems: true,
        default: [],
        'x-error': 'headerModuleCount',
        description: 'Names of headers to remove, in any case.',
      }),
    ),
  };
}
type Fields = Input<ReturnType<typeof body<ReturnType<typeof fieldsWith>>>>;

const readFields = {
  enabled: Type.Boolean(),
  add: Type.Record(Type.String(), Type.String(), {
    description: 'Headers that are added; names in lower case.',
  }),
  remove: Type.Array(Type.String(), { description: 'Names of headers that are removed, in lower case.' }),
};

/** The name of the visitor's program cannot be changed, so that upstreams know the sender. */
const requests: Direction = { fixed: new Set(['user-agent']), variables: requestVariables };
const responses: Direction = { fixed: new Set(), variables: answerVariables };

interface Direction {
  /** Names in lower case. */
  readonly fixed: ReadonlySet<string>;
  readonly variables: readonly HeaderVariable[];
}

/** Names to refuse beside malformed ones. */
interface Rules extends Direction {
  readonly isKept: (name: string) => boolean;
}

interface HeadersNames<Name extends string> {
  readonly name: Name;
  readonly schemaName: string;
  readonly summary: string;
  readonly description: string;
}

function headersModule<const Name extends string>(
  { name, schemaName, summary, description }: HeadersNames<Name>,
  direction: Direction,
) {
  const examples = [{ add: { 'x-served-by': 'underpass' }, remove: ['x-debug'] }];
  return {
    name,
    schemaName,
    summary,
    write: body(fieldsWith(direction.variables), { description, examples }),
    read: Type.Object(readFields, { description }),
    parse(input, pointer, { settings }) {
      const isKept = (header: string) => isKeptByEdge(header, settings);
      const check: Rules = { ...direction, isKept };
      const add = parseAdded(input.add ?? {}, check, `${pointer}/add`);
      const remove = parseRemoved(input.remove ?? [], check, `${pointer}/remove`);
      return { enabled: input.enabled ?? true, add, remove };
    },
    show(config) {
      return config;
    },
  } as const satisfies StoredModule<HeadersModule, Fields>;
}

const ofRequests = headersModule(
  {
    name: 'request_headers',
    schemaName: 'EndpointRequestHeaders',
    summary: 'Request headers',
    description: 'Headers that are added to requests, and taken off them, before the backend gets them.',
  },
  requests,
);

export const requestHeadersModule = {
  ...ofRequests,
  /** A request needs a target host: Host can only be replaced. */
  parse(input, pointer, context) {
    const config = ofRequests.parse(input, pointer, context);
    const index = config.remove.indexOf('host');
    if (index !== -1 && !Object.hasOwn(config.add, 'host')) {
      throw new Problem('headerHostRemoved', {}, { field: `${pointer}/remove/${index}` });
    }
    return config;
  },
} as const satisfies StoredModule<HeadersModule, Fields>;

export const responseHeadersModule = headersModule(
  {
    name: 'response_headers',
    schemaName: 'EndpointResponseHeaders',
    summary: 'Response headers',
    description: 'Headers that are added to answers, and taken off them, before the visitor gets them.',
  },
  responses,
);

function parseAdded(
  headers: Readonly<Record<string, string>>,
  rules: Rules,
  pointer: string,
): Readonly<Record<string, string>> {
  const parsed = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const field = `${pointer}/${pointerStep(name)}`;
    const canonical = parseName(name, rules, field);
    if (parsed.has(canonical)) throw new Problem('headerRepeated', { name }, { field });
    checkValue(name, value, field);
    checkTemplate(name, value, rules, field);
    parsed.set(canonical, value);
  }
  return Object.fromEntries(parsed);
}

function parseRemoved(names: readonly string[], rules: Rules, pointer: string): readonly string[] {
  const parsed = new Set<string>();
  for (const [index, name] of names.entries()) {
    const field = `${pointer}/${index}`;
    const canonical = parseName(name, rules, field);
    if (parsed.has(canonical)) throw new Problem('headerRepeated', { name }, { field });
    parsed.add(canonical);
  }
  return [...parsed];
}

/** Lower case. */
function parseName(name: string, { isKept, fixed }: Rules, field: string): string {
  const actual = Buffer.byteLength(name);
  const limit = maxHeaderNameBytes;
  if (actual > limit) throw new Problem('headerNameTooLong', { actual, limit }, { field, limit });
  if (!isHeaderName(name)) throw new Problem('headerNameInvalid', { name }, { field });
  if (isKept(name)) throw new Problem('headerKeptByEdge', { name }, { field });
  const canonical = name.toLowerCase();
  if (fixed.has(canonical)) throw new Problem('headerUserAgent', { name }, { field });
  return canonical;
}

function checkValue(name: string, value: string, field: string): void {
  const actual = Buffer.byteLength(value);
  const limit = maxHeaderValueBytes;
  if (actual > limit) throw new Problem('headerValueTooLong', { name, actual, limit }, { field, limit });
  if (!isHeaderValue(value)) throw new Problem('headerValueInvalid', { name }, { field });
}

function checkTemplate(name: string, value: string, { variables }: Rules, field: string): void {
  const parts = parseTemplate(value);
  if (parts === null) throw new Problem('headerVariableOpen', { name }, { field });
  const known: readonly string[] = variables;
  for (const part of parts) {
    if ('text' in part || known.includes(part.name)) continue;
    const allowed = known.join(', ');
    throw new Problem('headerVariableUnknown', { name, variable: part.name, allowed }, { field });
  }
}
