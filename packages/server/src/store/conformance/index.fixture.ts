/** The suite that every store must pass. */
import { describe } from 'node:test';
import { batches } from './batches.fixture.ts';
import { conflicts } from './conflicts.fixture.ts';
import { durability } from './durability.fixture.ts';
import { following } from './following.fixture.ts';
import { formats } from './formats.fixture.ts';
import type { OpenStore } from './harness.fixture.ts';
import { ids } from './ids.fixture.ts';
import { notes } from './notes.fixture.ts';
import { queues } from './queues.fixture.ts';
import { reads } from './reads.fixture.ts';
import { repairing } from './repairing.fixture.ts';
import { series } from './series.fixture.ts';
import { watching } from './watching.fixture.ts';

export type { OpenedStore, OpenStore } from './harness.fixture.ts';

export function conformance(name: string, open: OpenStore): void {
  describe(`the store on ${name}`, () => {
    const all = [
      batches,
      conflicts,
      ids,
      notes,
      queues,
      series,
      reads,
      watching,
      following,
      repairing,
      durability,
      formats,
    ];
    for (const part of all) part(open);
  });
}
