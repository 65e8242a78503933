/**
 * What a library that asks whether its output is a terminal gets instead of node:tty, whose streams
 * are sockets.
 */
export const isatty = (): boolean => false;
