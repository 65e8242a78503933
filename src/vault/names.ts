import { AppError } from '../platform/errors.ts';

/**
 * Validates the name of a collection or document. Callers choose names freely; the vault gives them
 * no meaning. The allowed characters are safe in paths, headers and log lines.
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
