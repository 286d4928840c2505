/** The modules that change the headers of requests and of responses (specification, section 2.6; open points, B 1.9.1 and 4.8). */
import Type from 'typebox';
import { Problem } from '../../errors/problem.ts';
import type { StoredModule } from '../definition.ts';
import type { HeadersModule } from '../documents.ts';
import {
  isHeaderName,
  isHeaderValue,
  isKeptByEdge,
  maxHeaderNameBytes,
  maxHeaderValueBytes,
} from '../header-syntax.ts';
import { pointerStep, shorten } from '../pointer.ts';
import { body, enabled, type Input, optional } from '../schema.ts';

const maxHeaders = 5;

const write = body({
  enabled,
  add: optional(
    Type.Record(Type.String(), Type.String(), {
      maxProperties: maxHeaders,
      'x-error': 'headerModuleCount',
      description: `Up to ${maxHeaders} headers to add; one that is also removed is replaced.`,
    }),
  ),
  remove: optional(
    Type.Array(Type.String(), {
      maxItems: maxHeaders,
      'x-error': 'headerModuleCount',
      description: 'Names, in any case.',
    }),
  ),
});

const read = Type.Object({
  enabled: Type.Boolean(),
  add: Type.Record(Type.String(), Type.String(), { description: 'Lower-case names.' }),
  remove: Type.Array(Type.String(), { description: 'Lower-case names.' }),
});

/** Who sends a request stays said: what bears the name of the visitor's program cannot be changed. */
const keptForRequests: ReadonlySet<string> = new Set(['user-agent']);
const keptForResponses: ReadonlySet<string> = new Set();

/** What is refused beside malformed names. */
interface Rules {
  readonly isKept: (name: string) => boolean;
  /** In lower case. */
  readonly isFixed: (name: string) => boolean;
}

function headersModule(name: string, schemaName: string, summary: string, fixed: ReadonlySet<string>) {
  return {
    name,
    schemaName,
    summary,
    write,
    read,
    parse(input, pointer, { settings }) {
      const isKept = (header: string) => isKeptByEdge(header, settings);
      const check: Rules = { isKept, isFixed: (header) => fixed.has(header) };
      const add = parseAdded(input.add ?? {}, check, `${pointer}/add`);
      const remove = parseRemoved(input.remove ?? [], check, `${pointer}/remove`);
      return { enabled: input.enabled ?? true, add, remove };
    },
    show(config) {
      return config;
    },
  } as const satisfies StoredModule<HeadersModule, Input<typeof write>>;
}

const ofRequests = headersModule(
  'request_headers',
  'EndpointRequestHeaders',
  'Request headers',
  keptForRequests,
);

export const requestHeadersModule = {
  ...ofRequests,
  /** A request must say whom it goes to: Host can only be replaced. */
  parse(input, pointer, context) {
    const config = ofRequests.parse(input, pointer, context);
    const index = config.remove.indexOf('host');
    if (index !== -1 && !Object.hasOwn(config.add, 'host')) {
      throw new Problem('headerHostRemoved', {}, { field: `${pointer}/remove/${index}` });
    }
    return config;
  },
} as const satisfies StoredModule<HeadersModule, Input<typeof write>>;

export const responseHeadersModule = headersModule(
  'response_headers',
  'EndpointResponseHeaders',
  'Response headers',
  keptForResponses,
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
function parseName(name: string, { isKept, isFixed }: Rules, field: string): string {
  const actual = Buffer.byteLength(name);
  const limit = maxHeaderNameBytes;
  if (actual > limit) throw new Problem('headerNameTooLong', { actual, limit }, { field, limit });
  if (!isHeaderName(name)) throw new Problem('headerNameInvalid', { name: shorten(name) }, { field });
  if (isKept(name)) throw new Problem('headerKeptByEdge', { name }, { field });
  const canonical = name.toLowerCase();
  if (isFixed(canonical)) throw new Problem('headerUserAgent', { name }, { field });
  return canonical;
}

function checkValue(name: string, value: string, field: string): void {
  const actual = Buffer.byteLength(value);
  const limit = maxHeaderValueBytes;
  if (actual > limit) throw new Problem('headerValueTooLong', { name, actual, limit }, { field, limit });
  if (!isHeaderValue(value)) throw new Problem('headerValueInvalid', { name }, { field });
}
