import { memberOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import {
  connectionArgs,
  connectionCost,
  connectionType,
  orderType,
  pageRequest,
} from '../../../graph/schema/connection.ts';
import { searchArg } from '../../../graph/schema/input-rules.ts';
import { addNodeSource, Node } from '../../../graph/schema/node.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { notFound } from '../../../platform/errors.ts';
import { Language } from '../../accounts/language.graphql.ts';
import { sponsorship } from '../../organizations/features.ts';
import { Link } from '../links/link.graphql.ts';
import {
  type LinkInvitation as LinkInvitationRow,
  type linkInvitationStates,
  stateOf,
} from './link-invitation.ts';
import { listLinkInvitations } from './list-link-invitations.ts';
import { readLinkInvitations } from './read-link-invitations.ts';

const LinkInvitationState = builder.enumType('LinkInvitationState', {
  description: 'What has happened to an invitation to a link.',
  values: {
    NOT_SENT: { description: 'Its mail waits, or was refused by the mail server.' },
    SENT: { description: 'Its mail was sent.' },
    OPENED: { description: 'The offer was opened with it.' },
    REDEEMED: { description: 'The person has redeemed the campaign.' },
    REVOKED: { description: 'The partner has revoked it.' },
    EXPIRED: { description: 'Its time is over.' },
  } satisfies Record<(typeof linkInvitationStates)[number], object>,
});

export const LinkInvitation = builder.objectRef<LinkInvitationRow>('LinkInvitation').implement({
  interfaces: [Node],
  description: 'An invitation of one e-mail address to redeem a link once.',
  fields: (t) => ({
    id: t.exposeID('id', {
      description: 'The id of the invitation. It is not the secret in its address.',
    }),
    email: t.exposeString('email', {
      description: 'The invited address, in lower case. Only its verified owner can redeem.',
    }),
    state: t.field({
      type: LinkInvitationState,
      description: 'What has happened to the invitation.',
      resolve: (invitation, _, { clock }) => stateOf(invitation, clock()),
    }),
    language: t.expose('language', {
      type: Language,
      description: 'The language of its mails.',
    }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      description: 'When the address was invited.',
    }),
    expiresAt: t.expose('expiresAt', {
      type: 'DateTime',
      description: 'From this time the invitation is refused.',
    }),
    sentAt: t.expose('sentAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it was sent last, without reminders; null before.',
    }),
    remindedAt: t.expose('remindedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the person was reminded; null before.',
    }),
    redeemedAt: t.expose('redeemedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the person redeemed the campaign; null before.',
    }),
  }),
});

addNodeSource('LinkInvitation', {
  scopes: { manages: sponsorship },
  table: fragment`link_invitations`,
  load: (ids, { viewer, database }) =>
    readLinkInvitations({ organizationId: memberOf(viewer).organizationId, ids }, { database }),
});

const LinkInvitationConnection = connectionType('LinkInvitation', LinkInvitation);
const LinkInvitationOrder = orderType('LinkInvitationOrder', {
  CREATED_AT: 'When the address was invited.',
  EXPIRES_AT: 'When the invitation expires.',
  EMAIL: 'The address.',
});

builder.objectField(Link, 'invitations', (t) =>
  t.loadable({
    type: LinkInvitationConnection,
    description: 'The invitations to the link, newest first by default.',
    args: {
      ...connectionArgs(),
      state: t.arg({
        type: LinkInvitationState,
        required: false,
        description: 'Only invitations in this state.',
      }),
      search: t.arg(searchArg('Text that the e-mail address contains.')),
      orderBy: t.arg({
        type: LinkInvitationOrder,
        required: false,
        description: 'The order of the list.',
      }),
    },
    cost: connectionCost(20),
    byPath: true,
    load: async (linkIds: string[], { viewer, ...dependencies }, args, info) => {
      const pages = await listLinkInvitations(
        { ...args, organizationId: memberOf(viewer).organizationId, linkIds },
        pageRequest(args, info, 20),
        dependencies,
      );
      return pages.map((page) => page ?? notFound('Link'));
    },
    loaderOptions: { cache: false },
    resolve: ({ id }) => id,
  }),
);
