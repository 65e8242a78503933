import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { Download } from '../../graph/schema/download.ts';
import { ErrorCode } from '../../graph/schema/error-catalogue.ts';
import { RunMessage } from '../runs/run-message.graphql.ts';
import { CitationDetailType, RunUsage } from '../runs/run-result.graphql.ts';
import type {
  conversationRoles,
  ConversationMessage as MessageRow,
  messageStates,
} from './conversation-message.ts';
import { type Attachment, readAttachments, requireAttachment } from './read-attachments.ts';

const ConversationRole = builder.enumType('ConversationRole', {
  description: 'Who wrote a message of a conversation.',
  values: {
    USER: { description: 'The person, in a question.' },
    ASSISTANT: { description: 'The model, in an answer.' },
  } satisfies Record<(typeof conversationRoles)[number], object>,
});

const ConversationMessageState = builder.enumType('ConversationMessageState', {
  description: 'How far an answer is. A question is always COMPLETED.',
  values: {
    RUNNING: { description: 'The answer is being written.' },
    COMPLETED: { description: 'The message is complete.' },
    FAILED: { description: 'The run failed. What it wrote before is kept.' },
    CANCELLED: { description: 'The run was cancelled. What it wrote before is kept.' },
  } satisfies Record<(typeof messageStates)[number], object>,
});

const ConversationAttachment = builder.objectRef<Attachment>('ConversationAttachment').implement({
  description: 'A file that was sent with a question. It is deleted with the conversation.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the attachment.' }),
    originalName: t.exposeString('originalName', {
      description: 'The name that the file had when it was sent.',
    }),
    mimeType: t.exposeString('mimeType', { description: 'The type that was sent.' }),
    size: t.exposeInt('size', { description: 'The size of the file, in bytes.' }),
    contentAddress: t.string({
      description:
        'The path from which the owner of the conversation downloads the file, with the same API key or session.',
      resolve: ({ id }, _, { viewer }) => addressOf('attachments', id, personOf(viewer)),
    }),
  }),
});

export const ConversationMessage = builder.objectRef<MessageRow>('ConversationMessage').implement({
  description:
    'A question, or the answer of one run. Messages with the same parent are branches of the conversation.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the message.' }),
    parentId: t.exposeID('parentId', {
      nullable: true,
      description: 'The id of the message before it; null for the first of a branch.',
    }),
    role: t.field({
      type: ConversationRole,
      description: 'Who wrote the message.',
      resolve: ({ role }) => role,
    }),
    text: t.exposeString('text', {
      description: 'The question, or the answer. Markers such as [1] point into citationDetails.',
    }),
    messages: t.field({
      type: [RunMessage],
      description:
        'What the run wrote: text, reasoning and tool calls of the model, and the results of its tools. Empty for a question.',
      cost: { listSize: { assumedSize: 3 } },
      resolve: (message) => (message.role === 'ASSISTANT' ? message.content : []),
    }),
    state: t.field({
      type: ConversationMessageState,
      description: 'How far the answer is.',
      resolve: ({ state }) => state,
    }),
    errorCode: t.field({
      type: ErrorCode,
      nullable: true,
      description: 'Why the run failed or was cancelled; null for any other message.',
      resolve: ({ errorCode }) => errorCode,
    }),
    runId: t.exposeID('runId', {
      nullable: true,
      description: 'The id of the run that answered the question.',
    }),
    model: t.exposeString('model', {
      nullable: true,
      description: 'The model that answered; null for a question.',
    }),
    usage: t.field({
      type: RunUsage,
      nullable: true,
      description: 'The tokens of the run; null for a question, and until the answer is complete.',
      resolve: ({ promptTokens, completionTokens }) =>
        promptTokens === null || completionTokens === null
          ? null
          : { promptTokens, completionTokens },
    }),
    citations: t.exposeStringList('citations', {
      description: 'The sources of the answer, as the run returned them.',
    }),
    citationDetails: t.expose('citationDetails', {
      type: [CitationDetailType],
      description: 'The source of each marker in the text, in order of first use.',
    }),
    attachments: t.loadableList({
      type: ConversationAttachment,
      description: 'The files that were sent with the question.',
      load: async (messageIds: string[], { viewer, database }) => {
        const { organizationId } = personOf(viewer);
        const found = await readAttachments({ messageIds, organizationId }, database);
        const byMessage = Map.groupBy(found, ({ messageId }) => messageId);
        return messageIds.map((id) => byMessage.get(id) ?? []);
      },
      loaderOptions: { cache: false },
      resolve: ({ id }) => id,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the question was asked.',
    }),
  }),
});

/**
 * The quotes of sources and the results of tools are not shown: they are texts of files that the
 * reader may not have access to.
 */
export const SharedMessage = builder.objectRef<MessageRow>('SharedMessage').implement({
  description: 'A message as somebody with the link of its conversation reads it.',
  fields: (t) => ({
    role: t.field({
      type: ConversationRole,
      description: 'Who wrote the message.',
      resolve: ({ role }) => role,
    }),
    text: t.exposeString('text', { description: 'The question, or the answer.' }),
    state: t.field({
      type: ConversationMessageState,
      description: 'Whether the answer is complete.',
      resolve: ({ state }) => state,
    }),
    citations: t.exposeStringList('citations', {
      description: 'The names of the sources of the answer.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the question was asked.',
    }),
  }),
});

/** A browser opens a link with its cookie, and only the query parameter can name the organization. */
export const addressOf = (
  kind: 'attachments' | 'conversations',
  id: string,
  person: { kind: 'SESSION' | 'USER_KEY'; organizationId: string },
): string =>
  person.kind === 'SESSION'
    ? `/files/${kind}/${id}?organization=${person.organizationId}`
    : `/api/conversations/v1/${kind}/${id}/${kind === 'attachments' ? 'content' : 'export'}`;

builder.queryField('conversationAttachmentContent', (t) =>
  t.field({
    type: 'Download',
    description: 'A file that the caller sent with a question, as it was sent.',
    args: { attachmentId: t.arg.id({ description: 'The id of the attachment.' }) },
    authScopes: { person: true },
    resolve: async (_, { attachmentId }, { viewer, database, files: { storage } }) => {
      const person = personOf(viewer);
      const { id, originalName, mimeType, size, hash, storageKey } = await requireAttachment(
        { attachmentId, organizationId: person.organizationId, userId: person.userId },
        database,
      );
      return new Download({
        address: addressOf('attachments', id, person),
        name: originalName,
        mimeType,
        bytes: size,
        tag: `"${hash}"`,
        open: (range) => storage.get(storageKey, range),
      });
    },
  }),
);
