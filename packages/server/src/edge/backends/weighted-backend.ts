/** Backends that share what comes by their weights; another one is taken only when the drawn one cannot be reached. */

import type { StoredDocument } from '../../documents/index.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ExplainedBackend } from '../sites/site.ts';
import type { BackendContext } from './backend-context.ts';
import { isReachable, previewOfChosen } from './preview.ts';

interface Share {
  readonly backend: ExplainedBackend;
  readonly weight: number;
}

export function weightedBackend(
  { id, body }: StoredDocument<'weighted_backend'>,
  { child, random }: BackendContext,
): ExplainedBackend {
  const shares: readonly Share[] = Object.entries(body.backends)
    .filter(([, weight]) => weight > 0)
    .map(([one, weight]) => ({ backend: child(one), weight }));
  return {
    id,
    pick(tried) {
      let reason: ErrorName = 'noBackendAvailable';
      let left = shares;
      while (left.length > 0) {
        const drawn = draw(left, random());
        const picked = drawn.backend.pick(tried);
        if (typeof picked !== 'string') return picked;
        reason = picked;
        left = left.filter((share) => share !== drawn);
      }
      return reason;
    },
    leadsTo: (opener) => shares.some(({ backend }) => backend.leadsTo(opener)),
    tunnels: () => shares.flatMap(({ backend }) => backend.tunnels() ?? []),
    preview(connection) {
      const all = shares.map(({ backend, weight }) => ({ weight, preview: backend.preview(connection) }));
      const reachable = all.filter(({ preview }) => isReachable(preview));
      const most = Math.max(...reachable.map(({ weight }) => weight));
      const chosen = reachable.find(({ weight }) => weight === most);
      const sum = reachable.reduce((total, { weight }) => total + weight, 0);
      const why =
        chosen === undefined
          ? `None of ${all.length} backends with a weight can be reached.`
          : `${chosen.preview.id} gets ${chosen.weight} of ${sum} requests; each one is drawn by weight.`;
      const previews = all.map(({ preview }) => preview);
      return previewOfChosen(id, previews, chosen?.preview, why);
    },
  };
}

function draw(shares: readonly Share[], random: number): Share {
  let point = random * shares.reduce((sum, { weight }) => sum + weight, 0);
  for (const share of shares) {
    point -= share.weight;
    if (point < 0) return share;
  }
  return shares.at(-1)!;
}
