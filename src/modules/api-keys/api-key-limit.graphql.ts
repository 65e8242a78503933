import { memberOf } from '../../access/scopes.ts';
import { int32Max, integer } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { unscopedDatabase } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { supportWriterOf, writerOf } from '../audit/record-change.ts';
import { ApiKey } from './api-key.graphql.ts';
import './rate-limits.graphql.ts';
import { readKey } from './read-keys.ts';
import { setKeyLimit, setKeyLimitMax } from './set-key-limit.ts';

const requestLimitRule = integer({ min: 1, max: int32Max });

mutation('setApiKeyLimit', {
  description:
    'Sets how many requests per minute a key of the organization may send, at most its limitPerMinuteMax. The limit takes effect in every process within one second.',
  authScopes: { administrator: true },
  input: (t) => ({
    id: t.field({ type: 'ID', description: 'The id of the key.' }),
    limitPerMinute: t.field({
      type: 'Int',
      rule: requestLimitRule,
      required: false,
      description: 'Null or absent: the limitPerMinuteMax of the key.',
    }),
  }),
  resolve: async ({ id, limitPerMinute }, context) => {
    await setKeyLimit(
      { id, limitPerMinute: limitPerMinute ?? null, defaults: context.keyLimits },
      writerOf(context),
    );
    return { id };
  },
  payload: (t) => ({
    apiKey: t.field({
      type: ApiKey,
      description: 'The key with its new limit.',
      resolve: ({ id }, _, { viewer, database }) =>
        readKey({ id, organizationId: memberOf(viewer).organizationId }, { database }),
    }),
  }),
});

mutation('setApiKeyLimitMax', {
  description:
    'For platform support: sets the highest limit per minute that administrators can set for a key. Unless they have set a lower one, it is the limit of the key.',
  authScopes: { platformSupport: true },
  input: (t) => ({
    id: t.field({ type: 'ID', description: 'The id of the key.' }),
    limitPerMinuteMax: t.field({
      type: 'Int',
      rule: requestLimitRule,
      required: false,
      description: 'Null or absent: the setting for the kind of key.',
    }),
  }),
  resolve: async ({ id, limitPerMinuteMax = null }, supportContext) => {
    // Platform support is not a member of the organizations that it supports.
    const context = { ...supportContext, database: unscopedDatabase(supportContext.database) };
    const key = await context.database.prisma.apiKey.findUnique({
      where: { id },
      select: { organizationId: true },
    });
    if (!key) throw notFound('API key');
    await setKeyLimitMax(
      { id, limitPerMinuteMax, defaults: context.keyLimits },
      supportWriterOf(context, key.organizationId),
    );
    return { id, limitPerMinuteMax };
  },
  payload: (t) => ({
    id: t.exposeID('id', { description: 'The id of the key, which platform support cannot read.' }),
    limitPerMinuteMax: t.exposeInt('limitPerMinuteMax', {
      nullable: true,
      description: 'Null: the setting for the kind of key.',
    }),
  }),
});
