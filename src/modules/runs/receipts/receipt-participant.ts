import { hash } from 'node:crypto';
import { fragment } from '../../../platform/database/sql.ts';
import type { RunParticipant } from '../run-record.ts';
import type { RunMessage } from '../run-result.ts';

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
  recordEnd(tx, { id, organizationId }, outcome) {
    if (outcome.state !== 'COMPLETED') return;
    const { text, citationDetails } = outcome.result;
    const receipt = fragment`
      insert into run_receipts (run_id, organization_id, question_hash, answer_hash)
      values (${id}, ${organizationId}, ${sha256Of(outcome.question)}, ${sha256Of(text)})`;
    if (citationDetails.length === 0) {
      tx.enqueue`${receipt}`;
      return;
    }
    const cited = citationDetails.map(
      ({ marker, documentId, versionId, page, start, end, quote }) => ({
        ...{ marker, documentId, versionId, page, start, end },
        sha256: sha256Of(quote),
      }),
    );
    tx.enqueue`
      with receipt as (${receipt} returning run_id, organization_id)
      insert into run_citations (run_id, marker, organization_id, document_id, version_id, page, start, "end", hash)
      select r.run_id, c.marker, r.organization_id, c."documentId", c."versionId", c.page, c.start, c."end", c.sha256
      from receipt r, jsonb_to_recordset(${JSON.stringify(cited)}::jsonb)
        as c(marker int, "documentId" text, "versionId" text, page int, start int, "end" int, sha256 text)`;
  },
};
