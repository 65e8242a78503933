import { setFlagsFromString } from 'node:v8';

/**
 * V8 allocates objects that it expects to live long where only a full garbage collection frees
 * them. In this program the expectation is wrong: it forms while few requests are in progress
 * and each survives a collection, and then holds for the responses of all later requests.
 */
export const expectShortLives = (): void => setFlagsFromString('--no-allocation-site-pretenuring');
