import type { Context } from '../../access/context.ts';
import { accountOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { secretRule } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
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
    args: {
      token: t.arg.string({
        rule: secretRule,
        description: 'The secret in the address of the link.',
      }),
    },
    // Open on purpose: the token is the credential of the mailbox.
    authScopes: {},
    resolve: async (_, { token }, context) => {
      await countAttempt(context);
      return readAddedMembership(token, unscopedDependencies(context));
    },
  }),
);

mutation('acceptAddedMembership', {
  description:
    'Accepts a membership through the link in a mail. From then on the organization can see the person’s name and last sign-in.',
  // Open on purpose: the token is the credential of the mailbox.
  authScopes: {},
  input: (t) => ({
    token: t.string({
      rule: secretRule,
      description: 'The token in the link of the mail.',
    }),
  }),
  resolve: async ({ token }, context) => {
    await countAttempt(context);
    return { membership: await acceptAddedMembership(token, unscopedDependencies(context)) };
  },
  payload: (t) => ({
    membership: t.expose('membership', {
      type: AddedMembership,
      description: 'The accepted membership.',
    }),
  }),
});

mutation('declineAddedMembership', {
  description: 'Deletes a membership through the link in a mail.',
  // Open on purpose: the token is the credential of the mailbox.
  authScopes: {},
  input: (t) => ({
    token: t.string({
      rule: secretRule,
      description: 'The token in the link of the mail.',
    }),
  }),
  resolve: async ({ token }, context) => {
    await countAttempt(context);
    const { organizationId } = await declineAddedMembership(token, unscopedDependencies(context));
    return { leftOrganizationId: organizationId };
  },
  payload: (t) => ({
    leftOrganizationId: t.exposeID('leftOrganizationId', {
      description: 'The id of the organization that the person left.',
    }),
  }),
});

mutation('leaveOrganization', {
  description:
    'Deletes the membership of the signed-in person, with their team memberships and keys in the organization. The last administrator cannot leave.',
  authScopes: { account: true },
  input: (t) => ({
    organizationId: t.field({ type: 'ID', description: 'The id of the organization.' }),
  }),
  resolve: async ({ organizationId }, context) => {
    const { userId } = accountOf(context.viewer);
    const { requestId, ...dependencies } = unscopedDependencies(context);
    const writer: Writer = {
      ...dependencies,
      actor: { organizationId, kind: 'SESSION', keyId: null, userId, requestId },
    };
    await leaveOrganization({ userId }, writer);
    return { leftOrganizationId: organizationId };
  },
  payload: (t) => ({
    leftOrganizationId: t.exposeID('leftOrganizationId', {
      description: 'The id of the organization that the person left.',
    }),
  }),
});
