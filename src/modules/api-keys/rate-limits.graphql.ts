import { builder } from '../../graph/builder.ts';
import type { KeyLimits } from './key-limits.ts';

declare module '../../graph/context.ts' {
  interface Services {
    keyLimits: KeyLimits;
  }
}

const RateLimits = builder.objectRef<KeyLimits>('RateLimits').implement({
  description: 'How many requests a key may send in a minute, where it has no limit of its own.',
  fields: (t) => ({
    organizationKey: t.exposeInt('organizationKey'),
    userKey: t.exposeInt('userKey', {
      description: 'The same holds for a person who is signed in.',
    }),
  }),
});

builder.queryField('rateLimits', (t) =>
  t.field({
    type: RateLimits,
    authScopes: { member: true },
    resolve: (_, __, { keyLimits }) => keyLimits,
  }),
);
