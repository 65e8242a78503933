import { builder } from '../../graph/builder.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { type Quota, quotaNames, readQuotas } from './read-quotas.ts';

const QuotaName = builder.enumType('QuotaName', {
  description:
    'FILES, BYTES and PASSAGES are what the files of an organization add up to; RUNS and UPLOADS are those that are under way.',
  values: quotaNames,
});

const QuotaType = builder.objectRef<Quota>('Quota').implement({
  description: 'How much of something an organization has, and how much it may have.',
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
      'What the organization that the viewer asks in has used of each quota; empty for every other organization.',
    resolve: ({ id }, _, { viewer, database, quotas }) =>
      viewer?.organizationId === id
        ? readQuotas({ organizationId: id, limits: quotas.limits }, { database })
        : [],
  }),
);
