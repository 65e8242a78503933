/**
 * Adds calendar months in UTC. A day that the target month does not have becomes its last day: one
 * month after 31 January is 28 or 29 February.
 */
export function addMonths(from: Date, months: number): Date {
  const result = new Date(from);
  result.setUTCMonth(from.getUTCMonth() + months);
  // JavaScript turns 31 February into 3 March; day 0 of that month is the last day of February.
  if (result.getUTCDate() !== from.getUTCDate()) result.setUTCDate(0);
  return result;
}
