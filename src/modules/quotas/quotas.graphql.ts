import { builder } from '../../graph/schema/builder.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { type Quota, quotaNames, readQuotas } from './read-quotas.ts';

const QuotaName = builder.enumType('QuotaName', {
  description:
    'FILES, BYTES and PASSAGES are totals over the files of an organization. RUNS and UPLOADS are the ones in progress.',
  values: quotaNames,
});

const QuotaType = builder.objectRef<Quota>('Quota').implement({
  description: 'How much of a quota an organization has used, and its limit.',
  fields: (t) => ({
    name: t.expose('name', { type: QuotaName }),
    used: t.exposeFloat('used'),
    limit: t.exposeFloat('limit'),
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
