import { refusals } from './assistants.ts';
import type { ConversationFixture, ParityApp } from './fixtures.ts';
import { samplesOn } from './samples.ts';

const area = '/api/conversations/v1';
const conversation = `${area}/conversations/:conversationId`;

const unknown = { code: 'NOT_FOUND' as const, input: () => ({ conversationId: 'unknown' }) };
const byId = ({ conversationId }: ConversationFixture) => ({ conversationId });
const withoutMessages = ({ conversationId }: ConversationFixture, { database }: ParityApp) =>
  database.prisma.conversation.update({
    where: { id: conversationId },
    data: { activeMessageId: null },
  });

export const conversationSamples = samplesOn(
  ({ conversation: create }) => create(),
  [
    {
      call: `GET ${area}/conversations`,
      input: () => ({}),
      refusals: [{ code: 'BAD_INPUT', input: () => ({ pageSize: 0 }) }],
    },
    {
      call: `GET ${area}/conversations`,
      title: 'with a search',
      input: ({ assistantId }) => ({ assistantId, search: 'vacation', isPinned: false }),
    },
    {
      call: `POST ${area}/conversations`,
      input: ({ assistantId }) => ({ assistantId, title: 'Vacation' }),
      refusals: [
        { code: 'FORBIDDEN', input: () => ({ assistantId: 'unknown' }) },
        { code: 'BAD_INPUT', input: ({ assistantId }) => ({ assistantId, title: '' }) },
      ],
    },
    {
      call: `POST ${area}/conversations/erase`,
      input: () => ({}),
      refusals: [refusals.revokedKey],
    },
    { call: `GET ${conversation}`, input: byId, refusals: [unknown] },
    {
      call: `GET ${conversation}`,
      title: 'with all branches',
      input: (fixture) => ({ ...byId(fixture), scope: 'ALL' }),
    },
    {
      call: `PATCH ${conversation}`,
      input: (fixture) => ({ ...byId(fixture), title: 'Days of vacation', isPinned: true }),
      refusals: [unknown],
    },
    { call: `DELETE ${conversation}`, input: byId, refusals: [unknown] },
    { call: `GET ${conversation}/export`, input: byId, refusals: [unknown] },
    {
      call: `POST ${conversation}/share`,
      input: byId,
      refusals: [unknown, { code: 'CONFLICT', prepare: withoutMessages }],
    },
    { call: `DELETE ${conversation}/share`, input: byId, refusals: [unknown] },
    {
      call: `GET ${area}/shared/:token`,
      input: ({ token }) => ({ token }),
      refusals: [{ code: 'NOT_FOUND', input: () => ({ token: 'unknown' }) }],
    },
    {
      call: `GET ${area}/attachments/:attachmentId/content`,
      input: ({ attachmentId }) => ({ attachmentId }),
      refusals: [{ code: 'NOT_FOUND', input: () => ({ attachmentId: 'unknown' }) }],
    },
    {
      call: 'POST /api/assistants/v1/:assistantId/run',
      title: 'in a conversation',
      input: ({ assistantId, conversationId }) => ({
        ...{ assistantId, conversationId },
        messages: [{ role: 'user', content: 'How many days of vacation do I get?' }],
      }),
      refusals: [
        {
          code: 'NOT_FOUND',
          input: ({ assistantId }) => ({
            ...{ assistantId, conversationId: 'unknown' },
            messages: [{ role: 'user', content: 'How many days of vacation do I get?' }],
          }),
        },
      ],
    },
  ],
);
