import { AppError } from '../platform/errors.ts';

/**
 * The name of a collection or document, which is its caller's: nothing is read out of it, and it is
 * safe wherever a name can stand.
 */
export function requireName(
  name: string | undefined,
  what: 'collection' | 'document' | 'replaces',
): string {
  if (name === undefined || !/^[A-Za-z0-9._-]{1,128}$/.test(name) || name === '.' || name === '..')
    throw new AppError(
      'BAD_INPUT',
      `${what}: must be 1 to 128 letters, digits, dots, hyphens or underscores`,
    );
  return name;
}
