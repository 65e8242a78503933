import { int32Max, integer } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { neverNull } from '../../graph/schema/presence.ts';
import { unscopedDatabase } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { supportWriterOf } from '../audit/record-change.ts';
import { Feature } from './feature.graphql.ts';
import { featuresNamed } from './features.ts';
import { setOrganizationTerms } from './set-organization-terms.ts';

const seatLimitRule = integer({ min: 1, max: int32Max });

const quotaRule = integer({ min: 0, max: int32Max });
const byteQuotaRule = integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

mutation('setOrganizationTerms', {
  description:
    'For platform support: sets the features and limits of an organization. Omitted fields stay as they are.',
  authScopes: { platformSupport: true },
  input: (t) => ({
    organizationId: t.field({ type: 'ID', description: 'The id of the organization.' }),
    features: t.field({
      type: [Feature],
      ...neverNull,
      description: 'All features that are switched on.',
    }),
    seatLimit: t.field({
      type: 'Int',
      rule: seatLimitRule,
      required: false,
      description:
        'Null removes the limit. A limit below the current number of members only prevents new members.',
    }),
    filesMax: t.field({
      type: 'Int',
      rule: quotaRule,
      required: false,
      description:
        'The maximum number of files. For this and every other quota, null restores the default of the platform.',
    }),
    bytesMax: t.field({
      type: 'SafeInt',
      rule: byteQuotaRule,
      required: false,
      description: 'The maximum total size of the files, in bytes.',
    }),
    passagesMax: t.field({
      type: 'Int',
      rule: quotaRule,
      required: false,
      description: 'The maximum number of passages of the files in the vault.',
    }),
    concurrentRunsMax: t.field({
      type: 'Int',
      rule: quotaRule,
      required: false,
      description: 'The maximum number of concurrent runs.',
    }),
    concurrentUploadsMax: t.field({
      type: 'Int',
      rule: quotaRule,
      required: false,
      description: 'The maximum number of concurrent uploads.',
    }),
  }),
  resolve: async ({ organizationId, features, ...terms }, caller) => {
    // Platform support is not a member of the organization, so row-level security would hide it.
    const context = { ...caller, database: unscopedDatabase(caller.database) };
    const organization = await context.database.prisma.organization.findUnique({
      where: { id: organizationId },
      select: { id: true },
    });
    if (!organization) throw notFound('Organization');
    await setOrganizationTerms(
      { ...terms, features: features && featuresNamed(features) },
      supportWriterOf(context, organizationId),
    );
    return { organizationId };
  },
  payload: (t) => ({
    organizationId: t.exposeID('organizationId', {
      description: 'The id of the organization, which platform support cannot read.',
    }),
  }),
});
