import { Readable } from 'node:stream';
import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { Download } from '../../graph/schema/download.ts';
import { hashName } from '../../platform/hash.ts';
import { readAssistants } from '../assistants/read-assistants.ts';
import { requireConversation } from './conversation.ts';
import { addressOf } from './conversation-message.graphql.ts';
import { type exportFormats, exportTypes, writeExport } from './export-conversation.ts';
import { readAttachments } from './read-attachments.ts';
import { readMessages } from './read-messages.ts';

const ConversationFormat = builder.enumType('ConversationFormat', {
  description: 'The format of an exported conversation.',
  values: {
    MARKDOWN: { description: 'The active branch as text for people.' },
    JSON: { description: 'All messages with all their fields, for programs.' },
  } satisfies Record<(typeof exportFormats)[number], object>,
});

builder.queryField('conversationExport', (t) =>
  t.field({
    type: 'Download',
    description: 'A conversation of the caller as a file.',
    args: {
      conversationId: t.arg.id({ description: 'The id of the conversation.' }),
      format: t.arg({
        type: ConversationFormat,
        defaultValue: 'MARKDOWN',
        description: 'The format of the file.',
      }),
    },
    authScopes: { person: true },
    resolve: async (_, { conversationId, format }, { viewer, database }) => {
      const person = personOf(viewer);
      const { organizationId, userId } = person;
      const conversation = await requireConversation(
        { conversationId, organizationId, userId },
        database,
      );
      const scope = format === 'JSON' ? 'ALL' : 'PATH';
      const messages = await readMessages({ conversation, scope }, database);
      const [[assistant], attachments] = await Promise.all([
        readAssistants({ ids: [conversation.assistantId], person }, { database }),
        readAttachments({ messageIds: messages.map(({ id }) => id), organizationId }, database),
      ]);
      const text = writeExport(format, {
        conversation,
        assistantName: assistant?.name ?? null,
        messages,
        attachments: Map.groupBy(
          attachments.map(({ messageId, originalName, mimeType, size }) => ({
            ...{ messageId, originalName, mimeType, size },
          })),
          ({ messageId }) => messageId,
        ),
      });
      const bytes = Buffer.from(text);
      const { mimeType, ending } = exportTypes[format];
      return new Download({
        address: addressOf('conversations', conversationId, person),
        name: `${fileNameOf(conversation.title)}.${ending}`,
        mimeType,
        bytes: bytes.length,
        tag: `"${hashName(text)}"`,
        open: async (range) =>
          Readable.from([range ? bytes.subarray(range.start, range.end + 1) : bytes]),
      });
    },
  }),
);

const fileNameOf = (title: string | null): string =>
  (title ?? '').replace(/[^\p{L}\p{N} ._-]/gu, '').trim() || 'conversation';
