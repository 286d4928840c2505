/**
 * The backend of a running request while its site changes.
 * Invariant: such a request never goes to a removed place.
 */
import type { Backend, Opener } from '../sites/site.ts';

/** Returns the picks of `before` to which `now` leads as well. Responses are those of `now`. */
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
