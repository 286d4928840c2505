/**
 * A client of the management API, typed from its OpenAPI document. How a request is made is in transport.ts, what there is
 * to ask for in generated/.
 */
export { Client } from './client.ts';
export { ApiError, ClientError, ConnectionError, UnexpectedAnswerError } from './errors.ts';
export { type ErrorName, errorNumbers } from './generated/errors.ts';
export type * from './generated/resources.ts';
export type * from './generated/types.ts';
export type { Listing, ListOptions } from './listing.ts';
export type { CallOptions, ClientOptions, Retry } from './options.ts';
export type { RetryPolicy } from './retry.ts';
