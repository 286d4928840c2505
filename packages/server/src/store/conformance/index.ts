/** The suite that every store must pass, whatever database is behind it. */
import { describe } from 'node:test';
import { batches } from './batches.ts';
import { conflicts } from './conflicts.ts';
import { durability } from './durability.ts';
import { following } from './following.ts';
import { formats } from './formats.ts';
import type { OpenStore } from './harness.ts';
import { ids } from './ids.ts';
import { reads } from './reads.ts';
import { repairing } from './repairing.ts';
import { watching } from './watching.ts';

export type { OpenedStore, OpenStore } from './harness.ts';

export function conformance(name: string, open: OpenStore): void {
  describe(`the store on ${name}`, () => {
    for (const part of [batches, conflicts, ids, reads, watching, following, repairing, durability, formats])
      part(open);
  });
}
