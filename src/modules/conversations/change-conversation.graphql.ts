import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { text } from '../../graph/schema/input-rules.ts';
import { type InputBuilder, mutation } from '../../graph/schema/mutation.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import { writerOf } from '../audit/record-change.ts';
import { Conversation } from './conversation.graphql.ts';
import { conversationLimits } from './conversation.ts';
import { createConversation } from './create-conversation.ts';
import { deleteConversation, eraseConversations } from './delete-conversations.ts';
import { updateConversation } from './update-conversation.ts';

const titleRule = text({ min: 1, max: conversationLimits.titleCharacters });

const conversationId = (t: InputBuilder) =>
  t.field({ type: 'ID', description: 'The id of a conversation of the caller.' });

const withOwner = <Input extends { conversationId: string }>(
  input: Input,
  { organizationId, userId }: ReturnType<typeof personOf>,
) => ({ ...input, organizationId, userId });

mutation('createConversation', {
  description:
    'Starts an empty conversation with an assistant. Runs with its id add questions and answers.',
  authScopes: { person: true },
  input: (t) => ({
    assistantId: t.field({
      type: 'ID',
      description: 'The id of an assistant that the caller may run.',
    }),
    title: t.field({
      type: 'String',
      rule: titleRule,
      required: false,
      description: 'The title. Without one the first question gives it.',
    }),
  }),
  resolve: async (input, context) => ({
    conversation: await createConversation({ ...input, person: personOf(context.viewer) }, context),
  }),
  payload: (t) => ({
    conversation: t.expose('conversation', {
      type: Conversation,
      description: 'The new conversation.',
    }),
  }),
});

mutation('updateConversation', {
  description: 'Renames or pins a conversation. Omitted fields stay as they are.',
  authScopes: { person: true },
  input: (t) => ({
    conversationId: conversationId(t),
    title: t.field({
      type: 'String',
      rule: titleRule,
      ...neverNull,
      description: 'The new title.',
    }),
    isPinned: t.boolean({ ...neverNull, description: 'Whether the conversation is pinned.' }),
  }),
  resolve: async (input, { viewer, database }) => ({
    conversation: await updateConversation(withOwner(input, personOf(viewer)), { database }),
  }),
  payload: (t) => ({
    conversation: t.expose('conversation', {
      type: Conversation,
      description: 'The conversation as it is now.',
    }),
  }),
});

mutation('deleteConversation', {
  description:
    'Deletes a conversation with its messages and attachments. The records of its runs stay, without content.',
  authScopes: { person: true },
  input: (t) => ({ conversationId: conversationId(t) }),
  resolve: async (input, context) => {
    await deleteConversation(withOwner(input, personOf(context.viewer)), {
      writer: writerOf(context),
      files: context.files,
    });
    return input;
  },
  payload: (t) => ({
    deletedConversationId: t.exposeID('conversationId', {
      description: 'The id of the deleted conversation.',
    }),
  }),
});

const ErasedConversations = builder
  .objectRef<Awaited<ReturnType<typeof eraseConversations>>>('ErasedConversations')
  .implement({
    description: 'What was deleted. The audit log has the same numbers.',
    fields: (t) => ({
      conversations: t.exposeInt('conversations', { description: 'Deleted conversations.' }),
      messages: t.exposeInt('messages', { description: 'Their messages.' }),
      attachments: t.exposeInt('attachments', { description: 'Their attachments.' }),
    }),
  });

mutation('eraseMyConversations', {
  description:
    'Deletes all conversations of the caller in the organization, with their attachments.',
  authScopes: { person: true },
  resolve: async (_, context) => {
    const { organizationId, userId } = personOf(context.viewer);
    return {
      erased: await eraseConversations(
        { organizationId, userId },
        { writer: writerOf(context), files: context.files },
      ),
    };
  },
  payload: (t) => ({
    erased: t.expose('erased', { type: ErasedConversations, description: 'What was deleted.' }),
  }),
});
