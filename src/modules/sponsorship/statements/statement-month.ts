/** A calendar month in UTC. */
export type Month = {
  /** Such as "2026-11". */
  name: string;
  /** The first instant of the month. */
  start: Date;
  /** The first instant of the next month. */
  end: Date;
};

/** The form of the name of a month. */
export const monthPattern = /^([1-9]\d{3})-(0[1-9]|1[0-2])$/;

/** The month with this name, which has the form of `monthPattern`. */
export const monthOf = (name: string): Month => monthAt(new Date(`${name}-01T00:00:00Z`));

/** The month of this instant. */
export function monthAt(instant: Date): Month {
  const [year, month] = [instant.getUTCFullYear(), instant.getUTCMonth()];
  const start = new Date(Date.UTC(year, month));
  return { name: start.toISOString().slice(0, 7), start, end: new Date(Date.UTC(year, month + 1)) };
}
