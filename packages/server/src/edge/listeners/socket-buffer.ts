/** Bytes that a visitor's socket takes before its stream has to wait. Node's own mark is so low that a tunnel would stand still between two drains. */
export const socketBufferBytes = 128 * 1024;
