import { memberOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { pageArgs, pageCost } from '../../graph/schema/page-type.ts';
import { textScalar } from '../../graph/schema/scalars.ts';
import { ActorKind } from '../../platform/database/generated/client.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';
import { type AuditPage, auditPage } from './audit-page.ts';
import { withoutPrivateText } from './private-text.ts';
import { readNames } from './read-names.ts';

declare module '../../graph/schema/builder.ts' {
  interface Scalars {
    AuditWord: { Input: string; Output: string };
  }
}

builder.addScalarType(
  'AuditWord',
  textScalar('AuditWord', {
    min: 1,
    max: 100,
    description:
      'The name of an action or of a type in the audit log, such as `create-campaign` or `Campaign`.',
  }),
);

builder.enumType(ActorKind, { name: 'ActorKind' });

const AuditEntry = builder.prismaObject('AuditEntry', {
  description: 'A change and who made it. Entries are never changed or deleted.',
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
      description: 'The API key of the request; null for a signed-in person.',
    }),
    actorUserId: t.exposeID('actorUserId', { nullable: true }),
    actorUser: t.loadable({
      type: User,
      nullable: true,
      description: 'The user who made the change; null if they are no longer a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (entry) => entry.actorUserId,
    }),
    actorName: t.loadable({
      type: 'String',
      nullable: true,
      description:
        'The current name of the person or else of the key; null if it no longer exists, and for Atrium itself.',
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
      description: 'The current name of the target; null if it no longer exists or has no name.',
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
      description: 'The user whom the change concerns; null if they are no longer a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (entry) => (entry.targetType === 'User' ? entry.targetId : userIdIn(entry.changes)),
    }),
    changes: t.field({
      type: 'JSON',
      description:
        'The changed values by field, without secrets. For an assistant’s instructions only hash and length.',
      resolve: withoutPrivateText,
    }),
    requestId: t.exposeID('requestId', { nullable: true }),
    network: t.exposeString('network', {
      nullable: true,
      description:
        'The IP address of the request, for IPv6 its /64 network; null for changes that Atrium made itself.',
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
      // The complexity of the page field includes the page size already.
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
        'The number of entries that match the filter. Counting a long log is slow and happens only if this field or totalPages is selected.',
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
    description: 'The changes in the organization, newest first.',
    args: {
      ...pageArgs(20),
      before: t.arg({
        type: 'ResourceId',
        required: false,
        description:
          'Only entries older than this one. To read a long log, pass the last id of each page.',
      }),
      from: t.arg({ type: 'DateTime', required: false }),
      until: t.arg({
        type: 'DateTime',
        required: false,
        description: 'The end of the period; exclusive.',
      }),
      action: t.arg({ type: 'AuditWord', required: false }),
      actorKeyId: t.arg({ type: 'ResourceId', required: false }),
      actorUserId: t.arg({ type: 'ResourceId', required: false }),
      targetType: t.arg({ type: 'AuditWord', required: false }),
      targetId: t.arg({ type: 'ResourceId', required: false }),
    },
    complexity: pageCost,
    authScopes: { administrator: true },
    resolve: (_, filters, { viewer, database }) =>
      auditPage({ ...filters, organizationId: memberOf(viewer).organizationId }, { database }),
  }),
);
