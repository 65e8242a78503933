import { signedInMember } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { integer } from '../../graph/schema/input-rules.ts';
import { ApiKey } from './api-key.graphql.ts';

const dayMs = 86_400_000;
/** A person does not look through more. */
const keysMax = 50;

builder.queryField('expiringKeys', (t) =>
  t.prismaField({
    type: [ApiKey],
    description:
      'The valid keys of the viewer and, for an administrator, of the organization that expire within the given number of days, sorted by expiry; at most 50.',
    args: {
      days: t.arg({
        type: 'Int',
        rule: integer({ min: 1, max: 366 }),
        defaultValue: 30,
        description: 'How many days to look ahead, 1 to 366.',
      }),
    },
    complexity: { multiplier: keysMax },
    authScopes: { signedIn: true },
    resolve: (query, _, { days }, { viewer, database, clock }) => {
      const { organizationId, userId, isAdmin } = signedInMember(viewer);
      const now = clock();
      return database.prisma.apiKey.findMany({
        ...query,
        where: {
          organizationId,
          OR: [{ userId }, ...(isAdmin ? [{ kind: 'ORGANIZATION' as const }] : [])],
          revokedAt: null,
          expiresAt: { gt: now, lte: new Date(now.getTime() + days * dayMs) },
        },
        orderBy: [{ expiresAt: 'asc' }, { id: 'asc' }],
        take: keysMax,
      });
    },
  }),
);
