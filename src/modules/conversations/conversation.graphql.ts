import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { searchArg } from '../../graph/schema/input-rules.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { fragment } from '../../platform/database/sql.ts';
import { Assistant } from '../assistants/assistant.graphql.ts';
import { readAssistants } from '../assistants/read-assistants.ts';
import {
  type Conversation as ConversationRow,
  readConversations,
  requireConversation,
} from './conversation.ts';
import { ConversationMessage } from './conversation-message.graphql.ts';
import { listConversations } from './list-conversations.ts';
import { readMessages } from './read-messages.ts';

const MessageScope = builder.enumType('MessageScope', {
  description: 'Which messages of a conversation are read.',
  values: {
    PATH: { description: 'One branch, from its first message to its last.' },
    ALL: { description: 'The messages of all branches, in the order in which they were added.' },
  },
});

export const Conversation = builder.objectRef<ConversationRow>('Conversation').implement({
  interfaces: [Node],
  description: 'A conversation of a person with an assistant. Only the person can read it.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the conversation, an opaque string.' }),
    assistantId: t.exposeID('assistantId', {
      description: 'The id of the assistant, which may have been deleted.',
    }),
    assistant: t.loadable({
      type: Assistant,
      nullable: true,
      description: 'The assistant that answers; null if the person may not view it any more.',
      load: (ids: string[], { viewer, database }) =>
        readAssistants({ ids, person: personOf(viewer) }, { database }),
      loaderOptions: { cache: false },
      resolve: ({ assistantId }) => assistantId,
    }),
    title: t.exposeString('title', {
      nullable: true,
      description:
        'The title that the person gave, otherwise one from the first question. Null until there is one.',
    }),
    isPinned: t.exposeBoolean('isPinned', {
      description: 'Whether the person has pinned the conversation.',
    }),
    activeMessageId: t.exposeID('activeMessageId', {
      nullable: true,
      description:
        'The last message of the active branch: that in which a run started or ended last. Null without messages.',
    }),
    messageCount: t.exposeInt('messageCount', {
      description: 'How many messages all branches have together, at most 1,000.',
    }),
    messages: t.field({
      type: [ConversationMessage],
      description: 'The messages of the active branch, of another one, or of all.',
      args: {
        scope: t.arg({
          type: MessageScope,
          defaultValue: 'PATH',
          description: 'Which messages to read.',
        }),
        messageId: t.arg.id({
          required: false,
          description:
            'With PATH: a message of the branch, which goes on with the newest messages below it. By default the active branch.',
        }),
      },
      cost: { listSize: { assumedSize: 10 } },
      resolve: (conversation, args, { database }) =>
        readMessages({ ...args, conversation }, database),
    }),
    sharedAt: t.expose('sharedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the person made the link to it; null unless it is shared.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the conversation was started.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      description: 'When a question was last asked.',
    }),
  }),
});

addNodeSource('Conversation', {
  scopes: { person: true },
  table: fragment`conversations`,
  load: (ids, { viewer, database }) => {
    const { organizationId, userId } = personOf(viewer);
    return readConversations({ ids, organizationId, userId }, database);
  },
});

const ConversationConnection = connectionType('Conversation', Conversation);
const ConversationOrder = orderType('ConversationOrder', {
  UPDATED_AT: 'When a question was last asked.',
  CREATED_AT: 'When the conversation was started.',
});

builder.queryFields((t) => ({
  conversations: t.field({
    type: ConversationConnection,
    description: 'The conversations of the caller, the one with the newest message first.',
    args: {
      ...connectionArgs(),
      assistantId: t.arg.id({
        required: false,
        description: 'Only conversations with this assistant.',
      }),
      isPinned: t.arg.boolean({
        required: false,
        description: 'Only pinned conversations, or only the others.',
      }),
      search: t.arg(
        searchArg('Text in the title, or in a message of one of the 1,000 newest conversations.'),
      ),
      orderBy: t.arg({
        type: ConversationOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    authScopes: { person: true },
    resolve: (_, args, { viewer, database }, info) =>
      listConversations({ ...args, owner: personOf(viewer) }, pageRequest(args, info, 20), {
        database,
      }),
  }),
  conversation: t.field({
    type: Conversation,
    description: 'A conversation of the caller.',
    args: { conversationId: t.arg.id({ description: 'The id of the conversation.' }) },
    authScopes: { person: true },
    resolve: (_, { conversationId }, { viewer, database }) => {
      const { organizationId, userId } = personOf(viewer);
      return requireConversation({ conversationId, organizationId, userId }, database);
    },
  }),
}));
