import { builder } from '../../graph/builder.ts';
import type { Context } from '../../graph/context.ts';
import { accountOf } from '../../graph/scopes.ts';
import { unscopedDatabase } from '../../platform/database/database.ts';
import { AppError } from '../../platform/errors.ts';
import { Organization } from '../organizations/organization.graphql.ts';
import '../users/email-address.ts';
import { checkLinkPassword } from './check-link-password.ts';
import { type LinkPreview, previewLink } from './preview-link.ts';
import {
  readSponsoredWorkspace,
  type SponsoredWorkspace as Workspace,
} from './read-sponsored-workspace.ts';
import { redeemSponsorship } from './redeem-sponsorship.ts';
import { releaseReservation } from './release-reservation.ts';
import { reserveRedemption } from './reserve-redemption.ts';

declare module '../../graph/context.ts' {
  interface Services {
    /** See `RedemptionRules`. */
    allowListNeedsVerifiedEmail: boolean;
    /** Workspaces that one network may redeem in ten minutes. */
    redemptionLimit: number;
  }
}

// What follows is for people who opened a link, and not for programs: REST has nothing of it, and
// no key opens it. Its campaign is another organization's than theirs, if they are in one.
const beyond = (context: Context): Context => ({
  ...context,
  database: unscopedDatabase(context.database),
});

const passwordLifeMs = 30 * 60_000;

const SponsoredOffer = builder.objectRef<LinkPreview>('SponsoredOffer').implement({
  description: 'What whoever opens a sponsored link is offered.',
  fields: (t) => ({
    campaignName: t.exposeString('campaignName'),
    sponsorName: t.exposeString('sponsorName'),
    durationMonths: t.exposeInt('durationMonths'),
    includedSeats: t.exposeInt('includedSeats', {
      nullable: true,
      description: 'How many members the workspace can have; null sets no cap.',
    }),
    sponsoredUntil: t.expose('sponsoredUntil', {
      type: 'DateTime',
      description: 'The end, if it were redeemed now.',
    }),
    needsPassword: t.exposeBoolean('needsPassword', {
      description: 'Whether the link’s password is still to be given.',
    }),
    hasAllowList: t.exposeBoolean('hasAllowList', {
      description: 'Whether the sponsor has named the addresses that the offer is meant for.',
    }),
    heldUntil: t.expose('heldUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until when this browser holds a place; null where it holds none.',
    }),
  }),
});

const SponsoredWorkspace = builder.objectRef<Workspace>('SponsoredWorkspace').implement({
  description: 'A workspace that a sponsor pays for, as its administrator sees it.',
  fields: (t) => ({
    sponsorName: t.exposeString('sponsorName'),
    campaignName: t.exposeString('campaignName'),
    durationMonths: t.exposeInt('durationMonths'),
    includedSeats: t.exposeInt('includedSeats', {
      nullable: true,
      description: 'How many members it can have; null sets no cap.',
    }),
    sponsoredUntil: t.expose('sponsoredUntil', { type: 'DateTime' }),
    organization: t.prismaField({
      type: Organization,
      resolve: (query, { organizationId }, _, { database }) =>
        database.prisma.organization.findUniqueOrThrow({ ...query, where: { id: organizationId } }),
    }),
  }),
});

/** Who has opened the link: with an account, or without one yet. */
function signedInUserId({ viewer }: Context): string | null {
  if (viewer && viewer.kind !== 'SESSION')
    throw new AppError('FORBIDDEN', 'Sponsored links are for people, not for keys');
  return viewer?.userId ?? null;
}

/** The offer as the clientInfo sees it, by what their browser keeps or was just given to keep. */
function offerTo(
  context: Context,
  token: string,
  { grant, reservation }: { grant?: string | null; reservation?: string | null } = {},
): Promise<LinkPreview> {
  const kept = context.sponsoredCookies({ ...context, token });
  const redemptionRequest = {
    token,
    userId: signedInUserId(context),
    passwordGrant: grant ?? kept.grant.value,
    reservation: reservation ?? kept.place.value,
  };
  return previewLink(redemptionRequest, beyond(context));
}

builder.queryField('sponsoredOffer', (t) =>
  t.field({
    type: SponsoredOffer,
    description:
      'The offer behind a link. Where it is closed to the clientInfo the error’s `reason` tells why.',
    args: { token: t.arg.string() },
    // Open on purpose: whoever has the link may see what it offers.
    authScopes: {},
    resolve: (_, { token }, context) => offerTo(context, token),
  }),
);

builder.queryField('sponsoredWorkspace', (t) =>
  t.field({
    type: SponsoredWorkspace,
    nullable: true,
    description:
      'The workspace that the viewer has by the campaign of a link; null where they have none.',
    args: { token: t.arg.string() },
    authScopes: { account: true },
    resolve: (_, { token }, context) =>
      readSponsoredWorkspace({ token, userId: accountOf(context.viewer).userId }, beyond(context)),
  }),
);

builder.mutationField('openSponsoredOffer', (t) =>
  t.field({
    type: SponsoredOffer,
    description: 'Gives the link’s password. The browser keeps for half an hour that it was right.',
    args: { token: t.arg.string(), password: t.arg.string() },
    // Open on purpose: the password is asked for before there is an account. Tries are limited.
    authScopes: {},
    resolve: async (_, { token, password }, context) => {
      signedInUserId(context);
      const { grant } = await checkLinkPassword(
        { token, password, clientAddress: context.clientInfo.address },
        beyond(context),
      );
      const expiresAt = new Date(context.clock().getTime() + passwordLifeMs);
      if (grant) context.sponsoredCookies({ ...context, token }).grant.keep(grant, expiresAt);
      return offerTo(context, token, { grant });
    },
  }),
);

builder.mutationField('reserveSponsorship', (t) =>
  t.field({
    type: SponsoredOffer,
    description:
      'Reserves for half an hour, from now on where this browser has a reservation already, which ends two hours after it began at the latest. A campaign for named addresses needs one of them.',
    args: { token: t.arg.string(), email: t.arg({ type: 'EmailAddress', required: false }) },
    // Open on purpose: a place is held while somebody signs up. How many a network holds is
    // limited.
    authScopes: {},
    resolve: async (_, { token, email = null }, context) => {
      const { grant, place } = context.sponsoredCookies({ ...context, token });
      const redemptionRequest = {
        token,
        email,
        userId: signedInUserId(context),
        passwordGrant: grant.value,
        reservation: place.value,
      };
      const { reservation, expiresAt } = await reserveRedemption(
        { ...redemptionRequest, clientAddress: context.clientInfo.address },
        beyond(context),
      );
      place.keep(reservation, expiresAt);
      return offerTo(context, token, { reservation });
    },
  }),
);

builder.mutationField('releaseSponsorship', (t) =>
  t.boolean({
    description:
      'Gives the place that this browser holds to the next one. False where it holds none.',
    args: { token: t.arg.string() },
    // Open on purpose: the cookie that only the holder's browser has is the credential. No key will
    // do.
    authScopes: {},
    resolve: async (_, { token }, context) => {
      signedInUserId(context);
      const { place } = context.sponsoredCookies({ ...context, token });
      const isFreed =
        place.value !== null &&
        (await releaseReservation({ reservation: place.value }, beyond(context)));
      place.drop();
      return isFreed;
    },
  }),
);

builder.mutationField('redeemSponsorship', (t) =>
  t.field({
    type: SponsoredWorkspace,
    description:
      'Makes the viewer’s sponsored workspace: one for each campaign, however often it is asked for.',
    args: { token: t.arg.string(), organizationName: t.arg({ type: 'OrganizationName' }) },
    authScopes: { account: true },
    resolve: async (_, { token, organizationName }, context) => {
      const { grant, place } = context.sponsoredCookies({ ...context, token });
      const { userId } = accountOf(context.viewer);
      const redemptionRequest = {
        token,
        userId,
        organizationName,
        passwordGrant: grant.value,
        reservation: place.value,
      };
      const made = await redeemSponsorship(
        {
          ...redemptionRequest,
          clientAddress: context.clientInfo.address,
          requestId: context.requestId,
        },
        beyond(context),
      );
      grant.drop();
      place.drop();
      return made;
    },
  }),
);
