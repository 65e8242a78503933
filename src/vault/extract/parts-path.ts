import type { SourceFile } from './block.ts';

/**
 * The directory for the attachments of a file while a reader reads them. It is removed when reading
 * ends, however it ends.
 */
export const partsPathOf = ({ path }: SourceFile): string => `${path}.parts`;
