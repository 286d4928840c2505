/** Loaded before the daemon: leaves V8 its own limit for buffers, as without `countBuffersInHeapLimit`. */
import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';

const { setFlagsFromString } = v8;
v8.setFlagsFromString = (flags) => {
  if (flags !== '--external-memory-accounted-in-global-limit') setFlagsFromString(flags);
};
syncBuiltinESMExports();
