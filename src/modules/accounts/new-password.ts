import { isStorable } from '../../graph/scalars.ts';

export const passwordMin = 10;
export const passwordMax = 128;

/** A password that somebody chooses, as it was typed: spaces at its ends included, lengths in code points. */
export function parseNewPassword(value: unknown): string | undefined {
  if (!isStorable(value) || value.length > 2 * passwordMax) return undefined;
  const length = [...value].length;
  return length >= passwordMin && length <= passwordMax ? value : undefined;
}
