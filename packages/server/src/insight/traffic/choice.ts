/** Extents of the list of requests: without values of queries and whole addresses, with them, or no list. */
export const REQUEST_LOGS = ['redacted', 'full', 'off'] as const;
export type RequestLogChoice = (typeof REQUEST_LOGS)[number];
