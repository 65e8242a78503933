import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { text } from '../../graph/schema/input-rules.ts';
import { type InputBuilder, mutation } from '../../graph/schema/mutation.ts';
import {
  FeedbackMark as FeedbackMarkValues,
  FeedbackReason as FeedbackReasonValues,
} from '../../platform/database/generated/client.ts';
import { writerOf } from '../audit/record-change.ts';
import { ConversationMessage } from '../conversations/conversation-message.graphql.ts';
import { requireMessage } from '../conversations/conversation-message.ts';
import '../usage/day.graphql.ts';
import { commentCharactersMax, type Feedback } from './feedback.ts';
import { giveFeedback, removeFeedback } from './give-feedback.ts';
import { readOwnFeedback } from './read-feedback.ts';

export const FeedbackMark = builder.enumType(FeedbackMarkValues, {
  name: 'FeedbackMark',
  description: 'What a person thinks of an answer.',
  values: {
    GOOD: { description: 'The answer helped.' },
    BAD: { description: 'The answer did not help.' },
  },
});

export const FeedbackReason = builder.enumType(FeedbackReasonValues, {
  name: 'FeedbackReason',
  description: 'Why an answer did not help.',
  values: {
    WRONG: { description: 'What it says is not true.' },
    INCOMPLETE: { description: 'Something is missing.' },
    NOT_FROM_SOURCES: { description: 'The files of the assistant do not say so.' },
    OUTDATED: { description: 'It was true, and is no longer.' },
    OTHER: { description: 'For another reason, which the comment can name.' },
  },
});

const AnswerFeedback = builder.objectRef<Feedback>('AnswerFeedback').implement({
  description: 'What the caller thinks of an answer.',
  fields: (t) => ({
    mark: t.expose('mark', { type: FeedbackMark, description: 'Whether the answer helped.' }),
    reason: t.expose('reason', {
      type: FeedbackReason,
      nullable: true,
      description: 'Why it did not help; null if it did, or if none was chosen.',
    }),
    comment: t.exposeString('comment', { description: 'A comment. Empty: not set.' }),
    sharesContent: t.boolean({
      description:
        'Whether those who may change the assistant see the question, the answer and the name of the caller.',
      resolve: ({ sharedAnswer }) => sharedAnswer !== null,
    }),
    givenOn: t.field({
      type: 'Date',
      description: 'The day of the last change, in UTC.',
      resolve: ({ givenOn }) => givenOn.slice(0, 10),
    }),
  }),
});

builder.objectField(ConversationMessage, 'feedback', (t) =>
  t.loadable({
    type: AnswerFeedback,
    nullable: true,
    description: 'What the caller thinks of the answer; null until they mark it.',
    load: (messageIds: string[], { viewer, database }) => {
      const { organizationId, userId } = personOf(viewer);
      return readOwnFeedback({ messageIds, organizationId, userId }, database);
    },
    // Several mutations of one request each see the changes of the ones before them.
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);

const messageId = (t: InputBuilder) =>
  t.field({ type: 'ID', description: 'The id of an answer in a conversation of the caller.' });

const ownerOf = ({ organizationId, userId }: ReturnType<typeof personOf>) => ({
  organizationId,
  userId,
});

mutation('giveFeedback', {
  description:
    'Marks an answer of a conversation of the caller as good or bad, in place of what the caller said before. Those who may change the assistant see the mark, the reason and the comment, without a name and without the time of day.',
  authScopes: { person: true },
  input: (t) => ({
    messageId: messageId(t),
    mark: t.field({ type: FeedbackMark, description: 'Whether the answer helped.' }),
    reason: t.field({
      type: FeedbackReason,
      required: false,
      description: 'Why the answer did not help. Only with BAD.',
    }),
    comment: t.field({
      type: 'String',
      rule: text({ min: 0, max: commentCharactersMax, lines: 'many' }),
      required: false,
      description: 'A comment. The default is empty.',
    }),
    sharesContent: t.boolean({
      defaultValue: false,
      description:
        'Also shows the question, the answer and the name of the caller to those who may change the assistant, as a copy that is deleted with the conversation.',
    }),
  }),
  resolve: async ({ messageId, mark, reason, comment, sharesContent }, context) => {
    const owner = ownerOf(personOf(context.viewer));
    await giveFeedback(
      { messageId, owner, mark, reason, comment, sharesContent },
      writerOf(context),
    );
    return { message: await requireMessage({ messageId, ...owner }, context.database) };
  },
  payload: (t) => ({
    message: t.expose('message', {
      type: ConversationMessage,
      description: 'The answer with its feedback.',
    }),
  }),
});

mutation('removeFeedback', {
  description: 'Takes the feedback of the caller on an answer back, with what was shared by it.',
  authScopes: { person: true },
  input: (t) => ({ messageId: messageId(t) }),
  resolve: async ({ messageId }, context) => {
    const owner = ownerOf(personOf(context.viewer));
    await removeFeedback({ messageId, owner }, writerOf(context));
    return { message: await requireMessage({ messageId, ...owner }, context.database) };
  },
  payload: (t) => ({
    message: t.expose('message', {
      type: ConversationMessage,
      description: 'The answer without feedback.',
    }),
  }),
});
