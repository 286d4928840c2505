/** A sample of every stored kind; that none is missing is a test. */
import { accessSamples } from './access.fixture.ts';
import { backendSamples } from './backends.fixture.ts';
import { edgeSamples } from './edges.fixture.ts';
import { eventSamples } from './events.fixture.ts';
import { nameSamples } from './names.fixture.ts';
import type { Sample } from './sample.fixture.ts';
import { sshSamples } from './ssh.fixture.ts';

export const samples: readonly Sample[] = [
  ...backendSamples,
  ...edgeSamples,
  ...nameSamples,
  ...eventSamples,
  ...accessSamples,
  ...sshSamples,
];
