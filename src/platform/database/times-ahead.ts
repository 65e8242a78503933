import { type Fragment, fragment } from './sql.ts';

/**
 * Leases and the times of next attempts lie a known number of seconds ahead when they are written.
 * One that lies further ahead was written before the clock of the database was set back, and would
 * block its work for as long as that.
 */
export const isTooFarAhead = (column: Fragment, seconds: number): Fragment =>
  fragment`${column} > clock_timestamp() + make_interval(secs => ${seconds + toleranceSeconds})`;

/**
 * The time in the column, or the latest that could have been written now. A holder that is alive
 * extends its lease before then, so no lease gets a second holder.
 */
export const notTooFarAhead = (column: Fragment, seconds: number): Fragment =>
  fragment`case when ${isTooFarAhead(column, seconds)} then clock_timestamp() + make_interval(secs => ${seconds}) else ${column} end`;

// A time service corrects a clock by less than this without a step.
const toleranceSeconds = 1;
