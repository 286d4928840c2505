/**
 * Removes TXT records that no attempt will remove: a daemon was killed during an order, and the domain was deleted
 * afterwards.
 * Invariant: a record that an order at any daemon needs is kept.
 */
import type { Hostname } from '../core/names/hostname.ts';
import type { Settings } from '../core/settings.ts';
import { challengeTarget, serviceChallengeTarget } from '../dns/targets.ts';
import type { DocumentStore } from '../documents/index.ts';
import type { ProofTexts } from './dns-hook.ts';

export interface OrphanedTextsOptions {
  readonly store: Pick<DocumentStore, 'snapshot'>;
  readonly texts: Pick<ProofTexts, 'clear'>;
  readonly settings: Pick<Settings, 'domain'>;
  /** Stops the work. The next start continues it. */
  readonly signal: AbortSignal;
}

/** Rejects with errors of the store and of the texts. The next start retries. */
export async function clearOrphanedTexts(options: OrphanedTextsOptions): Promise<void> {
  const { store, texts, settings, signal } = options;
  // Domains are read after the texts: the domain of a text exists by then, unless it was deleted.
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
