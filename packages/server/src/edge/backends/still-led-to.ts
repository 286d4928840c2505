/** The backend of a request that is under way while its site changes. Never that such a request goes to what has been taken away since. */
import type { Backend, Opener } from '../sites/site.ts';

/** What `before` picks, as far as it leads there `now` as well; of answers the one of now. */
export function stillLedTo(before: Backend, now: Backend): Backend {
  return {
    id: before.id,
    pick(tried) {
      const left = new Set<Opener>(tried);
      while (true) {
        const picked = before.pick(left);
        if (typeof picked === 'string') return picked;
        if ('kind' in picked) {
          const answer = now.pick(left);
          return typeof answer !== 'string' && 'kind' in answer ? answer : 'noBackendAvailable';
        }
        if (now.leadsTo(picked)) return picked;
        left.add(picked);
      }
    },
    leadsTo: (opener) => before.leadsTo(opener) && now.leadsTo(opener),
    tunnels: () => now.tunnels(),
  };
}
