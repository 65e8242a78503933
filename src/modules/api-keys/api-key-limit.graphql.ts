import { builder } from '../../graph/schema/builder.ts';
import { integerScalar } from '../../graph/schema/scalars.ts';
import { unscopedDatabase } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { supportWriterOf, writerOf } from '../audit/record-change.ts';
import { ApiKey } from './api-key.graphql.ts';
import './rate-limits.graphql.ts';
import { setKeyLimit, setKeyLimitMax } from './set-key-limit.ts';

declare module '../../graph/schema/builder.ts' {
  interface Scalars {
    RequestLimit: { Input: number; Output: number };
  }
}

builder.addScalarType(
  'RequestLimit',
  integerScalar('RequestLimit', {
    min: 1,
    max: 2 ** 31 - 1,
    description: 'Requests per minute, from 1.',
  }),
);

const ApiKeyLimit = builder
  .objectRef<{ id: string; limitPerMinuteMax: number | null }>('ApiKeyLimit')
  .implement({
    description: 'The highest limit of requests of a key, as platform support has set it.',
    fields: (t) => ({
      id: t.exposeID('id', { description: 'The id of the key.' }),
      limitPerMinuteMax: t.exposeInt('limitPerMinuteMax', {
        nullable: true,
        description: 'Null: the setting for the kind of key.',
      }),
    }),
  });

builder.mutationFields((t) => ({
  setApiKeyLimit: t.prismaField({
    type: ApiKey,
    description:
      'Sets how many requests per minute a key of the organization may send, at most its limitPerMinuteMax. The limit takes effect in every process within one second.',
    args: {
      id: t.arg({ type: 'ResourceId' }),
      limitPerMinute: t.arg({
        type: 'RequestLimit',
        required: false,
        description: 'Null or absent: the limitPerMinuteMax of the key.',
      }),
    },
    authScopes: { administrator: true },
    resolve: async (query, _, { id, limitPerMinute }, context) => {
      await setKeyLimit(
        { id, limitPerMinute: limitPerMinute ?? null, defaults: context.keyLimits },
        writerOf(context),
      );
      return context.database.prisma.apiKey.findUniqueOrThrow({ ...query, where: { id } });
    },
  }),
  setApiKeyLimitMax: t.field({
    type: ApiKeyLimit,
    description:
      'For platform support: sets the highest limit per minute that administrators can set for a key. Unless they have set a lower one, it is the limit of the key.',
    args: {
      id: t.arg({ type: 'ResourceId' }),
      limitPerMinuteMax: t.arg({
        type: 'RequestLimit',
        required: false,
        description: 'Null or absent: the setting for the kind of key.',
      }),
    },
    authScopes: { platformSupport: true },
    resolve: async (_, { id, limitPerMinuteMax = null }, supportContext) => {
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
  }),
}));
