import { type FieldError, InputError } from '../../platform/errors.ts';

export const usageGroups = ['DAY', 'ASSISTANT', 'USER', 'KEY', 'MODEL'] as const;
export type UsageGroup = (typeof usageGroups)[number];
type ValueGroup = Exclude<UsageGroup, 'DAY'>;

/** Days in UTC as `2026-01-31`; `until` is the day after the last one. */
export type UsageRange = { from: string; until: string };
export type UsageQuery = UsageRange & {
  organizationId: string;
  /** Only the usage of this person. */
  userId?: string | undefined;
  groupBy: readonly UsageGroup[];
};

/** The arguments of a caller, who can leave all of them out. */
export type UsageArguments = {
  from?: string | null | undefined;
  until?: string | null | undefined;
  groupBy?: readonly UsageGroup[] | null | undefined;
};

const dayMs = 86_400_000;
const daysMax = 366;
const defaultDays = 30;
/** The kept totals do not have several values together, so their entries are read. */
const entryDaysMax = 31;

/**
 * The query of these arguments: without `until` it ends with today, and without `from` it has 30
 * days. Throws if the range is empty or too long.
 */
export function usageQuery(
  args: UsageArguments,
  scope: Pick<UsageQuery, 'organizationId' | 'userId'>,
  now: Date,
): UsageQuery {
  const until = args.until ?? dayAfter(dayOf(now), 1);
  const from = args.from ?? dayAfter(until, -defaultDays);
  const groupBy = [...new Set<UsageGroup>(args.groupBy ?? ['DAY'])];
  const query = { ...scope, from, until, groupBy };
  const days = (Date.parse(until) - Date.parse(from)) / dayMs;
  const daysAllowed = isKept(query) ? daysMax : entryDaysMax;
  const faults: FieldError[] = [];
  if (days <= 0)
    faults.push({ field: 'until', code: 'OUT_OF_RANGE', message: 'until must be later than from' });
  if (days > daysAllowed)
    faults.push({
      field: 'from',
      code: 'OUT_OF_RANGE',
      message: isKept(query)
        ? `from must be at most ${daysMax} days before until`
        : `from must be at most ${entryDaysMax} days before until if groupBy has more than one of ASSISTANT, USER, KEY and MODEL`,
    });
  if (faults.length > 0) throw new InputError(faults);
  return query;
}

export const valuesIn = ({ groupBy }: Pick<UsageQuery, 'groupBy'>): ValueGroup[] =>
  groupBy.filter((group): group is ValueGroup => group !== 'DAY');

/** Whether the kept totals have all rows of the query: they have one dimension. */
export function isKept({ userId, groupBy }: Pick<UsageQuery, 'userId' | 'groupBy'>): boolean {
  const values = valuesIn({ groupBy });
  return userId === undefined ? values.length <= 1 : values.every((value) => value === 'USER');
}

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10);

// Other years have no four digits, and no place in the database.
const firstDay = Date.parse('0001-01-01');
const lastDay = Date.parse('9999-12-31');

/** The day so many days later, within the years 0001 to 9999. */
export const dayAfter = (day: string, days: number): string =>
  dayOf(new Date(Math.min(Math.max(Date.parse(day) + days * dayMs, firstDay), lastDay)));
