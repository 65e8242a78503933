import { lockDirectory } from '../../platform/database/lock.ts';

/** Locks the directory of a vector database for this process. */
export const lockVectors = (location: string): (() => void) =>
  lockDirectory(location, {
    name: 'The vector database',
    remedy: 'stop that one, or set VECTOR_DB_URL to its address, so that it serves both',
  });
