import type { Source } from './block.ts';

/**
 * Where a reader puts what a file carries inside it (attachments) while they are read; gone when
 * reading ends, however it ends.
 */
export const partsPathOf = ({ path }: Source): string => `${path}.parts`;
