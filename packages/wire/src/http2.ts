/** How HTTP/2 is read: frames and header blocks, for the daemon that speaks it and for the agent by which it passes. */

export * from './http2/frame-reader.ts';
export * from './http2/frames.ts';
export * from './http2/header-decoder.ts';
export { decodeHuffman } from './http2/huffman.ts';
export * from './http2/static-table.ts';
