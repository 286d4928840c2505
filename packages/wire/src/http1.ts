/** Reads response heads of HTTP/1.x as RFC 9112 lets a recipient read them, for the daemon and for the agent by which they pass. */

export * from './http1/bytes.ts';
export * from './http1/loose-fields.ts';
export * from './http1/loose-response.ts';
export * from './http1/message-fault.ts';
export * from './http1/strict-response.ts';
