/** Exports the stored shapes, and the store that is typed by them. */
export type * from './access.ts';
export type * from './backends.ts';
export type * from './certificates.ts';
export type * from './described.ts';
export type * from './dns.ts';
export type * from './edges.ts';
export type * from './events.ts';
export type * from './kinds.ts';
export type * from './modules.ts';
export type * from './names.ts';
export type * from './ssh.ts';
export type * from './store.ts';
export type * from './traffic.ts';
