import type { Sql } from '../../../platform/database/sql.ts';
import { batchesOf, type StatementBatch, statementBatchColumns } from './list-statement-batches.ts';
import {
  campaignsOf,
  type StatementCampaign,
  statementCampaignColumns,
} from './list-statement-campaigns.ts';
import {
  entriesOf,
  entryColumns,
  entryJoins,
  type StatementEntry,
  type StatementScope,
} from './statement-entry.ts';

/** The first rows of each list of a statement, and whether there are more. */
export type StatementDetails = {
  campaigns: FirstRows<StatementCampaign>;
  batches: FirstRows<StatementBatch>;
  entries: FirstRows<StatementEntry>;
};
export type FirstRows<Row> = { rows: Row[]; hasMore: boolean };

export const detailRowsMax = { campaigns: 200, batches: 200, entries: 1_000 };

/** Reads the parts of a statement that a file with a limited number of rows has. */
export async function readStatementDetails(
  scope: StatementScope,
  { sql }: { sql: Sql },
): Promise<StatementDetails> {
  const campaigns = await sql<StatementCampaign>`
    select ${statementCampaignColumns} from ${campaignsOf(scope)} s order by s.name, s.id limit ${detailRowsMax.campaigns + 1}`;
  const batches = await sql<StatementBatch>`
    select ${statementBatchColumns} from ${batchesOf(scope)} b order by b.batch, b.id limit ${detailRowsMax.batches + 1}`;
  const limit = detailRowsMax.entries + 1;
  const entries = await sql<StatementEntry>`
    select ${entryColumns}
    from (select * from ${entriesOf(scope, { after: undefined, limit })} entries order by at, id limit ${limit}) e
    ${entryJoins}
    order by e.at, e.id`;
  return {
    campaigns: firstRows(campaigns, detailRowsMax.campaigns),
    batches: firstRows(batches, detailRowsMax.batches),
    entries: firstRows(entries, detailRowsMax.entries),
  };
}

const firstRows = <Row>(rows: Row[], rowsMax: number): FirstRows<Row> => ({
  rows: rows.slice(0, rowsMax),
  hasMore: rows.length > rowsMax,
});
