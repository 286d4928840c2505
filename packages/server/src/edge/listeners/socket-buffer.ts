/**
 * Bytes that a visitor's socket buffers before its stream waits. With Node's low default, a tunnel would stall between
 * two drains.
 */
export const socketBufferBytes = 128 * 1024;
