import type { Database } from '../../../platform/database/database.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import type { Person } from '../../assistants/access.ts';
import type { Receipt, ReceiptCitation, SignedReceipt } from './receipt.ts';
import type { ReceiptKeys } from './receipt-keys.ts';
import { signText } from './signed-text.ts';

type ReceiptRequest = { runId: string; person: Person; issuer: string };
type ReceiptDependencies = { database: Database; receiptKeys: ReceiptKeys };

type ReceiptRow = Omit<Receipt, 'issuer' | 'citations' | HashField> &
  Record<HashField, string | null> & { state: string; citations: ReceiptCitation[] };
type HashField = 'questionSha256' | 'answerSha256';

/**
 * The signed receipt of a completed run of this person. It has no time of its own, so it is the same
 * whenever it is read.
 */
export async function readReceipt(
  { runId, person, issuer }: ReceiptRequest,
  { database, receiptKeys }: ReceiptDependencies,
): Promise<SignedReceipt> {
  const row = await findRow({ runId, person }, database);
  if (!row) throw notFound('Run');
  const { state, questionSha256, answerSha256, citations, ...run } = row;
  if (questionSha256 === null || answerSha256 === null)
    throw new AppError(
      'CONFLICT',
      `The run is ${state}: only a completed run has an answer and a receipt`,
      'RUN_NOT_COMPLETED',
    );
  const receipt = { issuer, ...run, questionSha256, answerSha256, citations };
  return { ...receipt, jws: signText(JSON.stringify(receipt), await receiptKeys.signing()) };
}

async function findRow(
  { runId, person: { organizationId, userId } }: Pick<ReceiptRequest, 'runId' | 'person'>,
  { sql }: Database,
): Promise<ReceiptRow | undefined> {
  const [row] = await sql<ReceiptRow>`
    select r.id as "runId", r.organization_id as "organizationId", r.assistant_id as "assistantId",
      r.assistant_version as "assistantVersion", r.state::text as state, r.model,
      coalesce(r.started_at, r.created_at) as "startedAt", coalesce(r.ended_at, r.created_at) as "endedAt",
      r.prompt_tokens as "promptTokens", r.completion_tokens as "completionTokens", r.cached_tokens as "cachedTokens",
      h.question_hash as "questionSha256", h.answer_hash as "answerSha256",
      coalesce((select jsonb_agg(jsonb_build_object('marker', c.marker, 'documentId', c.document_id, 'versionId', c.version_id,
          'page', c.page, 'start', c.start, 'end', c."end", 'sha256', c.hash) order by c.marker)
        from run_citations c where c.run_id = r.id and c.organization_id = r.organization_id), '[]'::jsonb) as citations
    from runs r left join run_receipts h on h.run_id = r.id and h.organization_id = r.organization_id
    where r.id = ${runId} and r.organization_id = ${organizationId} and r.user_id = ${userId}`;
  return row;
}
