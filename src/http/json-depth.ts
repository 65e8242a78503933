import { inputError } from '../platform/errors.ts';

// No documented request needs more than ten levels, and 64 levels are safe for recursive code.
export const jsonLevelsMax = 64;

/**
 * Rejects a value that is nested too deeply. `field` is the name under which the client sent it.
 */
export function requireShallow<T>(value: T, field = 'body'): T {
  if (isDeeperThan(value, jsonLevelsMax))
    throw inputError(
      field,
      'INVALID',
      `${field === 'body' ? 'The body' : field} is nested more than ${jsonLevelsMax} levels deep`,
    );
  return value;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const item of Array.isArray(value) ? value : Object.values(value))
    if (isDeeperThan(item, levels - 1)) return true;
  return false;
}
