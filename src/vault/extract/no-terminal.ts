/**
 * Replaces node:tty for libraries that ask whether the output is a terminal, because the streams of
 * node:tty are sockets.
 */
export const isatty = (): boolean => false;
