import { answerOf } from './answers.ts';
import type { CallApi, TestResponse } from './app.ts';

export const conversationsPath = '/api/conversations/v1/conversations';

/** The calls of a person on their conversations. */
export function conversationsOf({ call }: { call: CallApi }) {
  const at = (id: string, rest = '') => `${conversationsPath}/${id}${rest}`;
  return {
    async create(assistantId: string, title?: string): Promise<string> {
      const answer = await call('POST', conversationsPath, {
        assistantId,
        ...(title && { title }),
      });
      return answerOf('createConversation', answer).conversation.id;
    },
    /** Asks a question with a run. `place` can have the answer that it follows. */
    ask: (
      { assistantId, conversationId }: { assistantId: string; conversationId: string },
      question: string,
      place: { parentMessageId?: string | null } = {},
    ): Promise<TestResponse> =>
      call('POST', `/api/assistants/v1/${assistantId}/run`, {
        conversationId,
        ...place,
        messages: [{ role: 'user', content: question }],
      }),
    get: async (id: string, query = '') =>
      answerOf('getConversation', await call('GET', at(id, query))),
    list: async (query = '') =>
      answerOf('listConversations', await call('GET', `${conversationsPath}${query}`))
        .conversations,
    at,
  };
}
