import { builder } from '../../graph/builder.ts';
import { neverNull } from '../../graph/presence.ts';
import { integerScalar } from '../../graph/scalars.ts';
import { unscopedDatabase } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { supportWriterOf } from '../audit/record-change.ts';
import { features } from './features.ts';
import { setOrganizationTerms } from './set-organization-terms.ts';

declare module '../../graph/builder.ts' {
  interface Scalars {
    SeatLimit: { Input: number; Output: number };
    QuotaLimit: { Input: number; Output: number };
    ByteQuotaLimit: { Input: number; Output: number };
  }
}

builder.addScalarType(
  'SeatLimit',
  integerScalar('SeatLimit', {
    min: 1,
    max: 2 ** 31 - 1,
    description: 'How many members an organization can have.',
  }),
);

builder.addScalarType(
  'QuotaLimit',
  integerScalar('QuotaLimit', {
    min: 0,
    max: 2 ** 31 - 1,
    description: 'How many an organization may have.',
  }),
);
builder.addScalarType(
  'ByteQuotaLimit',
  integerScalar('ByteQuotaLimit', {
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    description: 'How many bytes an organization may have.',
  }),
);

const Feature = builder.enumType('Feature', { values: features });

const OrganizationTerms = builder
  .objectRef<{ organizationId: string }>('OrganizationTerms')
  .implement({
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
      seatLimit: t.arg({
        type: 'SeatLimit',
        required: false,
        description: 'Null sets no limit. A limit below what is taken keeps new members out.',
      }),
      filesMax: t.arg({
        type: 'QuotaLimit',
        required: false,
        description:
          'Files it may have. As with each quota, null lets the setting of the platform hold.',
      }),
      bytesMax: t.arg({
        type: 'ByteQuotaLimit',
        required: false,
        description: 'Bytes that its files may have together.',
      }),
      passagesMax: t.arg({
        type: 'QuotaLimit',
        required: false,
        description: 'Passages that its files may have in the vault.',
      }),
      concurrentRunsMax: t.arg({
        type: 'QuotaLimit',
        required: false,
        description: 'Runs at the same time.',
      }),
      concurrentUploadsMax: t.arg({
        type: 'QuotaLimit',
        required: false,
        description: 'Uploads at the same time.',
      }),
    },
    authScopes: { platformSupport: true },
    resolve: async (_, { organizationId, ...terms }, sender) => {
      // Platform support is in no organization of those that it looks after.
      const context = { ...sender, database: unscopedDatabase(sender.database) };
      const known = await context.database.prisma.organization.findUnique({
        where: { id: organizationId },
        select: { id: true },
      });
      if (!known) throw notFound('Organization');
      await setOrganizationTerms(terms, supportWriterOf(context, organizationId));
      return { organizationId };
    },
  }),
);
