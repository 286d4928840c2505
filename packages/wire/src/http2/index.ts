/** How HTTP/2 is read: frames and header blocks, for the daemon that speaks it and for the agent by which it passes. */

export * from './frame-reader.ts';
export * from './frames.ts';
export * from './header-decoder.ts';
export { decodeHuffman } from './huffman.ts';
export * from './static-table.ts';
