/** When V8 collects the whole heap. Never that memory in use has no bound: what is outside the heap counts as what is inside does. */
import { setFlagsFromString } from 'node:v8';

/**
 * Bytes of buffers then count towards the limit of the whole heap. By itself V8 collects all of it whenever 64 MiB of
 * buffers came since it last did, also where they are gone long since: ten times a GiB in a tunnel whose young generation
 * is not filled before (docs/performance.md). For a process of ours to call once it does its work: whoever embeds a
 * library has their own flags, and flags in the command that starts Node cost the code cache of Node's own modules.
 */
export function countBuffersInHeapLimit(): void {
  setFlagsFromString('--external-memory-accounted-in-global-limit');
}
