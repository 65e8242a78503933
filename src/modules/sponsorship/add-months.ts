/**
 * Calendar months in UTC, clamped at the month's end: a month after 31 January is 28 or 29
 * February.
 */
export function addMonths(from: Date, months: number): Date {
  const moved = new Date(from);
  moved.setUTCMonth(from.getUTCMonth() + months);
  // A day that the month does not have has run over into the next one.
  if (moved.getUTCDate() !== from.getUTCDate()) moved.setUTCDate(0);
  return moved;
}
