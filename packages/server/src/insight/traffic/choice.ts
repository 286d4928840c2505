/** Extents of the list of requests: without values of queries and whole addresses, with them, or no list. */
export const REQUEST_LOGS = ['redacted', 'full', 'off'] as const;
export type RequestLogChoice = (typeof REQUEST_LOGS)[number];

/** Permissions of the operator for recordings of bodies. */
export const BODY_RECORDINGS = ['on', 'off'] as const;
export type BodyRecordingsChoice = (typeof BODY_RECORDINGS)[number];
