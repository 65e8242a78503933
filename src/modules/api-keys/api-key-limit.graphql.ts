import { builder } from '../../graph/builder.ts';
import { integerScalar } from '../../graph/scalars.ts';
import { unscopedDatabase } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { supportWriterOf, writerOf } from '../audit/record-change.ts';
import { ApiKey } from './api-key.graphql.ts';
import './rate-limits.graphql.ts';
import { setKeyLimit, setKeyLimitMax } from './set-key-limit.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    RequestLimit: { Input: number; Output: number };
  }
}

builder.addScalarType(
  'RequestLimit',
  integerScalar('RequestLimit', {
    min: 1,
    max: 2 ** 31 - 1,
    description: 'Requests a minute, from 1.',
  }),
);

const ApiKeyLimit = builder
  .objectRef<{ id: string; limitPerMinuteMax: number | null }>('ApiKeyLimit')
  .implement({
    fields: (t) => ({
      id: t.exposeID('id'),
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
      'Sets how many requests a minute a key of the organization may send: at most its limitPerMinuteMax. Holds within a second everywhere.',
    args: {
      id: t.arg({ type: 'ResourceId' }),
      limitPerMinute: t.arg({
        type: 'RequestLimit',
        required: false,
        description: 'Null or left out: as many as its limitPerMinuteMax.',
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
      'For platform support: the most requests a minute that administrators can set for a key. It may send that many, unless they have set fewer.',
    args: {
      id: t.arg({ type: 'ResourceId' }),
      limitPerMinuteMax: t.arg({
        type: 'RequestLimit',
        required: false,
        description: 'Null or left out: the setting for the kind of key.',
      }),
    },
    authScopes: { platformSupport: true },
    resolve: async (_, { id, limitPerMinuteMax = null }, sender) => {
      // Platform support is in no organization of those that it looks after.
      const context = { ...sender, database: unscopedDatabase(sender.database) };
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
