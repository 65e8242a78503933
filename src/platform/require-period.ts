import { inputError } from './errors.ts';

type Period = { from?: Date | null | undefined; until?: Date | null | undefined };

/** Refuses a period that ends before it begins, or at once: it would look as if nothing happened. */
export function requirePeriod({ from, until }: Period): void {
  if (from && until && until <= from)
    throw inputError(
      'until',
      'OUT_OF_RANGE',
      'until must be later than from',
      'END_BEFORE_BEGINNING',
    );
}
