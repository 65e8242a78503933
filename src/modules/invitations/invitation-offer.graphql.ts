import { accountOf } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import { secretRule } from '../../graph/schema/input-rules.ts';
import { mutation } from '../../graph/schema/mutation.ts';
import { unscopedDatabase } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { networkOf } from '../../platform/network-of.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import { countLookup } from '../users/count-probe.ts';
import { Role } from '../users/role.graphql.ts';
import { acceptInvitation } from './accept-invitation.ts';
import {
  type InvitationOffer as InvitationOfferRow,
  previewInvitation,
} from './preview-invitation.ts';

const previewsPerMinuteMax = 60;

const InvitationOffer = builder.objectRef<InvitationOfferRow>('InvitationOffer').implement({
  description: 'An invitation as a person with its link sees it.',
  fields: (t) => ({
    organizationName: t.exposeString('organizationName', {
      description: 'The display name of the organization that invites.',
    }),
    email: t.exposeString('email', {
      description: 'Only an account with this address can accept.',
    }),
    role: t.expose('role', { type: Role, description: 'The role that the person gets.' }),
    invitedBy: t.exposeString('invitedBy', {
      nullable: true,
      description: 'The person who invites; null if their account was deleted.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'From this time the link is rejected.',
    }),
    needsAccount: t.exposeBoolean('needsAccount', {
      description: 'Whether there is no account with this address yet.',
    }),
    needsPassword: t.exposeBoolean('needsPassword', {
      description: 'Whether the account with this address has no way to sign in yet.',
    }),
  }),
});

builder.queryField('invitation', (t) =>
  t.field({
    type: InvitationOffer,
    description: 'What an invitation offers. The token is in its link.',
    args: {
      token: t.arg.string({
        rule: secretRule,
        description: 'The secret in the address of the invitation.',
      }),
    },
    // Open on purpose: the token is the credential, and its holder may have no account yet.
    authScopes: {},
    resolve: async (_, { token }, { clientInfo, limits, database, clock }) => {
      const { exceeded } = await limits.consume(
        `invitation:${networkOf(clientInfo.address)}`,
        previewsPerMinuteMax,
      );
      if (exceeded)
        throw new AppError('RATE_LIMITED', 'Too many tries. Please try again in a minute.');
      // The visitor may be signed in to another organization, so the tenant scope would hide the
      // invitation.
      const offer = await previewInvitation(
        { token },
        { database: unscopedDatabase(database), clock },
      );
      // The organization has the link as well, so a preview reveals to it whether the address has
      // an account. Above its hourly limit the page asks every visitor to sign in; a visitor
      // without an account can choose to sign up instead.
      const { isAllowed } = await countLookup(offer, { database, limits });
      return isAllowed ? offer : { ...offer, needsAccount: false, needsPassword: false };
    },
  }),
);

mutation('acceptInvitation', {
  description:
    'Makes the viewer a member. Only an account with the invited address can do so, once.',
  authScopes: { account: true },
  input: (t) => ({
    token: t.string({
      rule: secretRule,
      description: 'The token in the link of the invitation.',
    }),
  }),
  resolve: (
    { token },
    { viewer, database, clock, requestId }, // The viewer is not a member yet, so the tenant scope would hide the invitation.
  ) =>
    acceptInvitation(
      { token, userId: accountOf(viewer).userId },
      { database: unscopedDatabase(database), clock, requestId },
    ),
  payload: (t) => ({
    organization: t.prismaField({
      type: Organization,
      description: 'The organization, of which the viewer is a member now.',
      resolve: (query, { organizationId }, _, { database }) =>
        database.prisma.organization.findUniqueOrThrow({ ...query, where: { id: organizationId } }),
    }),
  }),
});
