import { builder } from '../../graph/schema/builder.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { type Quota, type quotaNames, readQuotas } from './read-quotas.ts';

const QuotaName = builder.enumType('QuotaName', {
  description:
    'FILES, BYTES and PASSAGES are totals over the files of an organization. RUNS and UPLOADS are the ones in progress.',
  values: {
    FILES: { description: 'Files in all knowledge bases of the organization.' },
    BYTES: { description: 'The size of these files together, in bytes.' },
    PASSAGES: { description: 'Passages of these files in the vault.' },
    RUNS: { description: 'Runs in progress.' },
    UPLOADS: { description: 'Uploads in progress.' },
  } satisfies Record<(typeof quotaNames)[number], object>,
});

const QuotaType = builder.objectRef<Quota>('Quota').implement({
  description: 'How much of a quota an organization has used, and its limit.',
  fields: (t) => ({
    name: t.expose('name', { type: QuotaName, description: 'What the quota limits.' }),
    used: t.exposeFloat('used', {
      description: 'How much of the quota is used now: a count, or bytes for BYTES.',
    }),
    limit: t.exposeFloat('limit', {
      description: 'How much the organization may use: a count, or bytes for BYTES.',
    }),
  }),
});

builder.objectField(Organization, 'quotas', (t) =>
  t.field({
    type: [QuotaType],
    description:
      'The quotas of the viewer’s current organization; empty for every other organization.',
    resolve: ({ id }, _, { viewer, database, quotas }) =>
      viewer?.organizationId === id
        ? readQuotas({ organizationId: id, limits: quotas.limits }, { database })
        : [],
  }),
);
