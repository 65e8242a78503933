import type { Database } from '../../platform/database/database.ts';

/** How often each schema coordinate was used. */
export type CoordinateUsage = ReadonlyMap<string, number>;

/** How often a document was sent. */
export type DocumentUsage = {
  /** The SHA-256 of a trusted document; empty for all other documents together. */
  id: string;
  /** The names of its operations. */
  operations: readonly string[];
  /** What it uses of the schema. Empty where `id` is. */
  coordinates: readonly string[];
  uses: number;
};

export type Usage = { coordinates: CoordinateUsage; documents: readonly DocumentUsage[] };

type UsageDependencies = { database: Pick<Database, 'unscoped'> };

/** The days for which uses are kept. */
const usageDays = 31;
/** Documents of a day that have a row of their own. Further ones are counted together. */
const documentsPerDayMax = 2_000;

/**
 * Adds uses to those of the day, and deletes days that are not kept. All processes add to the same
 * rows, in one order, so that they do not wait for each other in a circle.
 */
export async function addUsage(
  { coordinates: usesByCoordinate, documents }: Usage,
  {
    database,
    documentsMax = documentsPerDayMax,
  }: UsageDependencies & { documentsMax?: number | undefined },
): Promise<void> {
  const coordinates = [...usesByCoordinate.keys()].toSorted();
  const uses = coordinates.map((coordinate) => usesByCoordinate.get(coordinate) ?? 0);
  await database.unscoped.sql`
    with expired as (delete from schema_usage where day < (now() at time zone 'UTC')::date - ${usageDays}::int),
    expired_documents as (delete from document_usage where day < (now() at time zone 'UTC')::date - ${usageDays}::int),
    known as (select document from document_usage where day = (now() at time zone 'UTC')::date and document <> ''),
    sent as (
      select item.*, known.document is not null or row_number() over (partition by known.document is null order by id)
        <= ${documentsMax}::int - (select count(*) from known) as has_row
      from json_to_recordset(${JSON.stringify(documents)}::json) as item (id text, operations text[], coordinates text[], uses bigint)
        left join known on known.document = item.id
      where item.id <> ''),
    rest as (
      select sum(uses)::bigint as uses from (
        select uses from sent where not has_row
        union all
        select item.uses from json_to_recordset(${JSON.stringify(documents)}::json) as item (id text, uses bigint) where id = '') part),
    added_documents as (
      insert into document_usage (day, document, operations, coordinates, uses)
      select (now() at time zone 'UTC')::date, added.* from (
        select '' as id, '{}'::text[] as operations, '{}'::text[] as coordinates, uses from rest where uses > 0
        union all
        select id, operations, coordinates, uses from sent where has_row) added
      order by id
      on conflict (day, document) do update set uses = document_usage.uses + excluded.uses)
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
  const coordinates = await database.unscoped.sql<{ coordinate: string; uses: number }>`
    select coordinate, sum(uses)::float8 as uses from schema_usage
    where day > (now() at time zone 'UTC')::date - ${days}::int group by coordinate order by coordinate`;
  // A document has other coordinates after a change of the schema, so it can have several rows.
  const documents = await database.unscoped.sql<{
    id: string;
    operations: string[];
    coordinates: string[];
    uses: number;
  }>`
    select document as id, operations, coordinates, sum(uses)::float8 as uses from document_usage
    where day > (now() at time zone 'UTC')::date - ${days}::int
    group by document, operations, coordinates order by document, operations, coordinates`;
  return {
    coordinates: new Map(coordinates.map(({ coordinate, uses }) => [coordinate, uses])),
    documents,
  };
}
