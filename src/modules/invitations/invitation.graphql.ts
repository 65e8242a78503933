import { memberOf, signedInMember } from '../../access/scopes.ts';
import { builder } from '../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../graph/schema/connection.ts';
import { searchArg } from '../../graph/schema/input-rules.ts';
import { mutation, type PayloadBuilder } from '../../graph/schema/mutation.ts';
import { addNodeSource, Node } from '../../graph/schema/node.ts';
import { fragment } from '../../platform/database/sql.ts';
import { requireRecentSignIn } from '../accounts/sign-in/recent-sign-in.ts';
import { writerOf } from '../audit/record-change.ts';
import { readTeams } from '../teams/read-teams.ts';
import { Team } from '../teams/team.graphql.ts';
import { readMembers } from '../users/read-members.ts';
import { Role } from '../users/role.graphql.ts';
import { User } from '../users/user.graphql.ts';
import {
  countInvitation,
  type DeliveredInvitation,
  deliverInvitation,
} from './deliver-invitation.ts';
import { type Invitation as InvitationRow, type invitationStates, stateOf } from './invitation.ts';
import { inviteMember } from './invite-member.ts';
import { listInvitations } from './list-invitations.ts';
import { readInvitations } from './read-invitations.ts';
import { resendInvitation } from './resend-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';

const InvitationState = builder.enumType('InvitationState', {
  description: 'Whether an invitation can be accepted.',
  values: {
    OPEN: { description: 'The invitation can be accepted.' },
    EXPIRED: { description: 'The link is older than seven days. It can be sent again.' },
    ACCEPTED: { description: 'The person has become a member.' },
    REVOKED: { description: 'An administrator has revoked the invitation.' },
  } satisfies Record<(typeof invitationStates)[number], object>,
});

const Invitation = builder.objectRef<InvitationRow>('Invitation').implement({
  interfaces: [Node],
  description:
    'An invitation to join the organization. Its link is shown only once, when it is created.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description:
        'The id of the invitation, an opaque string that never changes. It is not the secret in the link.',
    }),
    email: t.exposeString('email', {
      description:
        'The invited address, in lower case. Only an account with this address can accept.',
    }),
    role: t.expose('role', { type: Role, description: 'The role that the person gets.' }),
    state: t.field({
      type: InvitationState,
      description: 'Whether the invitation can be accepted now.',
      resolve: (invitation, _, { clock }) => stateOf(invitation, clock()),
    }),
    team: t.loadable({
      type: Team,
      nullable: true,
      description: 'The team that the person joins in addition to the default team.',
      load: (teamIds: string[], { viewer, database }) =>
        readTeams({ organizationId: memberOf(viewer).organizationId, teamIds }, { database }),
      resolve: (invitation) => invitation.teamId,
    }),
    invitedBy: t.loadable({
      type: User,
      nullable: true,
      description: 'The person who invites; null if they are no longer a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (invitation) => invitation.invitedById,
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the invitation was created.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'From this time the link is rejected: seven days after it was sent last.',
    }),
  }),
});

addNodeSource('Invitation', {
  scopes: { administrator: true },
  table: fragment`invitations`,
  load: (ids, { viewer, database }) =>
    readInvitations({ organizationId: memberOf(viewer).organizationId, ids }, { database }),
});

const InvitationOrder = orderType('InvitationOrder', {
  CREATED_AT: 'When the invitation was created.',
  EXPIRES_AT: 'When the link of the invitation expires.',
});

builder.queryField('invitations', (t) =>
  t.field({
    type: connectionType('Invitation', Invitation),
    description: 'Invitations that were neither accepted nor revoked, newest first by default.',
    args: {
      ...connectionArgs(),
      search: t.arg(searchArg('Text that the e-mail address contains.')),
      orderBy: t.arg({
        type: InvitationOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    authScopes: { administrator: true },
    resolve: (_, args, { viewer, database }, info) =>
      listInvitations(
        { ...args, organizationId: memberOf(viewer).organizationId },
        pageRequest(args, info, 20),
        { database },
      ),
  }),
);

const sentInvitation = (t: PayloadBuilder<DeliveredInvitation>) => ({
  invitation: t.expose('invitation', {
    type: Invitation,
    description: 'The invitation that was sent.',
  }),
  link: t.exposeString('link', {
    description: 'The link with which the person accepts. It cannot be shown again.',
  }),
  isMailed: t.exposeBoolean('isMailed', {
    description: 'Whether the link was sent by mail. If not, the administrator has to pass it on.',
  }),
});

mutation('inviteMember', {
  description:
    'Invites the owner of an e-mail address. The link works once, within seven days. Inviting an administrator needs a recent sign-in.',
  authScopes: { administrator: true },
  input: (t) => ({
    email: t.field({
      type: 'EmailAddress',
      description: 'The e-mail address of the person. Only its owner can accept.',
    }),
    role: t.field({ type: Role, description: 'The role that the person gets.' }),
    teamId: t.field({
      type: 'ID',
      required: false,
      description: 'A team that the person joins besides the default team.',
    }),
  }),
  resolve: async (input, context) => {
    if (input.role === 'ADMIN')
      await requireRecentSignIn(signedInMember(context.viewer).sessionId, context);
    await countInvitation(memberOf(context.viewer), context);
    return deliverInvitation(await inviteMember(input, writerOf(context)), context);
  },
  payload: (t) => ({ ...sentInvitation(t) }),
});

mutation('resendInvitation', {
  description:
    'Creates a new link, which works for another seven days. The previous link becomes invalid.',
  authScopes: { administrator: true },
  input: (t) => ({ id: t.field({ type: 'ID', description: 'The id of the invitation.' }) }),
  resolve: async (input, context) => {
    await countInvitation(memberOf(context.viewer), context);
    return deliverInvitation(await resendInvitation(input, writerOf(context)), context);
  },
  payload: (t) => ({ ...sentInvitation(t) }),
});

mutation('revokeInvitation', {
  description: 'Revokes an invitation. Its link becomes invalid.',
  authScopes: { administrator: true },
  input: (t) => ({ id: t.field({ type: 'ID', description: 'The id of the invitation.' }) }),
  resolve: async (input, context) => ({
    invitation: await revokeInvitation(input, writerOf(context)),
  }),
  payload: (t) => ({
    invitation: t.expose('invitation', {
      type: Invitation,
      description: 'The revoked invitation.',
    }),
  }),
});
