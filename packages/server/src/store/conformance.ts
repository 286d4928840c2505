/** The suite that every store must pass, whatever database is behind it. */
import { describe } from 'node:test';
import { batches } from './conformance/batches.ts';
import { conflicts } from './conformance/conflicts.ts';
import { durability } from './conformance/durability.ts';
import { following } from './conformance/following.ts';
import { formats } from './conformance/formats.ts';
import type { OpenStore } from './conformance/harness.ts';
import { ids } from './conformance/ids.ts';
import { reads } from './conformance/reads.ts';
import { repairing } from './conformance/repairing.ts';
import { watching } from './conformance/watching.ts';

export type { OpenedStore, OpenStore } from './conformance/harness.ts';

export function conformance(name: string, open: OpenStore): void {
  describe(`the store on ${name}`, () => {
    for (const part of [batches, conflicts, ids, reads, watching, following, repairing, durability, formats])
      part(open);
  });
}
