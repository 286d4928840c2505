/**
 * A client of the management API, typed from its OpenAPI document. `transport.ts` sends requests, and `generated/`
 * has the operations.
 */
export { Client, type Joining } from './client.ts';
export { ApiError, ClientError, ConnectionError, UnexpectedAnswerError } from './errors.ts';
export { type ErrorName, errorNumbers } from './generated/errors.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export type { Listing, ListOptions, SelectOptions } from './listing.ts';
export type { CallOptions, ClientOptions, Retry } from './options.ts';
export type { RetryPolicy } from './retry.ts';
export type { StreamEvent, StreamOptions } from './stream.ts';
