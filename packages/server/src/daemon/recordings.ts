/** Wires recordings of bodies: their memory, what follows them, and their operations. */
import { BodyStore } from '../insight/traffic/recorded-bodies.ts';
import { type OnlineNames, recordingRuns } from '../insight/traffic/recording-runs.ts';
import { Recordings } from '../insight/traffic/recordings.ts';
import type { StandaloneRuns } from '../resources/standalone/definition.ts';
import type { Foundation } from './foundation.ts';

export interface StartedRecordings {
  readonly bodies: BodyStore;
  readonly recordings: Recordings;
}

export async function startRecordings({ store, log, parts }: Foundation): Promise<StartedRecordings> {
  const bodies = new BodyStore(Date.now);
  const recordings = await parts.start({
    start: () => Recordings.start({ store, bodies, now: Date.now, log }),
    stop: (it) => it.stop(),
  });
  return { bodies, recordings };
}

/** Returns what runs the operations. */
export function runsOfRecordings(
  { config, store, observed }: Foundation,
  online: OnlineNames,
  recordings: Recordings,
): StandaloneRuns {
  return recordingRuns({
    ...{ store, online, now: Date.now },
    isAllowed: config.bodyRecordings === 'on' && config.requestLog !== 'off',
    isActive: (recording) => recordings.isActive(recording),
    reached: (revision) => observed.reached(revision),
  });
}
