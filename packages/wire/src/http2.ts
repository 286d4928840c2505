/** Decodes frames and header blocks of HTTP/2. The daemon and the agent share this code. */

export * from './http2/frame-reader.ts';
export * from './http2/frames.ts';
export * from './http2/header-decoder.ts';
export { decodeHuffman } from './http2/huffman.ts';
export * from './http2/static-table.ts';
