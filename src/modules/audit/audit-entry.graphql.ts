import { builder } from '../../graph/builder.ts';
import { textScalar } from '../../graph/scalars.ts';
import { memberOf } from '../../graph/scopes.ts';
import { ActorKind, type Prisma } from '../../platform/database/generated/client.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    AuditWord: { Input: string; Output: string };
  }
}

builder.addScalarType(
  'AuditWord',
  textScalar('AuditWord', { min: 1, max: 100, description: 'The name of an action or of a type, as the audit log writes it.' }),
);

builder.enumType(ActorKind, { name: 'ActorKind' });

const AuditEntry = builder.prismaObject('AuditEntry', {
  description: 'Who changed what. Entries are only ever added.',
  select: { id: true, actorUserId: true },
  fields: (t) => ({
    id: t.exposeID('id'),
    at: t.expose('at', { type: 'DateTime' }),
    actorKind: t.expose('actorKind', { type: ActorKind }),
    actorKeyId: t.exposeID('actorKeyId', { nullable: true, description: 'The key that was used; null for a person who was signed in.' }),
    actorUserId: t.exposeID('actorUserId', { nullable: true }),
    actorUser: t.loadable({
      type: User,
      nullable: true,
      description: 'The user who acted, while they are a member.',
      load: (userIds: string[], { viewer, database }) => readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (entry) => entry.actorUserId,
    }),
    action: t.exposeString('action'),
    targetType: t.exposeString('targetType'),
    targetId: t.exposeID('targetId'),
    changes: t.expose('changes', { type: 'JSON', description: 'What changed, field by field; never a secret.' }),
    requestId: t.exposeID('requestId', { nullable: true }),
  }),
});

type AuditPage = { where: Prisma.AuditEntryWhereInput; total: number; page: number; pageSize: number };

const AuditEntryPage = builder.objectRef<AuditPage>('AuditEntryPage').implement({
  fields: (t) => ({
    items: t.prismaField({
      // The page's own field has counted its size already.
      complexity: { multiplier: 1 },
      type: [AuditEntry],
      resolve: (query, { where, total, page, pageSize }, _, { database }) => {
        const skip = (page - 1) * pageSize;
        if (skip >= total) return [];
        return database.prisma.auditEntry.findMany({ ...query, where, orderBy: [{ at: 'desc' }, { id: 'desc' }], skip, take: pageSize });
      },
    }),
    total: t.exposeInt('total'),
    page: t.expose('page', { type: 'PageNumber' }),
    pageSize: t.exposeInt('pageSize'),
    totalPages: t.int({ resolve: ({ total, pageSize }) => Math.ceil(total / pageSize) }),
  }),
});

builder.queryField('auditEntries', (t) =>
  t.field({
    type: AuditEntryPage,
    description: 'What was changed in the organization, newest first.',
    args: {
      page: t.arg({ type: 'PageNumber', defaultValue: 1 }),
      pageSize: t.arg({ type: 'PageSize', defaultValue: 20 }),
      action: t.arg({ type: 'AuditWord', required: false }),
      actorKeyId: t.arg({ type: 'ResourceId', required: false }),
      actorUserId: t.arg({ type: 'ResourceId', required: false }),
      targetType: t.arg({ type: 'AuditWord', required: false }),
      targetId: t.arg({ type: 'ResourceId', required: false }),
    },
    complexity: ({ pageSize }) => ({ field: 1, multiplier: pageSize }),
    authScopes: { administrator: true },
    resolve: async (_, { page, pageSize, ...filters }, { viewer, database }) => {
      const asked = Object.entries(filters).filter(([, value]) => value !== null && value !== undefined);
      const where = { ...Object.fromEntries(asked), organizationId: memberOf(viewer).organizationId };
      return { where, page, pageSize, total: await database.prisma.auditEntry.count({ where }) };
    },
  }),
);
