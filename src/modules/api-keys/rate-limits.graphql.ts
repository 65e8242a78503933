import { builder } from '../../graph/schema/builder.ts';
import type { KeyLimits } from './key-limits.ts';

declare module '../../access/context.ts' {
  interface Services {
    keyLimits: KeyLimits;
  }
}

const RateLimits = builder.objectRef<KeyLimits>('RateLimits').implement({
  description:
    'The default limits: how many requests per minute a key without a separate limit may send.',
  fields: (t) => ({
    organizationKey: t.exposeInt('organizationKey', {
      description: 'Requests per minute of an organization key, over all APIs together.',
    }),
    userKey: t.exposeInt('userKey', {
      description: 'Requests per minute of a user key, and of a signed-in person.',
    }),
  }),
});

builder.queryField('rateLimits', (t) =>
  t.field({
    type: RateLimits,
    description: 'The limits of requests that apply to keys without a limit of their own.',
    authScopes: { member: true },
    resolve: (_, __, { keyLimits }) => keyLimits,
  }),
);
