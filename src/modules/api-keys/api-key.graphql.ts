import { memberOf, signedInMember } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { searchArg } from '../../graph/schema/input-rules.ts';
import { mutation, type PayloadBuilder } from '../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { ApiKeyKind } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { requireRecentSignIn } from '../accounts/sign-in/recent-sign-in.ts';
import { writerOf } from '../audit/record-change.ts';
import { userManagement } from '../organizations/features.ts';
import { readMembers } from '../users/read-members.ts';
import { User } from '../users/user.graphql.ts';
import type { ApiKey as ApiKeyRow } from './api-key.ts';
import { countUserKeys } from './count-user-keys.ts';
import { limitOfKind } from './key-limits.ts';
import { listKeys } from './list-keys.ts';
import './rate-limits.graphql.ts';
import { readKey, readKeys } from './read-keys.ts';
import { revokeKey } from './revoke-key.ts';
import { takeOverKey } from './take-over-key.ts';

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

export const ApiKey = builder.objectRef<ApiKeyRow>('ApiKey').implement({
  interfaces: [Node],
  description: 'A key for the API. The key itself is shown only once, when it is created.',
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
      description: 'When the key was last used, to one minute; null if it never was.',
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
      resolve: (key) => key.limitPerMinute ?? key.limitPerMinuteMax,
    }),
    limitPerMinuteMax: t.int({
      description:
        'The highest limit of requests per minute that an administrator can set for the key.',
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

addNodeSource('ApiKey', {
  scopes: { signedIn: true },
  table: fragment`api_keys`,
  load: async (ids, { viewer, database }) => {
    const { organizationId, userId, isAdmin } = signedInMember(viewer);
    const keys = await readKeys({ organizationId, ids }, { database });
    return keys.map((key) =>
      key?.userId === userId || (isAdmin && key?.kind === 'ORGANIZATION') ? key : null,
    );
  },
});

const ApiKeyConnection = connectionType('ApiKey', ApiKey);
const ApiKeyOrder = orderType('ApiKeyOrder', { CREATED_AT: 'When the key was created.' });
const keyListArgs = () =>
  builder.args((t) => ({
    ...connectionArgs(),
    search: t.field(searchArg()),
    orderBy: t.field({ type: ApiKeyOrder, required: false, description: 'The order of the list.' }),
  }));

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
    type: ApiKeyConnection,
    description:
      'The organization’s keys, newest first by default, including revoked and expired ones.',
    args: {
      responsibleId: t.arg({
        type: 'ID',
        required: false,
        description:
          'Only the keys that are not revoked and for which this administrator is responsible.',
      }),
      ...keyListArgs(),
    },
    cost: connectionCost(20),
    authScopes: { administrator: true },
    resolve: (_, args, { viewer, database }, info) =>
      listKeys(
        { ...args, organizationId: memberOf(viewer).organizationId, kind: 'ORGANIZATION' },
        pageRequest(args, info, 20),
        { database },
      ),
  }),
  myApiKeys: t.field({
    type: ApiKeyConnection,
    description:
      'The viewer’s own keys in this organization, newest first by default, including revoked and expired ones.',
    args: keyListArgs(),
    cost: connectionCost(20),
    authScopes: { signedIn: true },
    resolve: (_, args, { viewer, database }, info) => {
      const { organizationId, userId } = signedInMember(viewer);
      return listKeys({ ...args, organizationId, userId }, pageRequest(args, info, 20), {
        database,
      });
    },
  }),
}));

/** The field of a payload with a key that was changed. */
export const keyField = <Payload extends { id: string }>(
  t: PayloadBuilder<Payload>,
  description: string,
) =>
  t.field({
    type: ApiKey,
    description,
    resolve: ({ id }, _, { viewer, database }) =>
      readKey({ id, organizationId: memberOf(viewer).organizationId }, { database }),
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
    apiKey: keyField(t, 'The key, for which the viewer is responsible.'),
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
    apiKey: keyField(t, 'The revoked key.'),
  }),
});
