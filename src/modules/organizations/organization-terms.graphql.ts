import { builder } from '../../graph/builder.ts';
import { neverNull } from '../../graph/presence.ts';
import { integerScalar } from '../../graph/scalars.ts';
import { acrossOrganizations } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { supportWriterOf } from '../audit/record-change.ts';
import { features } from './features.ts';
import { setOrganizationTerms } from './set-organization-terms.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    SeatLimit: { Input: number; Output: number };
  }
}

builder.addScalarType('SeatLimit', integerScalar('SeatLimit', { min: 1, max: 2 ** 31 - 1, description: 'How many members an organization can have.' }));

const Feature = builder.enumType('Feature', { values: features });

const OrganizationTerms = builder.objectRef<{ organizationId: string }>('OrganizationTerms').implement({
  fields: (t) => ({
    success: t.boolean({ resolve: () => true }),
    organizationId: t.exposeID('organizationId'),
  }),
});

builder.mutationField('setOrganizationTerms', (t) =>
  t.field({
    type: OrganizationTerms,
    description: 'For platform support: what an organization is given. What is left out stays.',
    args: {
      organizationId: t.arg({ type: 'ResourceId' }),
      features: t.arg({ type: [Feature], ...neverNull, description: 'All that is switched on.' }),
      seatLimit: t.arg({ type: 'SeatLimit', required: false, description: 'Null sets no limit. A limit below what is taken keeps new members out.' }),
    },
    authScopes: { platformSupport: true },
    resolve: async (_, { organizationId, ...terms }, sender) => {
      // Platform support is in no organization of those that it looks after.
      const context = { ...sender, database: acrossOrganizations(sender.database) };
      const known = await context.database.prisma.organization.findUnique({ where: { id: organizationId }, select: { id: true } });
      if (!known) throw notFound('Organization');
      await setOrganizationTerms(terms, supportWriterOf(context, organizationId));
      return { organizationId };
    },
  }),
);
