import { accountOf, signedInMember } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { distinct } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { NotificationKind as NotificationKinds } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { Person } from '../accounts/viewer.graphql.ts';
import {
  countUnread,
  listNotifications,
  type NotificationOwner,
  readNotifications,
} from './list-notifications.ts';
import { markNotificationsRead } from './mark-notifications-read.ts';
import { muteNotifications } from './mute-notifications.ts';
import { type Notification as NotificationRow, pathOf } from './notification.ts';
import { readSponsorshipEnds, readSubjectNames, subjectKeyOf } from './subject-names.ts';

const NotificationKind = builder.enumType(NotificationKinds, {
  name: 'NotificationKind',
  description: 'What a notification is about.',
  values: {
    FILE_FAILED: { description: 'A file that the person uploaded could not be read.' },
    RUN_ENDED: {
      description: 'A durable run of the person has ended a minute or more after its start.',
    },
    ASSISTANT_SHARED: {
      description: 'An assistant was shared with the person or with a team of theirs.',
    },
    FEEDBACK_SHARED: {
      description: 'Somebody shared an answer of an assistant of the person, with feedback on it.',
    },
    BUDGET_REACHED: { description: 'For administrators: 80 % or all of a budget is used.' },
    WEBHOOK_FAILED: { description: 'For administrators: a webhook is failing or was disabled.' },
    KEY_EXPIRES: { description: 'A key of the person expires within 14 days.' },
    ORGANIZATION_KEY_EXPIRES: {
      description: 'An organization key that the person is responsible for expires within 14 days.',
    },
    INVITATION_ACCEPTED: { description: 'Somebody accepted an invitation of the person.' },
    REDEMPTION_ENDS: {
      description: 'For administrators of a partner: a sponsorship ends within 30 days.',
    },
  },
});

const Notification = builder.objectRef<NotificationRow>('Notification').implement({
  interfaces: [Node],
  description:
    'Something that happened, for one person in one organization. The newest 500 of the last 90 days are kept.',
  fields: (t) => ({
    id: t.exposeID('id', { description: 'The id of the notification, an opaque string.' }),
    kind: t.expose('kind', { type: NotificationKind, description: 'What it is about.' }),
    subjectId: t.exposeID('subjectId', {
      description:
        'The id of the file, the run, the assistant, the feedback, the budget, the webhook endpoint, the key, the invitation or the redemption. It may be deleted by now.',
    }),
    subjectName: t.loadable({
      type: 'String',
      nullable: true,
      description:
        'The name of the file, of the assistant or of the sponsored workspace; null for another subject, and for one that is deleted or that the person may no longer see.',
      load: (keys: string[], { viewer, database }) =>
        readSubjectNames({ keys, person: signedInMember(viewer) }, { database }),
      loaderOptions: { cache: false },
      resolve: (notification) => subjectKeyOf(notification),
    }),
    subjectEndsAt: t.loadable({
      type: 'DateTime',
      nullable: true,
      description:
        'With `REDEMPTION_ENDS`: when the sponsorship ends, also if it was extended since; null where `subjectName` is null.',
      load: (ids: string[], { viewer, database }) =>
        readSponsorshipEnds({ ids, person: signedInMember(viewer) }, { database }),
      loaderOptions: { cache: false },
      resolve: ({ kind, subjectId }) => (kind === 'REDEMPTION_ENDS' ? subjectId : null),
    }),
    path: t.string({
      description: 'The path of the page of the console that shows more.',
      resolve: pathOf,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it happened.' }),
    readAt: t.expose('readAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the person marked it as read; null before.',
    }),
  }),
});

addNodeSource('Notification', {
  scopes: { signedIn: true },
  table: fragment`notifications`,
  load: async (ids, { viewer, database }) => {
    const found = await readNotifications({ ids, owner: signedInMember(viewer) }, database);
    const byId = new Map(found.map((notification) => [notification.id, notification]));
    return ids.map((id) => byId.get(id));
  },
});

const UnreadNotifications = builder.objectRef<NotificationOwner>('UnreadNotifications').implement({
  description: 'The notifications that the viewer has not marked as read.',
  fields: (t) => ({
    count: t.int({
      description: 'How many there are, at most 500.',
      resolve: (owner, _, { database }) => countUnread(owner, database),
    }),
  }),
});

const NotificationConnection = connectionType('Notification', Notification);
const NotificationOrder = orderType('NotificationOrder', {
  CREATED_AT: 'When it happened.',
});

builder.prismaObjectField(Person, 'mutedNotifications', (t) =>
  t.expose('mutedNotifications', {
    type: [NotificationKind],
    description: 'The kinds of notifications that the person does not get.',
  }),
);

builder.queryFields((t) => ({
  notifications: t.field({
    type: NotificationConnection,
    description:
      'The notifications of the viewer in the organization of the request, newest first.',
    args: {
      ...connectionArgs(),
      orderBy: t.arg({
        type: NotificationOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    authScopes: { signedIn: true },
    resolve: (_, { orderBy, ...args }, { viewer, database }, info) =>
      listNotifications({ owner: signedInMember(viewer), orderBy }, pageRequest(args, info, 20), {
        database,
      }),
  }),
  unreadNotifications: t.field({
    type: UnreadNotifications,
    description: 'What the viewer has not marked as read in the organization of the request.',
    authScopes: { signedIn: true },
    resolve: (_, __, { viewer }) => signedInMember(viewer),
  }),
}));

const idsRule = distinct(
  {
    title: 'NotificationIds',
    items: { type: 'string' },
    noun: 'ids of notifications',
    item: 'an id',
    max: 100,
  },
  (id) => (typeof id === 'string' && id.isWellFormed() && !id.includes('\0') ? id : undefined),
);

mutation('markNotificationsRead', {
  description: 'Marks notifications of the viewer as read.',
  authScopes: { signedIn: true },
  input: (t) => ({
    ids: t.field({
      type: ['ID'],
      required: false,
      rule: idsRule,
      description:
        'The ids, at most 100; null or absent: all in the organization. Ids of others are left out.',
    }),
  }),
  resolve: async ({ ids }, { viewer, database, clock }) => {
    const owner = signedInMember(viewer);
    await markNotificationsRead({ owner, ids }, { database, clock });
    return owner;
  },
  payload: (t) => ({
    unreadNotifications: t.field({
      type: UnreadNotifications,
      description: 'What is unread after the change.',
      resolve: (owner) => owner,
    }),
  }),
});

mutation('muteNotifications', {
  description:
    'Switches a kind of notifications of the viewer off or on, in every organization. Those that exist stay.',
  authScopes: { account: true },
  input: (t) => ({
    kind: t.field({ type: NotificationKind, description: 'What is switched off or on.' }),
    isMuted: t.boolean({ description: 'Whether the viewer gets none of this kind from now on.' }),
  }),
  resolve: async ({ kind, isMuted }, { viewer, database, clock }) => {
    const { userId } = accountOf(viewer);
    await muteNotifications({ userId, kind, isMuted }, { database, clock });
    return { userId };
  },
  payload: (t) => ({
    person: t.prismaField({
      type: Person,
      description: 'The viewer with the new choice.',
      resolve: (query, { userId }, _, { database }) =>
        database.prisma.user.findUniqueOrThrow({ ...query, where: { id: userId } }),
    }),
  }),
});
