import type { Database } from '../../platform/database/database.ts';

/** How often each schema coordinate was used. */
export type Usage = ReadonlyMap<string, number>;

type UsageDependencies = { database: Pick<Database, 'unscoped'> };

/** The days for which uses are kept. */
const usageDays = 31;

/**
 * Adds uses to those of the day, and deletes days that are not kept. All processes add to the same
 * rows, in one order, so that they do not wait for each other in a circle.
 */
export async function addUsage(usage: Usage, { database }: UsageDependencies): Promise<void> {
  const coordinates = [...usage.keys()].toSorted();
  const uses = coordinates.map((coordinate) => usage.get(coordinate) ?? 0);
  await database.unscoped.sql`
    with expired as (delete from schema_usage where day < (now() at time zone 'UTC')::date - ${usageDays}::int)
    insert into schema_usage (day, coordinate, uses)
    select (now() at time zone 'UTC')::date, added.coordinate, added.uses
    from unnest(${coordinates}::text[], ${uses}::bigint[]) with ordinality added (coordinate, uses, position) order by position
    on conflict (day, coordinate) do update set uses = schema_usage.uses + excluded.uses`;
}

/** The uses of the last days, today included. */
export async function readUsage(
  { days }: { days: number },
  { database }: UsageDependencies,
): Promise<Usage> {
  const rows = await database.unscoped.sql<{ coordinate: string; uses: number }>`
    select coordinate, sum(uses)::float8 as uses from schema_usage
    where day > (now() at time zone 'UTC')::date - ${days}::int group by coordinate order by coordinate`;
  return new Map(rows.map(({ coordinate, uses }) => [coordinate, uses]));
}
