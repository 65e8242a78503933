import { setFlagsFromString } from 'node:v8';

/**
 * Turns off pretenuring: V8 allocates objects in the old generation if earlier ones from the same
 * place in the code survived. Here the earlier ones are those of the first requests, and the
 * responses of all later requests would then wait for a full garbage collection.
 */
export const disablePretenuring = (): void =>
  setFlagsFromString('--no-allocation-site-pretenuring');
