import { memberOf } from '../../../access/scopes.ts';
import { watchAccess } from '../../../access/watch-access.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { sizedByParent } from '../../../graph/schema/field-cost.ts';
import { sponsorship } from '../../organizations/features.ts';
import { readCampaign } from '../campaigns/read-campaigns.ts';
import { exportBatchMax, exportRedemptions } from './export-redemptions.ts';
import { BillingStatusType, Redemption } from './redemption.graphql.ts';
import type { Redemption as RedemptionRow } from './redemption.ts';

const RedemptionBatch = builder.objectRef<RedemptionRow[]>('RedemptionBatch').implement({
  description: 'The next redemptions of an export.',
  fields: (t) => ({
    items: t.field({
      type: [Redemption],
      description: 'Redemptions, newest first.',
      cost: { listSize: sizedByParent },
      resolve: (rows) => rows,
    }),
  }),
});

builder.subscriptionField('redemptionExport', (t) =>
  t.field({
    type: RedemptionBatch,
    description: `All completed redemptions of a campaign, newest first, in batches of ${exportBatchMax}.`,
    args: {
      campaignId: t.arg({ type: 'ID', description: 'The id of the campaign.' }),
      billingStatus: t.arg({
        type: BillingStatusType,
        required: false,
        description: 'Only redemptions of this billing status.',
      }),
    },
    cost: { listSize: { assumedSize: exportBatchMax, sizedFields: ['items'] } },
    authScopes: { manages: sponsorship },
    subscribe: async (_, { campaignId, billingStatus }, context) => {
      const { organizationId } = memberOf(context.viewer);
      const requireCampaign = () => readCampaign({ organizationId, campaignId }, context);
      await requireCampaign();
      return batches({ organizationId, campaignId, billingStatus });

      async function* batches(input: Omit<Parameters<typeof exportRedemptions>[0], 'signal'>) {
        const { signal, stop } = watchAccess(context, { manages: sponsorship }, requireCampaign);
        try {
          yield* exportRedemptions({ ...input, signal }, context);
        } finally {
          stop();
        }
      }
    },
    resolve: (rows) => rows,
  }),
);
