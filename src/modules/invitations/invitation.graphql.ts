import { builder } from '../../graph/builder.ts';
import { memberOf } from '../../graph/scopes.ts';
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
import { type Invitation as InvitationRow, invitationStates, stateOf } from './invitation.ts';
import { inviteMember } from './invite-member.ts';
import { type InvitationPage as InvitationPageRow, listInvitations } from './list-invitations.ts';
import { resendInvitation } from './resend-invitation.ts';
import { revokeInvitation } from './revoke-invitation.ts';

const InvitationState = builder.enumType('InvitationState', { values: invitationStates });

const Invitation = builder.objectRef<InvitationRow>('Invitation').implement({
  description:
    'Somebody is asked to join the organization. The link is shown once, when it is made.',
  fields: (t) => ({
    id: t.exposeID('id'),
    email: t.exposeString('email'),
    role: t.expose('role', { type: Role }),
    state: t.field({
      type: InvitationState,
      resolve: (invitation, _, { clock }) => stateOf(invitation, clock()),
    }),
    team: t.loadable({
      type: Team,
      nullable: true,
      description: 'The team that is joined besides the default one.',
      load: (teamIds: string[], { viewer, database }) =>
        readTeams({ organizationId: memberOf(viewer).organizationId, teamIds }, { database }),
      resolve: (invitation) => invitation.teamId,
    }),
    invitedBy: t.loadable({
      type: User,
      nullable: true,
      description: 'Who invites, while they are a member.',
      load: (userIds: string[], { viewer, database }) =>
        readMembers({ organizationId: memberOf(viewer).organizationId, userIds }, { database }),
      resolve: (invitation) => invitation.invitedById,
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime' }),
    expiresAt: t.expose('expiresAt', { type: 'DateTime' }),
  }),
});

const InvitationPage = builder.objectRef<InvitationPageRow>('InvitationPage').implement({
  fields: (t) => ({
    // The page's own field has counted its size already.
    items: t.expose('items', { type: [Invitation], complexity: { multiplier: 1 } }),
    total: t.exposeInt('total'),
    page: t.expose('page', { type: 'PageNumber' }),
    pageSize: t.exposeInt('pageSize'),
    totalPages: t.exposeInt('totalPages'),
  }),
});

const SentInvitation = builder.objectRef<DeliveredInvitation>('SentInvitation').implement({
  fields: (t) => ({
    invitation: t.expose('invitation', { type: Invitation }),
    link: t.exposeString('link', {
      description: 'Takes the invitation. It can not be shown again.',
    }),
    isMailed: t.exposeBoolean('isMailed', {
      description:
        'Whether the link went to the address by mail; where it did not, it has to be handed over.',
    }),
  }),
});

builder.queryField('invitations', (t) =>
  t.field({
    type: InvitationPage,
    description: 'Invitations that were neither used nor revoked, newest first.',
    args: {
      page: t.arg({ type: 'PageNumber', defaultValue: 1 }),
      pageSize: t.arg({ type: 'PageSize', defaultValue: 20 }),
    },
    complexity: ({ pageSize }) => ({ field: 1, multiplier: pageSize }),
    authScopes: { administrator: true },
    resolve: (_, args, { viewer, database }) =>
      listInvitations({ ...args, organizationId: memberOf(viewer).organizationId }, { database }),
  }),
);

builder.mutationFields((t) => ({
  inviteMember: t.field({
    type: SentInvitation,
    description: 'Invites the owner of an address. The link works once, for seven days.',
    args: {
      email: t.arg({ type: 'EmailAddress' }),
      role: t.arg({ type: Role }),
      teamId: t.arg({ type: 'ResourceId', required: false }),
    },
    authScopes: { administrator: true },
    resolve: async (_, input, context) => {
      await countInvitation(memberOf(context.viewer), context);
      return deliverInvitation(await inviteMember(input, writerOf(context)), context);
    },
  }),
  resendInvitation: t.field({
    type: SentInvitation,
    description:
      'Makes a new link, which works for seven days again. The one from before leads nowhere from then on.',
    args: { id: t.arg({ type: 'ResourceId' }) },
    authScopes: { administrator: true },
    resolve: async (_, input, context) => {
      await countInvitation(memberOf(context.viewer), context);
      return deliverInvitation(await resendInvitation(input, writerOf(context)), context);
    },
  }),
  revokeInvitation: t.field({
    type: Invitation,
    description: 'Withdraws an invitation. Its link leads nowhere from then on.',
    args: { id: t.arg({ type: 'ResourceId' }) },
    authScopes: { administrator: true },
    resolve: (_, input, context) => revokeInvitation(input, writerOf(context)),
  }),
}));
