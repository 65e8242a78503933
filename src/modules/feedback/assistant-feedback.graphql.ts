import { personOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { fragment } from '../../platform/database/sql.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';
import { FeedbackMark, FeedbackReason } from './answer-feedback.graphql.ts';
import type { ReceivedFeedback } from './feedback.ts';
import { listFeedback } from './list-feedback.ts';
import { readReceivedFeedback } from './read-feedback.ts';
import {
  type FeedbackSummary as Summary,
  summarizedWeeks,
  summarizeFeedback,
  type FeedbackWeek as Week,
} from './summarize-feedback.ts';

const AssistantFeedback = builder.objectRef<ReceivedFeedback>('AssistantFeedback').implement({
  interfaces: [Node],
  description: 'What somebody thinks of an answer of an assistant. It is deleted with the answer.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the feedback, an opaque string.' }),
    mark: t.expose('mark', { type: FeedbackMark, description: 'Whether the answer helped.' }),
    reason: t.expose('reason', {
      type: FeedbackReason,
      nullable: true,
      description: 'Why it did not help; null if it did, or if none was chosen.',
    }),
    comment: t.exposeString('comment', { description: 'A comment. Empty: not set.' }),
    givenOn: t.field({
      type: 'Date',
      description: 'The day of the last change, in UTC. The time is not stored.',
      resolve: ({ givenOn }) => givenOn.slice(0, 10),
    }),
    question: t.exposeString('sharedQuestion', {
      nullable: true,
      description: 'The question; null unless the person shares it.',
    }),
    answer: t.exposeString('sharedAnswer', {
      nullable: true,
      description: 'The answer; null unless the person shares it.',
    }),
    user: t.loadable({
      type: User,
      nullable: true,
      description: 'Who gave the feedback; null unless they share the question and the answer.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: personOf(viewer).organizationId, userIds }, { database }),
      resolve: ({ sharedByUserId }) => sharedByUserId,
    }),
  }),
});

addNodeSource('AssistantFeedback', {
  scopes: { person: true },
  table: fragment`answer_feedback`,
  load: (ids, { viewer, database }) =>
    readReceivedFeedback({ ids, person: personOf(viewer) }, database),
});

const FeedbackWeek = builder.objectRef<Week>('FeedbackWeek').implement({
  description: 'How many answers of a week were marked.',
  fields: (t) => ({
    from: t.expose('from', {
      type: 'Date',
      description: 'The Monday with which it begins, in UTC.',
    }),
    good: t.exposeInt('good', { description: 'Good answers.' }),
    bad: t.exposeInt('bad', { description: 'Bad answers.' }),
  }),
});

const FeedbackSummary = builder.objectRef<Summary>('FeedbackSummary').implement({
  description: 'How many answers of an assistant were marked. Deleted ones do not count.',
  fields: (t) => ({
    good: t.exposeInt('good', { description: 'Good answers.' }),
    bad: t.exposeInt('bad', { description: 'Bad answers.' }),
    weeks: t.expose('weeks', {
      type: [FeedbackWeek],
      description: 'The last 12 weeks, also those without feedback, the earliest first.',
      cost: { listSize: { assumedSize: summarizedWeeks } },
    }),
  }),
});

const AssistantFeedbackConnection = connectionType('AssistantFeedback', AssistantFeedback);
const AssistantFeedbackOrder = orderType('AssistantFeedbackOrder', {
  GIVEN_ON: 'The day of the last change. Feedback of the same day is in random order.',
});

builder.queryFields((t) => ({
  assistantFeedback: t.field({
    type: AssistantFeedbackConnection,
    description: 'The feedback on an assistant that the caller may change, newest first.',
    args: {
      assistantId: t.arg({ type: 'ID', description: 'The id of the assistant.' }),
      ...connectionArgs(),
      mark: t.arg({
        type: FeedbackMark,
        required: false,
        description: 'Only feedback with this mark.',
      }),
      orderBy: t.arg({
        type: AssistantFeedbackOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    authScopes: { person: true },
    resolve: (_, args, { viewer, database }, info) =>
      listFeedback({ ...args, person: personOf(viewer) }, pageRequest(args, info, 20), {
        database,
      }),
  }),
  assistantFeedbackSummary: t.field({
    type: FeedbackSummary,
    description: 'The numbers of the feedback on an assistant that the caller may change.',
    args: { assistantId: t.arg({ type: 'ID', description: 'The id of the assistant.' }) },
    authScopes: { person: true },
    resolve: (_, { assistantId }, { viewer, database, clock }) =>
      summarizeFeedback({ assistantId, person: personOf(viewer) }, { database, clock }),
  }),
}));
