import type { Context } from '../../access/context.ts';
import { accountOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
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

const attemptsPerMinuteMax = 60;

const AddedMembership = builder.objectRef<AddedMembershipRow>('AddedMembership').implement({
  description:
    'A membership that an organization added to an existing account, as the recipient of the mail about it sees it.',
  fields: (t) => ({
    organizationId: t.exposeID('organizationId', {
      description: 'The id of the organization that added the account.',
    }),
    organizationName: t.exposeString('organizationName', {
      description: 'The display name of the organization that added the account.',
    }),
    email: t.exposeString('email', {
      description: 'The e-mail address of the account that was added.',
    }),
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
 * The person may be signed in to another organization or not signed in, so these fields read
 * without the tenant scope. They change only the named organization.
 */
const unscopedDependencies = ({ database, clock, requestId, credentialsChanged }: Context) => ({
  database: database.unscoped,
  clock,
  requestId,
  credentialsChanged,
});

async function countAttempt({ clientInfo, limits }: Context): Promise<void> {
  const { exceeded, retryAfterSeconds } = await limits.consume(
    `added-membership:${networkOf(clientInfo.address)}`,
    attemptsPerMinuteMax,
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
      'The membership of the link in a mail, until the person has accepted or left. Reading it changes nothing.',
    args: { token: t.arg.string({ description: 'The secret in the address of the link.' }) },
    // Open on purpose: the token is the credential of the mailbox.
    authScopes: {},
    resolve: async (_, { token }, context) => {
      await countAttempt(context);
      return readAddedMembership(token, unscopedDependencies(context));
    },
  }),
);

builder.mutationFields((t) => ({
  acceptAddedMembership: t.field({
    type: AddedMembership,
    description:
      'Accepts a membership through the link in a mail. From then on the organization can see the person’s name and last sign-in.',
    args: { token: t.arg.string() },
    // Open on purpose: the token is the credential of the mailbox.
    authScopes: {},
    resolve: async (_, { token }, context) => {
      await countAttempt(context);
      return acceptAddedMembership(token, unscopedDependencies(context));
    },
  }),
  declineAddedMembership: t.field({
    type: LeftOrganization,
    description: 'Deletes a membership through the link in a mail.',
    args: { token: t.arg.string() },
    // Open on purpose: the token is the credential of the mailbox.
    authScopes: {},
    resolve: async (_, { token }, context) => {
      await countAttempt(context);
      return declineAddedMembership(token, unscopedDependencies(context));
    },
  }),
  leaveOrganization: t.field({
    type: LeftOrganization,
    description:
      'Deletes the membership of the signed-in person, with their team memberships and keys in the organization. The last administrator cannot leave.',
    args: { organizationId: t.arg({ type: 'ResourceId' }) },
    authScopes: { account: true },
    resolve: async (_, { organizationId }, context) => {
      const { userId } = accountOf(context.viewer);
      const { requestId, ...dependencies } = unscopedDependencies(context);
      const writer: Writer = {
        ...dependencies,
        actor: { organizationId, kind: 'SESSION', keyId: null, userId, requestId },
      };
      await leaveOrganization({ userId }, writer);
      return { organizationId };
    },
  }),
}));
