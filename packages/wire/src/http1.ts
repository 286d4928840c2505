/** Parses response heads of HTTP/1.x as leniently as RFC 9112 permits. The daemon and the agent share this code. */

export * from './http1/bytes.ts';
export * from './http1/loose-fields.ts';
export * from './http1/loose-response.ts';
export * from './http1/message-fault.ts';
export * from './http1/strict-response.ts';
