import { builder } from '../../graph/builder.ts';
import { textScalar } from '../../graph/scalars.ts';
import { memberOf } from '../../graph/scopes.ts';
import { ActorKind } from '../../platform/database/generated/client.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';
import { type AuditPage, auditPage } from './audit-page.ts';
import { withoutPrivateText } from './private-text.ts';
import { readNames } from './read-names.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    AuditWord: { Input: string; Output: string };
  }
}

builder.addScalarType(
  'AuditWord',
  textScalar('AuditWord', {
    min: 1,
    max: 100,
    description: 'The name of an action or of a type, as the audit log writes it.',
  }),
);

builder.enumType(ActorKind, { name: 'ActorKind' });

const AuditEntry = builder.prismaObject('AuditEntry', {
  description: 'Who changed what. Entries are only ever added.',
  select: {
    id: true,
    actorUserId: true,
    actorKeyId: true,
    targetType: true,
    targetId: true,
    changes: true,
  },
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    actorKind: t.expose('actorKind', { type: ActorKind }),
    actorKeyId: t.exposeID('actorKeyId', {
      nullable: true,
      description: 'The key that was used; null for a person who was signed in.',
    }),
    actorUserId: t.exposeID('actorUserId', { nullable: true }),
    actorUser: t.loadable({
      type: User,
      nullable: true,
      description: 'The user who acted, while they are a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (entry) => entry.actorUserId,
    }),
    actorName: t.loadable({
      type: 'String',
      nullable: true,
      description:
        'What the person or else the key that acted is called now; null where they are gone, and for Atrium itself.',
      load: (actorIds: string[], { viewer, database }) =>
        readNames({ organizationId: memberOf(viewer).organizationId, ids: actorIds }, { database }),
      resolve: (entry) => entry.actorUserId ?? entry.actorKeyId,
    }),
    action: t.exposeString('action'),
    targetType: t.exposeString('targetType'),
    targetId: t.exposeID('targetId'),
    targetName: t.loadable({
      type: 'String',
      nullable: true,
      description: 'What the target is called now; null where it is gone or has no name.',
      load: (targetIds: string[], { viewer, database }) =>
        readNames(
          { organizationId: memberOf(viewer).organizationId, ids: targetIds },
          { database },
        ),
      resolve: (entry) => entry.targetId,
    }),
    user: t.loadable({
      type: User,
      nullable: true,
      description: 'The user whom the change concerns, while they are a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (entry) => (entry.targetType === 'User' ? entry.targetId : userIdIn(entry.changes)),
    }),
    changes: t.field({
      type: 'JSON',
      description:
        'What changed, field by field; never a secret. Of an assistant’s instructions hash and length only.',
      resolve: withoutPrivateText,
    }),
    requestId: t.exposeID('requestId', { nullable: true }),
    network: t.exposeString('network', {
      nullable: true,
      description:
        'The network address that the request came from, an IPv6 address as its /64 network; null for what Atrium did itself.',
    }),
    device: t.exposeString('device', {
      nullable: true,
      description: 'The browser or program that sent the request, such as “Firefox on Windows”.',
    }),
  }),
});

function userIdIn(changes: unknown): string | null {
  const { userId }: { userId?: unknown } = Object(changes);
  return typeof userId === 'string' ? userId : null;
}

const AuditEntryPage = builder.objectRef<AuditPage>('AuditEntryPage').implement({
  fields: (t) => ({
    items: t.prismaField({
      // The page's own field has counted its size already.
      complexity: { multiplier: 1 },
      type: [AuditEntry],
      resolve: (query, { where, skip, pageSize }, _, { database }) =>
        database.prisma.auditEntry.findMany({
          ...query,
          where,
          orderBy: [{ at: 'desc' }, { id: 'desc' }],
          skip,
          take: pageSize,
        }),
    }),
    total: t.int({
      description:
        'All that the filter finds. Counting a long log takes long, and is done only where this is asked for.',
      resolve: ({ total }) => total(),
    }),
    page: t.expose('page', { type: 'PageNumber' }),
    pageSize: t.exposeInt('pageSize'),
    totalPages: t.int({
      resolve: async ({ total, pageSize }) => Math.ceil((await total()) / pageSize),
    }),
  }),
});

builder.queryField('auditEntries', (t) =>
  t.field({
    type: AuditEntryPage,
    description: 'What was changed in the organization, newest first.',
    args: {
      page: t.arg({ type: 'PageNumber', defaultValue: 1 }),
      pageSize: t.arg({ type: 'PageSize', defaultValue: 20 }),
      before: t.arg({
        type: 'ResourceId',
        required: false,
        description:
          'Only entries older than this one: the way through a long log, with the last id of each page.',
      }),
      from: t.arg({ type: 'DateTime', required: false }),
      until: t.arg({
        type: 'DateTime',
        required: false,
        description: 'The first moment that no longer counts.',
      }),
      action: t.arg({ type: 'AuditWord', required: false }),
      actorKeyId: t.arg({ type: 'ResourceId', required: false }),
      actorUserId: t.arg({ type: 'ResourceId', required: false }),
      targetType: t.arg({ type: 'AuditWord', required: false }),
      targetId: t.arg({ type: 'ResourceId', required: false }),
    },
    complexity: ({ pageSize }) => ({ field: 1, multiplier: pageSize }),
    authScopes: { administrator: true },
    resolve: (_, asked, { viewer, database }) =>
      auditPage({ ...asked, organizationId: memberOf(viewer).organizationId }, { database }),
  }),
);
