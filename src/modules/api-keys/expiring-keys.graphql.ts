import { signedInMember } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { integer } from '../../graph/schema/input-rules.ts';
import { ApiKey } from './api-key.graphql.ts';
import { type ApiKey as ApiKeyRow, apiKeyColumns } from './api-key.ts';

const dayMs = 86_400_000;
/** A person does not look through more. */
const keysMax = 50;

builder.queryField('expiringKeys', (t) =>
  t.field({
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
    cost: { listSize: { assumedSize: keysMax } },
    authScopes: { signedIn: true },
    resolve: (_, { days }, { viewer, database, clock }) => {
      const { organizationId, userId, isAdmin } = signedInMember(viewer);
      const now = clock();
      const until = new Date(now.getTime() + days * dayMs);
      return database.sql<ApiKeyRow>`
        select ${apiKeyColumns} from api_keys k
        where k.organization_id = ${organizationId} and (k.user_id = ${userId} or (${isAdmin} and k.kind = 'ORGANIZATION'))
          and k.revoked_at is null and k.expires_at > ${now} and k.expires_at <= ${until}
        order by k.expires_at, k.id limit ${keysMax}`;
    },
  }),
);
