import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import { notFound } from '../../../platform/errors.ts';
import { readMembers } from '../../users/read-members.ts';
import { User } from '../../users/user.graphql.ts';
import {
  type BillingChange as BillingChangeRow,
  listBillingChanges,
} from './list-billing-changes.ts';
import { BillingStatusType, Redemption } from './redemption.graphql.ts';

const BillingChange = builder.objectRef<BillingChangeRow>('BillingChange').implement({
  description: 'A change of a redemption’s billing. Entries are never changed or deleted.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the change, an opaque string that never changes.',
    }),
    at: t.expose('at', { type: 'DateTime', description: 'When the change was made.' }),
    statusBefore: t.expose('statusBefore', {
      type: BillingStatusType,
      description: 'The billing status that the redemption had until then.',
    }),
    status: t.expose('status', {
      type: BillingStatusType,
      description: 'The billing status after the change. It can be the same as before.',
    }),
    amount: t.expose('amount', {
      type: 'Decimal',
      nullable: true,
      description: 'The amount after the change, in euro.',
    }),
    batchId: t.exposeString('batchId', {
      nullable: true,
      description:
        'The partner’s id of the batch or invoice after the change; null if there is none.',
    }),
    actorKeyId: t.exposeID('actorKeyId', {
      nullable: true,
      description: 'The API key that made the change; null for a signed-in person.',
    }),
    actorUserId: t.exposeID('actorUserId', {
      nullable: true,
      description:
        'The id of the person who made the change, also if they are no longer a member; null for an organization key.',
    }),
    actorUser: t.loadable({
      type: User,
      nullable: true,
      description: 'The user who made the change; null if they are no longer a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: ({ actorUserId }) => actorUserId,
    }),
  }),
});

const BillingChangeConnection = connectionType('BillingChange', BillingChange);
const BillingChangeOrder = orderType('BillingChangeOrder', { AT: 'When the change was made.' });

builder.objectField(Redemption, 'billingChanges', (t) =>
  t.loadable({
    type: BillingChangeConnection,
    description: 'The billing history, newest first by default.',
    args: {
      ...connectionArgs(),
      orderBy: t.arg({
        type: BillingChangeOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    byPath: true,
    load: async (redemptionIds: string[], { viewer, database }, args, info) => {
      const pages = await listBillingChanges(
        { ...args, organizationId: memberOf(viewer).organizationId, redemptionIds },
        pageRequest(args, info, 20),
        { database },
      );
      return pages.map((page) => page ?? notFound('Redemption'));
    },
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);
