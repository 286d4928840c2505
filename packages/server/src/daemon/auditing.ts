/** The parts that keep and show the audit trail. */
import { after } from '../events/resting.ts';
import { listChanges } from '../insight/changes/list-changes.ts';
import { NotesExpiry } from '../insight/notes-expiry.ts';
import type { OperationRuns } from '../insight/operation-runs.ts';
import { CHANGE_DAYS } from '../resources/change-entry.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { createRef } from '../resources/show.ts';
import type { Foundation } from './foundation.ts';

const DAY_MS = 86_400_000;

export async function startAuditing(
  { config, store, log, parts }: Foundation,
  runs: OperationRuns,
): Promise<void> {
  const ref = createRef(resourceSurfaces, config.settings.baseUrl);
  runs.add({ changes_list: (call) => listChanges({ store, ref }, call) });
  const kept = { change: CHANGE_DAYS * DAY_MS };
  const expiry = new NotesExpiry({ store, kept, now: Date.now, after, log });
  await parts.start({ start: () => expiry.start(), stop: () => expiry.stop() });
}
