import { hash } from 'node:crypto';
import { fragment } from '../../../platform/database/sql.ts';
import type { RunParticipant } from '../run-record.ts';
import type { CitationDetail, RunMessage } from '../run-result.ts';
import { type RowsStatement, rowsTable } from '../run-writes.ts';

/** SHA-256 of a text as UTF-8, in hexadecimal digits. */
export const sha256Of = (text: string): string => hash('sha256', text);

/** The question of a run is the last message of the person, or else the last message. */
export function questionOf(messages: readonly RunMessage[]): string {
  const message = messages.findLast(({ role }) => role === 'user') ?? messages.at(-1);
  if (!message) return '';
  const { content } = message;
  if (typeof content === 'string') return content;
  return content.map((part) => ('text' in part ? part.text : '')).join('\n');
}

/** Keeps with the end of every completed run what its receipt needs. */
export const receiptParticipant: RunParticipant = {
  recordEnd(writes, { id, organizationId }, outcome) {
    if (outcome.state !== 'COMPLETED') return;
    const { text, citationDetails } = outcome.result;
    const citations = citationDetails.map(
      ({ marker, documentId, versionId, page, start, end, quote }) => ({
        ...{ marker, documentId, versionId, page, start, end },
        sha256: sha256Of(quote),
      }),
    );
    writes.add(insertReceipts, {
      ...{ id, organizationId, citations },
      ...{ questionHash: sha256Of(outcome.question), answerHash: sha256Of(text) },
    });
  },
};

type CitationRow = Pick<
  CitationDetail,
  'marker' | 'documentId' | 'versionId' | 'page' | 'start' | 'end'
> & { sha256: string };
type ReceiptRow = {
  id: string;
  organizationId: string;
  questionHash: string;
  answerHash: string;
  citations: readonly CitationRow[];
};

const insertReceipts: RowsStatement<ReceiptRow> = (rows) => fragment`
  with item as (
    select * from ${rowsTable(
      rows,
      fragment`id text, "organizationId" text, "questionHash" text, "answerHash" text, citations json`,
    )}),
  receipt as (
    insert into run_receipts (run_id, organization_id, question_hash, answer_hash)
    select id, "organizationId", "questionHash", "answerHash" from item returning run_id)
  insert into run_citations (run_id, marker, organization_id, document_id, version_id, page, start, "end", hash)
  select item.id, c.marker, item."organizationId", c."documentId", c."versionId", c.page, c.start, c."end", c.sha256
  from receipt join item on item.id = receipt.run_id cross join json_to_recordset(item.citations)
    as c (marker int, "documentId" text, "versionId" text, page int, start int, "end" int, sha256 text)`;
