/**
 * TXT records that no attempt takes away any more: a daemon was killed amid an order, and its domain was deleted before one went on with it.
 * Never that one goes which an order needs, on whatever daemon.
 */
import type { Hostname } from '../core/hostname.ts';
import type { Settings } from '../core/settings.ts';
import { challengeTarget, serviceChallengeTarget } from '../dns/targets.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { ProofTexts } from './dns-hook.ts';

export interface OrphanedTextsOptions {
  readonly store: Pick<DocumentStore, 'snapshot'>;
  readonly texts: Pick<ProofTexts, 'clear'>;
  readonly settings: Pick<Settings, 'domain'>;
  /** Leaves the others to the next start. */
  readonly signal: AbortSignal;
}

/** Rejects as the store and the texts do; the next start tries again. */
export async function clearOrphanedTexts(options: OrphanedTextsOptions): Promise<void> {
  const { store, texts, settings, signal } = options;
  // The domains after them: whose text was there by then is there too, unless it was deleted.
  const { documents: found } = await store.snapshot(['dns_text']);
  if (found.length === 0) return;
  const { documents: domains } = await store.snapshot(['reserved_domain']);
  const managed = domains.filter(({ body }) => (body.certificate_management_policy ?? null) !== null);
  const needed = new Set<string | null>([
    serviceChallengeTarget(settings),
    ...managed.map(({ id, body }) => challengeTarget(id, body.domain, settings)),
  ]);
  for (const { body } of found)
    if (!needed.has(body.name) && !signal.aborted) await texts.clear(body.name as Hostname);
}
