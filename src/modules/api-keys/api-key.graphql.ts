import type { Context } from '../../access/context.ts';
import { memberOf, signedInMember } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { text } from '../../graph/schema/input-rules.ts';
import { mutation, type PayloadBuilder } from '../../graph/schema/mutation.ts';
import { pageArgs, pageCost, pageTexts } from '../../graph/schema/page-type.ts';
import { ApiKeyKind, type Prisma } from '../../platform/database/generated/client.ts';
import { keyCreatedNotice, notifyOwner } from '../accounts/emails/notify-owner.ts';
import { requireRecentSignIn } from '../accounts/sign-in/recent-sign-in.ts';
import { writerOf } from '../audit/record-change.ts';
import { userManagement } from '../organizations/features.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';
import { countUserKeys } from './count-user-keys.ts';
import { issueKey } from './issue-key.ts';
import { limitOfKind } from './key-limits.ts';
import './rate-limits.graphql.ts';
import { revokeKey } from './revoke-key.ts';
import { takeOverKey } from './take-over-key.ts';

const keyNameRule = text({ min: 1, max: 200 });

builder.enumType(ApiKeyKind, {
  name: 'ApiKeyKind',
  description: 'Whom an API key acts as.',
  values: {
    ORGANIZATION: {
      description:
        'The key acts as the organization. It is for the Sponsorship and User Management APIs.',
    },
    USER: {
      description:
        'The key acts as one member of the organization. It is for the Assistants and Assistant Files APIs.',
    },
  },
});

export const ApiKey = builder.prismaObject('ApiKey', {
  description: 'A key for the API. The key itself is shown only once, when it is created.',
  select: { id: true, userId: true, responsibleId: true },
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the key, an opaque string that never changes. It is not the secret.',
    }),
    kind: t.expose('kind', {
      type: ApiKeyKind,
      description: 'Whether the key acts as the organization or as one of its members.',
    }),
    name: t.exposeString('name', {
      description: 'The name that people see in lists of keys, 1 to 200 characters.',
    }),
    prefix: t.exposeString('prefix', {
      description: 'The first characters of the key, which show what kind it is.',
    }),
    lastFour: t.exposeString('lastFour', {
      description: 'The last four characters of the key, so that people can recognize it.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the key was created.',
    }),
    lastUsedAt: t.expose('lastUsedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'Accurate to one minute.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      nullable: true,
      description: 'From this time the key is rejected; null if it does not expire.',
    }),
    revokedAt: t.expose('revokedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the key was revoked; null while it is not. A revoked key is rejected.',
    }),
    limitPerMinute: t.int({
      nullable: true,
      description:
        'The limit of requests per minute of this key; null if the setting for the kind of key applies.',
      select: { limitPerMinute: true, limitPerMinuteMax: true },
      resolve: (key) => key.limitPerMinute ?? key.limitPerMinuteMax,
    }),
    limitPerMinuteMax: t.int({
      description:
        'The highest limit of requests per minute that an administrator can set for the key.',
      select: { kind: true, limitPerMinuteMax: true },
      resolve: ({ kind, limitPerMinuteMax }, _, { keyLimits }) =>
        limitPerMinuteMax ?? limitOfKind(kind, keyLimits),
    }),
    owner: t.loadable({
      type: User,
      nullable: true,
      description: 'The owner of a user key; null for an organization key.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (key) => key.userId,
    }),
    responsible: t.loadable({
      type: User,
      nullable: true,
      description:
        'The administrator who is responsible for an organization key. When they are no longer an administrator, the key is revoked.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (key) => key.responsibleId,
    }),
  }),
});

type ApiKeyPageQuery = {
  where: Prisma.ApiKeyWhereInput;
  total: number;
  page: number;
  pageSize: number;
};

const ApiKeyPage = builder.objectRef<ApiKeyPageQuery>('ApiKeyPage').implement({
  description: 'A page of a list of keys.',
  fields: (t) => ({
    items: t.prismaField({
      description: pageTexts.items,
      // The complexity of the page field includes the page size already.
      complexity: { multiplier: 1 },
      type: [ApiKey],
      resolve: (query, { where, total, page, pageSize }, _, { database }) => {
        const skip = (page - 1) * pageSize;
        if (skip >= total) return [];
        return database.prisma.apiKey.findMany({
          ...query,
          where,
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          skip,
          take: pageSize,
        });
      },
    }),
    total: t.exposeInt('total', { description: pageTexts.total }),
    page: t.expose('page', { type: 'SafeInt', description: pageTexts.page }),
    pageSize: t.exposeInt('pageSize', { description: pageTexts.pageSize }),
    totalPages: t.int({
      description: pageTexts.totalPages,
      resolve: ({ total, pageSize }) => Math.ceil(total / pageSize),
    }),
  }),
});

builder.objectField(User, 'apiKeyCount', (t) =>
  t.loadable({
    type: 'Int',
    description: 'The number of the user’s valid keys.',
    authScopes: { manages: userManagement },
    load: (userIds: string[], { viewer, database, clock }) =>
      countUserKeys(
        { organizationId: memberOf(viewer).organizationId, userIds },
        { database, clock },
      ),
    loaderOptions: { cache: false },
    resolve: (user) => user.id,
  }),
);

builder.queryFields((t) => ({
  apiKeys: t.field({
    type: ApiKeyPage,
    description:
      'The organization’s keys, newest first, including revoked and expired ones. With `responsibleId` only the keys that are not revoked and for which this administrator is responsible.',
    args: {
      responsibleId: t.arg({
        type: 'ID',
        required: false,
        description: 'Only keys for which this administrator is responsible, without revoked ones.',
      }),
      ...pageArgs(20),
    },
    complexity: pageCost,
    authScopes: { administrator: true },
    resolve: async (_, { responsibleId, ...args }, { viewer, database }) => {
      const ofResponsible = responsibleId ? { responsibleId, revokedAt: null } : {};
      const where = {
        organizationId: memberOf(viewer).organizationId,
        kind: ApiKeyKind.ORGANIZATION,
        ...ofResponsible,
      };
      return { ...args, where, total: await database.prisma.apiKey.count({ where }) };
    },
  }),
  myApiKeys: t.field({
    type: ApiKeyPage,
    description:
      'The viewer’s own keys in this organization, newest first, including revoked and expired ones.',
    args: pageArgs(20),
    complexity: pageCost,
    authScopes: { signedIn: true },
    resolve: async (_, args, { viewer, database }) => {
      const { organizationId, userId } = signedInMember(viewer);
      const where = { organizationId, userId };
      return { ...args, where, total: await database.prisma.apiKey.count({ where }) };
    },
  }),
}));

async function issueKeyFor(
  kind: ApiKeyKind,
  { name, expiresAt }: { name: string; expiresAt: Date | null },
  context: Context,
) {
  const { userId, sessionId } = signedInMember(context.viewer);
  await requireRecentSignIn(sessionId, context);
  const created = await issueKey({ kind, userId, name, expiresAt }, writerOf(context));
  notifyOwner({ userId, notice: keyCreatedNotice(created.key) }, context);
  return created;
}

const createdKey = (t: PayloadBuilder<{ id: string; key: string }>) => ({
  key: t.exposeString('key', { description: 'The key. It cannot be shown again.' }),
  apiKey: t.prismaField({
    type: ApiKey,
    description: 'What can be read of the key later.',
    resolve: (query, { id }, _, { database }) =>
      database.prisma.apiKey.findUniqueOrThrow({ ...query, where: { id } }),
  }),
});

mutation('createUserKey', {
  description: 'Creates a key that acts as the viewer in this organization.',
  authScopes: { signedIn: true },
  input: (t) => ({
    name: t.field({
      type: 'String',
      rule: keyNameRule,
      description: 'The display name of the key.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      required: false,
      description: 'When the key expires; null or absent: never.',
    }),
  }),
  resolve: ({ name, expiresAt }, context) =>
    issueKeyFor('USER', { name, expiresAt: expiresAt ?? null }, context),
  payload: (t) => ({ ...createdKey(t) }),
});

mutation('createOrganizationKey', {
  description: 'Creates a key that acts as the organization.',
  authScopes: { administrator: true },
  input: (t) => ({
    name: t.field({
      type: 'String',
      rule: keyNameRule,
      description: 'The display name of the key.',
    }),
    expiresAt: t.field({
      type: 'DateTime',
      required: false,
      description: 'When the key expires; null or absent: never.',
    }),
  }),
  resolve: ({ name, expiresAt }, context) =>
    issueKeyFor('ORGANIZATION', { name, expiresAt: expiresAt ?? null }, context),
  payload: (t) => ({ ...createdKey(t) }),
});

mutation('takeOverOrganizationKey', {
  description:
    'Makes the viewer responsible for this key of the organization, so that it stays valid when the previous responsible administrator leaves.',
  authScopes: { administrator: true },
  input: (t) => ({ id: t.field({ type: 'ID', description: 'The id of the key.' }) }),
  resolve: async ({ id }, context) => {
    const { userId, sessionId } = signedInMember(context.viewer);
    await requireRecentSignIn(sessionId, context);
    await takeOverKey({ id, userId }, writerOf(context));
    return { id };
  },
  payload: (t) => ({
    apiKey: t.prismaField({
      type: ApiKey,
      description: 'The key, for which the viewer is responsible.',
      resolve: (query, { id }, _, { database }) =>
        database.prisma.apiKey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});

mutation('revokeApiKey', {
  description:
    'Revokes one of the viewer’s own keys or, for an administrator, one of the organization’s. The key is rejected from then on.',
  authScopes: { signedIn: true },
  input: (t) => ({ id: t.field({ type: 'ID', description: 'The id of the key.' }) }),
  resolve: async ({ id }, context) => {
    const { userId, isAdmin } = signedInMember(context.viewer);
    await revokeKey({ id, userId, isAdmin }, writerOf(context));
    return { id };
  },
  payload: (t) => ({
    apiKey: t.prismaField({
      type: ApiKey,
      description: 'The revoked key.',
      resolve: (query, { id }, _, { database }) =>
        database.prisma.apiKey.findUniqueOrThrow({ ...query, where: { id } }),
    }),
  }),
});
