/** The user agent filter module: which programs a route serves, by what they call themselves (specification, section 2.6; open points, B 4.8). */

import {
  compileUserAgentFilter,
  maxFilterSize,
  type UserAgentPatterns,
} from '../../core/modules/user-agents.ts';
import { Type } from '../../core/type.ts';
import type { UserAgentFilterModule } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import type { StoredModule } from '../definition.ts';
import { body, enabled, type Input, optional, text } from '../schema.ts';

const maxPatterns = 50;

function patterns(description: string) {
  const pattern = text(
    256,
    'userAgentPatternTooLong',
    'A regular expression in the syntax of RE2, found anywhere in the header.',
    {
      format: 're2',
    },
  );
  return optional(
    Type.Array(pattern, {
      maxItems: maxPatterns,
      default: [],
      'x-error': 'userAgentPatternCount',
      description,
    }),
  );
}

const what = 'Programs that are served, by their User-Agent header.';

const write = body(
  {
    enabled,
    allow: patterns('Served even when a pattern of "deny" is found too.'),
    deny: patterns('Not served.'),
  },
  { description: what, examples: [{ deny: ['(?i)scanner'] }] },
);

export const userAgentFilterModule = {
  name: 'user_agent_filter',
  schemaName: 'EndpointUserAgentFilter',
  summary: 'User agent filter',
  write,
  read: Type.Object(
    {
      enabled: Type.Boolean(),
      allow: Type.Array(Type.String()),
      deny: Type.Array(Type.String()),
    },
    { description: what },
  ),
  parse(input, pointer) {
    const { allow = [], deny = [] } = input;
    refuseUnusable({ allow, deny }, pointer);
    return { enabled: input.enabled ?? true, allow, deny };
  },
  show(config) {
    return config;
  },
} as const satisfies StoredModule<UserAgentFilterModule, Input<typeof write>>;

function refuseUnusable(patterns: UserAgentPatterns, pointer: string): void {
  const compiled = compileUserAgentFilter(patterns);
  if ('serves' in compiled) return;
  const { list, index, reason } = compiled;
  const field = `${pointer}/${list}/${index}`;
  const limit = maxFilterSize;
  if (reason === null) throw new Problem('userAgentPatternsLarge', { field, limit }, { field, limit });
  throw new Problem('userAgentPatternInvalid', { value: patterns[list][index] ?? '', reason }, { field });
}
