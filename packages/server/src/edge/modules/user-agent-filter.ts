/**
 * The user agent filter module: refuses requests by the first User-Agent header. A missing one counts as empty.
 * Invariant: an invalid filter admits no visitor.
 */
import { compileUserAgentFilter, type UserAgentReason } from '../../core/modules/user-agents.ts';
import type { UserAgentFilterModule } from '../../documents/index.ts';
import type { Preview, RequestFacts } from '../sites/site.ts';
import type { EdgeModule } from './module.ts';

export const userAgentFilter: EdgeModule<UserAgentFilterModule> = {
  compile(config, { before }) {
    if (before !== undefined) return before;
    // A large one takes a while, and an edge may have one at each of many routes: it waits for the first request.
    let filter: ReturnType<typeof compileUserAgentFilter> | null = null;
    const check = (request: RequestFacts) => {
      filter ??= compileUserAgentFilter(config);
      return 'serves' in filter && filter.serves(userAgentOf(request)) ? null : 'userAgentRefused';
    };
    const preview = (request: RequestFacts): Preview => {
      const verdict = check(request);
      if (filter === null || !('serves' in filter))
        return { verdict, why: 'The patterns of the filter are invalid, so it admits no visitor.' };
      const text = userAgentOf(request);
      return { verdict, why: `${quoted(text)} ${reasons[filter.reasonOf(text)]}` };
    };
    return { guards: [{ name: 'user_agent_filter', reads: 'request', check, preview }] };
  },
};

const reasons: Readonly<Record<UserAgentReason, string>> = {
  allowed: 'matches a pattern of "allow".',
  denied: 'matches a pattern of "deny", and none of "allow".',
  long: 'is too long to be checked, and is refused.',
  unlisted: 'matches no pattern of "deny".',
};

/** Characters of a User-Agent in a sentence. */
const MOST_QUOTED = 100;

function quoted(userAgent: string): string {
  if (userAgent === '') return 'The empty User-Agent';
  const shown = userAgent.length > MOST_QUOTED ? `${userAgent.slice(0, MOST_QUOTED)}...` : userAgent;
  return `The User-Agent "${shown}"`;
}

/** Heads are read one character a byte; patterns are text. */
function userAgentOf(request: RequestFacts): string {
  return Buffer.from(request.values('user-agent')[0] ?? '', 'latin1').toString();
}
