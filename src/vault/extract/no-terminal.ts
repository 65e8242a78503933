/**
 * Stands for node:tty in the bundle of the reader, for libraries that ask whether the output is a
 * terminal. The streams of node:tty are sockets, so the reader has none.
 */
export const isatty = (): boolean => false;
