/**
 * Options `RequestHeaders` and `ResponseHeaders`: `{"add": ["name:value"], "remove": ["name"]}`.
 * Invariant: headers of the edge itself are rejected.
 */
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
import type { HeadersModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { ErrorNeeding } from '../../errors/values.ts';
import { shown, textListField } from './fields.ts';
import type { ModuleOption, OptionContext } from './option.ts';

const maxHeaders = 10;

interface Direction {
  readonly option: string;
  readonly withoutColon: ErrorNeeding<'value'>;
  readonly badName: ErrorNeeding<'name'>;
  readonly variables: readonly HeaderVariable[];
  /** Raises the Problem of this option, for a name in lower case. */
  readonly refuse: (name: string) => void;
}

const ofResponses = headersOption({
  option: 'ResponseHeaders',
  withoutColon: 'bindResponseHeaderColon',
  badName: 'bindResponseHeaderName',
  variables: answerVariables,
  refuse() {},
});

const ofRequests = headersOption({
  option: 'RequestHeaders',
  withoutColon: 'bindRequestHeaderColon',
  badName: 'bindRequestHeaderName',
  variables: requestVariables,
  refuse(name) {
    if (name === 'user-agent') throw new Problem('headerUserAgent', { name });
  },
});

export const responseHeadersOption = ofResponses;

export const requestHeadersOption: ModuleOption<HeadersModule> = {
  ...ofRequests,
  read(sent, context) {
    const config = ofRequests.read(sent, context);
    const isHostLost = config?.remove.includes('host') === true && !Object.hasOwn(config.add, 'host');
    if (isHostLost) throw new Problem('bindHostRemoved');
    return config;
  },
};

function headersOption(direction: Direction): ModuleOption<HeadersModule> {
  return {
    option: direction.option,
    fields: ['add', 'remove'],
    read(sent, context) {
      const added = textListField(sent, 'add', context.reading);
      const removed = textListField(sent, 'remove', context.reading);
      for (const { length: actual } of [added, removed]) {
        if (actual > maxHeaders) throw new Problem('bindHeaderCount', { actual, limit: maxHeaders });
      }
      const remove = new Set(removed.map((name) => parseName(name, direction, context)));
      return { enabled: true, add: parseAdded(added, direction, context), remove: [...remove] };
    },
  };
}

function parseAdded(
  added: readonly string[],
  direction: Direction,
  context: OptionContext,
): Readonly<Record<string, string>> {
  const parsed = new Map<string, string>();
  for (const line of added) {
    const colon = line.indexOf(':');
    if (colon === -1) throw new Problem(direction.withoutColon, { value: shown(line) });
    const name = parseName(line.slice(0, colon), direction, context);
    if (parsed.has(name)) throw new Problem('bindHeaderRepeated', { name });
    const value = line.slice(colon + 1).trim();
    checkValue(name, value, direction);
    parsed.set(name, value);
  }
  return Object.fromEntries(parsed);
}

/** Returns the name in lower case. */
function parseName(
  sent: string,
  { badName, refuse }: Direction,
  { settings }: Pick<OptionContext, 'settings'>,
): string {
  const name = sent.trim().toLowerCase();
  const actual = Buffer.byteLength(name);
  if (actual > maxHeaderNameBytes) {
    throw new Problem('bindHeaderNameTooLong', { actual, limit: maxHeaderNameBytes });
  }
  if (!isHeaderName(name)) throw new Problem(badName, { name: shown(name) });
  if (isKeptByEdge(name, settings)) throw new Problem('headerKeptByEdge', { name });
  refuse(name);
  return name;
}

function checkValue(name: string, value: string, { variables }: Direction): void {
  const actual = Buffer.byteLength(value);
  const limit = maxHeaderValueBytes;
  if (actual > limit) throw new Problem('bindHeaderValueTooLong', { name, actual, limit });
  if (!isHeaderValue(value)) throw new Problem('bindHeaderValue', { name });
  const template = parseTemplate(value);
  if (template === null) throw new Problem('headerVariableOpen', { name });
  const known: readonly string[] = variables;
  for (const part of template) {
    if ('text' in part || known.includes(part.name)) continue;
    const allowed = known.join(', ');
    throw new Problem('headerVariableUnknown', { name, variable: shown(part.name), allowed });
  }
}
