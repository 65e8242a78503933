import { randomBase62 } from '../../../platform/base62.ts';

export const newLinkToken = (): string => randomBase62(32);
