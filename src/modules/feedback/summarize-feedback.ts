import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Person } from '../assistants/access.ts';
import { requireAssistant } from '../assistants/require-assistant.ts';

/** How many answers have each mark. */
export type FeedbackCounts = { good: number; bad: number };
export type FeedbackWeek = FeedbackCounts & {
  /** The Monday of the week, such as 2026-11-23. */
  from: string;
};
export type FeedbackSummary = FeedbackCounts & {
  /** The last weeks, also those without feedback, the earliest first. */
  weeks: FeedbackWeek[];
};

export const summarizedWeeks = 12;

/** Counts the feedback on an assistant that the person may change. Weeks begin on Monday in UTC. */
export async function summarizeFeedback(
  { assistantId, person }: { assistantId: string; person: Person },
  { database, clock }: { database: Database; clock: Clock },
): Promise<FeedbackSummary> {
  await requireAssistant({ assistantId, person, level: 'EDIT' }, { database });
  const { organizationId } = person;
  const rows = await database.sql<FeedbackCounts & { from: string | null }>`
    with feedback as (
        select mark, date_trunc('week', given_on at time zone 'UTC')::date as week from answer_feedback
        where organization_id = ${organizationId} and assistant_id = ${assistantId}),
      weeks as (
        select (date_trunc('week', ${clock()}::timestamptz at time zone 'UTC') - make_interval(weeks => ago))::date as week
        from generate_series(0, ${summarizedWeeks - 1}::int) ago)
    select null as "from", count(*) filter (where mark = 'GOOD')::int as good, count(*) filter (where mark = 'BAD')::int as bad from feedback
    union all
    select w.week::text, count(*) filter (where f.mark = 'GOOD')::int, count(*) filter (where f.mark = 'BAD')::int
    from weeks w left join feedback f on f.week = w.week group by w.week
    order by 1 nulls first`;
  const [total, ...weeks] = rows;
  return {
    good: total?.good ?? 0,
    bad: total?.bad ?? 0,
    weeks: weeks.map(({ from, good, bad }) => ({ from: from ?? '', good, bad })),
  };
}
