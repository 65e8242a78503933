import { personOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { readReceipt } from './read-receipt.ts';
import type { ReceiptCitation, SignedReceipt } from './receipt.ts';
import type { ReceiptKeys } from './receipt-keys.ts';

declare module '../../../access/context.ts' {
  interface Services {
    receiptKeys: ReceiptKeys;
  }
}

const ReceiptCitationType = builder.objectRef<ReceiptCitation>('ReceiptCitation').implement({
  description: 'Where a cited passage stands, and its hash.',
  fields: (t) => ({
    marker: t.exposeInt('marker', { description: 'The number in brackets in the answer.' }),
    documentId: t.exposeID('documentId', {
      nullable: true,
      description: 'The id of the file. Null for a file that was sent with the run.',
    }),
    versionId: t.exposeID('versionId', {
      nullable: true,
      description: 'The id of the cited version. Null for a file that was sent with the run.',
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'The page, from 1; null for a kind of file without pages.',
    }),
    start: t.exposeInt('start', {
      description: 'The offset of the cited text in the text of the file, in UTF-16 units.',
    }),
    end: t.exposeInt('end', {
      description: 'The offset after the cited text, in UTF-16 units.',
    }),
    sha256: t.exposeString('sha256', {
      description: 'SHA-256 of the cited text as UTF-8, in hexadecimal digits.',
    }),
  }),
});

const RunReceiptType = builder.objectRef<SignedReceipt>('RunReceipt').implement({
  description:
    'A signed statement of what a run answered and what it cited. It has hashes, and no content.',
  fields: (t) => ({
    issuer: t.exposeString('issuer', { description: 'The address of Atrium.' }),
    runId: t.exposeID('runId', { description: 'The id of the run.' }),
    organizationId: t.exposeID('organizationId', { description: 'The organization of the run.' }),
    assistantId: t.exposeID('assistantId', { description: 'The assistant that answered.' }),
    assistantVersion: t.expose('assistantVersion', {
      type: 'DateTime',
      description: 'When the assistant was last changed before the run.',
    }),
    model: t.exposeString('model', { description: 'The model that answered.' }),
    startedAt: t.expose('startedAt', { type: 'DateTime', description: 'When the run started.' }),
    endedAt: t.expose('endedAt', { type: 'DateTime', description: 'When the run ended.' }),
    promptTokens: t.exposeInt('promptTokens', { description: 'Tokens that the model read.' }),
    completionTokens: t.exposeInt('completionTokens', {
      description: 'Tokens that the model wrote.',
    }),
    cachedTokens: t.exposeInt('cachedTokens', {
      description: 'Tokens of `promptTokens` that the provider had in its cache.',
    }),
    questionSha256: t.exposeString('questionSha256', {
      description: 'SHA-256 of the last message of the person as UTF-8, in hexadecimal digits.',
    }),
    answerSha256: t.exposeString('answerSha256', {
      description: 'SHA-256 of the text of the answer as UTF-8, in hexadecimal digits.',
    }),
    citations: t.expose('citations', {
      type: [ReceiptCitationType],
      description: 'The citations of the answer, by their markers.',
    }),
    jws: t.exposeString('jws', {
      description:
        'All other fields as JSON, signed as a compact JWS with EdDSA. The public keys are at /.well-known/atrium-receipts.json.',
    }),
  }),
});

builder.queryField('runReceipt', (t) =>
  t.field({
    type: RunReceiptType,
    description:
      'The signed receipt of a completed run of the viewer, to prove later what was answered.',
    args: { runId: t.arg({ type: 'ID', description: 'The id of the run.' }) },
    authScopes: { person: true },
    resolve: (_, { runId }, context) =>
      readReceipt({ runId, person: personOf(context.viewer), issuer: context.origin }, context),
  }),
);
