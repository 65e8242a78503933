import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { verbatim } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { Assistant } from '../assistants/assistant.graphql.ts';
import { readAssistants } from '../assistants/read-assistants.ts';
import { writerOf } from '../audit/record-change.ts';
import { Conversation } from './conversation.graphql.ts';
import { SharedMessage } from './conversation-message.graphql.ts';
import {
  readSharedMessages,
  requireShared,
  type SharedConversation as SharedRow,
  shareConversation,
  sharedConversationLink,
  unshareConversation,
} from './share-conversation.ts';

const SharedConversation = builder.objectRef<SharedRow>('SharedConversation').implement({
  description: 'A conversation as somebody with its link reads it: the branch that was shared.',
  fields: (t) => ({
    title: t.exposeString('title', { nullable: true, description: 'The title, if it has one.' }),
    assistant: t.loadable({
      type: Assistant,
      nullable: true,
      description: 'The assistant that answered; null if the reader may not view it.',
      load: (ids: string[], { viewer, database }) =>
        readAssistants({ ids, person: personOf(viewer) }, { database }),
      loaderOptions: { cache: false },
      resolve: ({ assistantId }) => assistantId,
    }),
    messages: t.field({
      type: [SharedMessage],
      description: 'The messages of the shared branch.',
      cost: { listSize: { assumedSize: 10 } },
      resolve: (shared, _, { database }) => readSharedMessages(shared, database),
    }),
    sharedAt: t.expose('sharedAt', {
      type: 'DateTime',
      description: 'When the link was made. Later messages are not shown.',
    }),
  }),
});

builder.queryField('sharedConversation', (t) =>
  t.field({
    type: SharedConversation,
    description: 'The conversation that a colleague has shared by a link.',
    args: {
      token: t.arg.string({ rule: verbatim({ max: 200 }), description: 'The token in the link.' }),
    },
    authScopes: { person: true },
    resolve: (_, { token }, { viewer, database }) =>
      requireShared({ token, organizationId: personOf(viewer).organizationId }, database),
  }),
);

const conversationKey = (
  { conversationId }: { conversationId: string },
  { organizationId, userId }: ReturnType<typeof personOf>,
) => ({ conversationId, organizationId, userId });

mutation('shareConversation', {
  description:
    'Makes a link with which members of the organization read the active branch as it is now. It replaces an earlier link.',
  authScopes: { person: true },
  input: (t) => ({
    conversationId: t.field({ type: 'ID', description: 'The id of a conversation of the caller.' }),
  }),
  resolve: async (input, context) => {
    const { conversation, token } = await shareConversation(
      conversationKey(input, personOf(context.viewer)),
      writerOf(context),
    );
    return { conversation, token, url: sharedConversationLink(context.origin, token) };
  },
  payload: (t) => ({
    conversation: t.expose('conversation', {
      type: Conversation,
      description: 'The shared conversation.',
    }),
    token: t.exposeString('token', { description: 'The secret token, which is shown only now.' }),
    url: t.exposeString('url', { description: 'The link with the token.' }),
  }),
});

mutation('unshareConversation', {
  description: 'Ends the link of a conversation. Without a link nothing changes.',
  authScopes: { person: true },
  input: (t) => ({
    conversationId: t.field({ type: 'ID', description: 'The id of a conversation of the caller.' }),
  }),
  resolve: async (input, context) => ({
    conversation: await unshareConversation(
      conversationKey(input, personOf(context.viewer)),
      writerOf(context),
    ),
  }),
  payload: (t) => ({
    conversation: t.expose('conversation', {
      type: Conversation,
      description: 'The conversation, which has no link any more.',
    }),
  }),
});
