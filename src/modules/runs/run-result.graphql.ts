import { builder } from '../../graph/schema/builder.ts';
import { RunMessage } from './run-message.graphql.ts';
import type { CitationDetail, RunResult } from './run-result.ts';

export const RunUsage = builder.objectRef<RunResult['usage']>('RunUsage').implement({
  description: 'Tokens of all steps of a run; 0 if the provider does not count them.',
  fields: (t) => ({
    promptTokens: t.exposeInt('promptTokens', {
      description:
        'Tokens of what the model read: instructions, messages, passages and results of tools.',
    }),
    completionTokens: t.exposeInt('completionTokens', {
      description: 'Tokens of what the model wrote, including reasoning and tool calls.',
    }),
  }),
});

export const CitationDetailType = builder.objectRef<CitationDetail>('CitationDetail').implement({
  description: 'The source that a marker such as [1] in the text points to.',
  fields: (t) => ({
    marker: t.exposeInt('marker', { description: 'The number in brackets.' }),
    documentId: t.exposeID('documentId', {
      nullable: true,
      description: 'The id of the current file. Null for a file that was sent with the run.',
    }),
    isPreviousVersion: t.exposeBoolean('isPreviousVersion', {
      description:
        'True if the text comes from the previous version of the file: runs search a replacement only once it is COMPLETED. Name, page, quote and offsets are those of the cited version.',
    }),
    versionId: t.exposeID('versionId', {
      nullable: true,
      description:
        'The id of the cited version, for assistantFileExcerpt: the id of the file, or of the file that it replaced.',
    }),
    originalName: t.exposeString('originalName', {
      description: 'The name of the file that contains the quote.',
    }),
    page: t.exposeInt('page', {
      nullable: true,
      description: 'The page, from 1; null for a kind of file without pages.',
    }),
    start: t.exposeInt('start', {
      description: 'The offset of the quote in the text of the file, in UTF-16 units.',
    }),
    end: t.exposeInt('end', {
      description: 'The offset after the quote in the text of the file, in UTF-16 units.',
    }),
    quote: t.exposeString('quote', { description: 'The quoted text.' }),
    score: t.exposeFloat('score', {
      description: 'The score that the search gave to the passage.',
    }),
  }),
});

const RunFinishReason = builder.enumType('RunFinishReason', {
  description: 'Why an answer ended. New versions can add values.',
  values: {
    STOP: { description: 'The answer is complete.' },
    LENGTH: {
      description: 'The model reached its token limit, so the answer is incomplete.',
    },
    CONTENT_FILTER: {
      description: 'A filter of the provider held back the rest, so the answer is incomplete.',
    },
  },
});

export const RunResultType = builder.objectRef<RunResult>('RunResult').implement({
  description: 'The answer of an assistant with its sources and messages.',
  fields: (t) => ({
    runId: t.exposeID('runId', { description: 'The id of the run, for its receipt.' }),
    text: t.exposeString('text', {
      description:
        'The answer. Markers such as [1] point into citationDetails. With `output`, the value as JSON.',
    }),
    output: t.field({
      type: 'JSON',
      nullable: true,
      description: 'The value of the answer, if the run has a schema for it; otherwise null.',
      resolve: ({ output }) => output,
    }),
    model: t.exposeString('model', { description: 'The model that answered.' }),
    messages: t.expose('messages', {
      type: [RunMessage],
      description:
        'The new messages: text, reasoning and tool calls of the model, and the results of its tools.',
    }),
    usage: t.expose('usage', {
      type: RunUsage,
      description: 'The tokens of all steps of the run.',
    }),
    citations: t.exposeStringList('citations', {
      description:
        'The sources of the answer without duplicates, in order of first use: `originalName` or `originalName#page=3`.',
    }),
    citationDetails: t.expose('citationDetails', {
      type: [CitationDetailType],
      description: 'The source of each marker in the text, in order of first use.',
    }),
    finishReason: t.expose('finishReason', {
      type: RunFinishReason,
      description: 'Whether the answer is complete.',
    }),
    answerMessageId: t.id({
      nullable: true,
      description:
        'The id of the answer in its conversation; null for a run without a conversation.',
      resolve: ({ answerMessageId }) => answerMessageId ?? null,
    }),
  }),
});
