import type { AssistantFixture, ParityApp } from './fixtures.ts';
import { samplesOn } from './samples.ts';

const assistants = '/api/assistants/v1';
const files = '/api/assistant-files/v1/assistants/:assistantId/files';
const openAi = '/api/openai/v1';

const text = (content: string) => new File([content], 'notes.txt', { type: 'text/plain' });
const messages = [{ role: 'user', content: 'How many days of vacation do I get?' }];

const withRevokedKey = async ({ keyId }: AssistantFixture, app: ParityApp) => {
  await app.database.prisma.apiKey.update({
    where: { id: keyId },
    data: { revokedAt: new Date(0) },
  });
  app.contextParts.credentialsChanged();
};
export const refusals = {
  revokedKey: { code: 'UNAUTHENTICATED' as const, prepare: withRevokedKey },
  unknownFile: {
    code: 'NOT_FOUND' as const,
    input: ({ assistantId }: AssistantFixture) => ({ assistantId, documentId: 'unknown' }),
  },
};

export const assistantSamples = samplesOn(
  ({ assistant }) => assistant(),
  [
    { call: `GET ${assistants}/`, input: () => ({}), refusals: [refusals.revokedKey] },
    {
      call: `GET ${assistants}/:assistantId`,
      input: ({ assistantId }) => ({ assistantId }),
      refusals: [{ code: 'NOT_FOUND', input: () => ({ assistantId: 'unknown' }) }],
    },
    {
      call: `POST ${assistants}/:assistantId/run`,
      input: ({ assistantId }) => ({ assistantId, messages }),
      refusals: [
        { code: 'FORBIDDEN', input: () => ({ assistantId: 'unknown', messages }) },
        { code: 'BAD_INPUT', input: ({ assistantId }) => ({ assistantId, messages: [] }) },
      ],
    },
    {
      call: `POST ${assistants}/:assistantId/run`,
      title: 'with a file',
      input: ({ assistantId }) => ({
        assistantId,
        messages,
        files: [text('Vacation begins in May.')],
      }),
    },
    {
      call: `GET ${files}`,
      input: ({ assistantId }) => ({ assistantId }),
      refusals: [{ code: 'NOT_FOUND', input: () => ({ assistantId: 'unknown' }) }],
    },
    {
      call: `POST ${files}`,
      input: ({ assistantId }) => ({ assistantId, file: text('new') }),
      refusals: [
        { code: 'BAD_INPUT', input: ({ assistantId }) => ({ assistantId, file: text('') }) },
      ],
    },
    {
      call: `GET ${files}/:documentId`,
      input: ({ assistantId, documentId }) => ({ assistantId, documentId }),
      refusals: [refusals.unknownFile],
    },
    {
      call: `GET ${files}/:documentId/content`,
      input: ({ assistantId, documentId }) => ({ assistantId, documentId }),
      refusals: [refusals.unknownFile],
    },
    {
      call: `PUT ${files}/:documentId`,
      input: ({ assistantId, documentId }) => ({ assistantId, documentId, file: text('newer') }),
      refusals: [
        {
          code: 'PRECONDITION_FAILED',
          input: ({ assistantId, documentId }) => ({
            assistantId,
            documentId,
            file: text('newer'),
            ifMatch: '"old"',
          }),
        },
      ],
    },
    {
      call: `DELETE ${files}/:documentId`,
      input: ({ assistantId, documentId }) => ({ assistantId, documentId }),
      refusals: [
        refusals.unknownFile,
        {
          code: 'PRECONDITION_FAILED',
          input: ({ assistantId, documentId }) => ({ assistantId, documentId, ifMatch: '"old"' }),
        },
      ],
    },
    { call: `GET ${openAi}/models`, input: () => ({}), refusals: [refusals.revokedKey] },
    {
      call: `GET ${openAi}/models/:model`,
      input: ({ assistantId }) => ({ model: assistantId }),
      refusals: [refusals.revokedKey],
    },
    {
      call: `POST ${openAi}/chat/completions`,
      input: ({ assistantId }) => ({ assistantId, messages, outputTokensMax: 100 }),
      refusals: [refusals.revokedKey],
    },
  ],
);

export const sessionSamples = samplesOn(
  ({ session }) => session(),
  [
    {
      call: 'GET /files/:assistantId/:documentId',
      input: ({ assistantId, documentId }) => ({ assistantId, documentId }),
      refusals: [refusals.unknownFile],
    },
  ],
);
