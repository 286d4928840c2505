/**
 * The user agent filter module: refuses requests by the first User-Agent header. A missing one counts as empty.
 * Invariant: an invalid filter admits no visitor.
 */
import { compileUserAgentFilter } from '../../core/modules/user-agents.ts';
import type { UserAgentFilterModule } from '../../documents/index.ts';
import type { RequestFacts } from '../sites/site.ts';
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
    return { guards: [{ name: 'user_agent_filter', reads: 'request', check }] };
  },
};

/** Heads are read one character a byte; patterns are text. */
function userAgentOf(request: RequestFacts): string {
  return Buffer.from(request.values('user-agent')[0] ?? '', 'latin1').toString();
}
