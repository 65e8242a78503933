import { builder } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import { accountOf } from '../../graph/scopes.ts';
import { AppError } from '../../platform/errors.ts';
import { networkOf } from '../../platform/network-of.ts';
import type { Writer } from '../audit/record-change.ts';
import {
  type AddedMembership as AddedMembershipRow,
  acceptAddedMembership,
  declineAddedMembership,
  readAddedMembership,
} from './added-membership.ts';
import { leaveOrganization } from './leave-organization.ts';

const triesAMinute = 60;

const AddedMembership = builder.objectRef<AddedMembershipRow>('AddedMembership').implement({
  description:
    'A membership that somebody else made for an existing account, as the reader of the mail about it sees it.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId'),
    organizationName: t.exposeString('organizationName'),
    email: t.exposeString('email'),
  }),
});

const LeftOrganization = builder
  .objectRef<{ organizationId: string }>('LeftOrganization')
  .implement({
    fields: (t) => ({
      success: t.boolean({ resolve: () => true }),
      organizationId: t.exposeID('organizationId'),
    }),
  });

/**
 * The person may be signed in to another organization, or not at all: what they do concerns the
 * named organization only.
 */
const acrossOf = ({ database, clock, requestId, credentialsChanged }: Context) => ({
  database: database.unscoped,
  clock,
  requestId,
  credentialsChanged,
});

async function countTry({ clientInfo, limits }: Context): Promise<void> {
  const { exceeded, retryAfterSeconds } = await limits.take(
    `added-membership:${networkOf(clientInfo.address)}`,
    triesAMinute,
  );
  if (exceeded)
    throw new AppError(
      'RATE_LIMITED',
      'Too many tries. Please try again in a minute',
      undefined,
      retryAfterSeconds,
    );
}

builder.queryField('addedMembership', (t) =>
  t.field({
    type: AddedMembership,
    description:
      'The membership that the link of a mail is about, until the person has accepted or left. Reading it changes nothing.',
    args: { token: t.arg.string() },
    // Open on purpose: the token is the credential of the mailbox.
    authScopes: {},
    resolve: async (_, { token }, context) => {
      await countTry(context);
      return readAddedMembership(token, acrossOf(context));
    },
  }),
);

builder.mutationFields((t) => ({
  acceptAddedMembership: t.field({
    type: AddedMembership,
    description:
      'Accepts a membership by the link of a mail. From then on the organization sees the name and the last sign-in of the person.',
    args: { token: t.arg.string() },
    // Open on purpose: the token is the credential of the mailbox.
    authScopes: {},
    resolve: async (_, { token }, context) => {
      await countTry(context);
      return acceptAddedMembership(token, acrossOf(context));
    },
  }),
  declineAddedMembership: t.field({
    type: LeftOrganization,
    description: 'Ends a membership by the link of a mail.',
    args: { token: t.arg.string() },
    // Open on purpose: the token is the credential of the mailbox.
    authScopes: {},
    resolve: async (_, { token }, context) => {
      await countTry(context);
      return declineAddedMembership(token, acrossOf(context));
    },
  }),
  leaveOrganization: t.field({
    type: LeftOrganization,
    description:
      'Ends the membership of the person who is signed in, and with it their teams and keys in the organization. The last administrator stays.',
    args: { organizationId: t.arg({ type: 'ResourceId' }) },
    authScopes: { account: true },
    resolve: async (_, { organizationId }, context) => {
      const { userId } = accountOf(context.viewer);
      const { requestId, ...parts } = acrossOf(context);
      const writer: Writer = {
        ...parts,
        actor: { organizationId, kind: 'SESSION', keyId: null, userId, requestId },
      };
      await leaveOrganization({ userId }, writer);
      return { organizationId };
    },
  }),
}));
