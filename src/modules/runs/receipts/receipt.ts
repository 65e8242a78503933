import { z } from 'zod';

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);

const citation = z.object({
  marker: z.int(),
  documentId: z.string().nullable(),
  versionId: z.string().nullable(),
  page: z.int().nullable(),
  start: z.int().min(0),
  end: z.int().min(0),
  sha256,
});

/** What a receipt says. The signed text is this object as JSON. */
export const receiptSchema = z.object({
  issuer: z.string(),
  runId: z.string(),
  organizationId: z.string(),
  assistantId: z.string(),
  assistantVersion: z.string(),
  model: z.string(),
  startedAt: z.string(),
  endedAt: z.string(),
  promptTokens: z.int(),
  completionTokens: z.int(),
  cachedTokens: z.int(),
  questionSha256: sha256,
  answerSha256: sha256,
  citations: z.array(citation),
});

export type Receipt = z.output<typeof receiptSchema>;
export type ReceiptCitation = Receipt['citations'][number];
export type SignedReceipt = Receipt & { jws: string };
