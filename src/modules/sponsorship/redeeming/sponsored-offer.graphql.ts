import type { Context } from '../../../access/context.ts';
import { accountOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { ErrorCatalogue, sentenceOfMeaning } from '../../../graph/schema/error-catalogue.ts';
import { secretRule } from '../../../graph/schema/input-rules.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { unscopedDatabase } from '../../../platform/database/database.ts';
import { errorReasonCatalogue } from '../../../platform/error-reasons.ts';
import { AppError } from '../../../platform/errors.ts';
import { Organization } from '../../organizations/organization.graphql.ts';
import { organizationNameRule } from '../../organizations/organization-name.graphql.ts';
import '../../users/email-address.graphql.ts';
import { checkLinkPassword } from './check-link-password.ts';
import { type LinkPreview, previewLink } from './preview-link.ts';
import {
  readSponsoredWorkspace,
  type SponsoredWorkspace as SponsoredWorkspaceRow,
} from './read-sponsored-workspace.ts';
import { redeemSponsorship } from './redeem-sponsorship.ts';
import { refusalReasons } from './refusal.ts';
import { releaseReservation } from './release-reservation.ts';
import { reserveRedemption } from './reserve-redemption.ts';

declare module '../../../access/context.ts' {
  interface Services {
    /** See `RedemptionRules`. */
    allowListNeedsVerifiedEmail: boolean;
    /** Workspaces that one network may redeem in ten minutes. */
    redemptionLimit: number;
  }
}

// The fields of this file are for people who opened a link, not for programs: REST does not have
// them, and API keys are refused. The campaign belongs to another organization than the visitor's,
// so the rules read without the tenant scope.
const unscoped = (context: Context): Context => ({
  ...context,
  database: unscopedDatabase(context.database),
});

const passwordGrantLifetimeMs = 30 * 60_000;

const SponsoredOffer = builder.objectRef<LinkPreview>('SponsoredOffer').implement({
  description: 'The offer that a visitor of a sponsored link sees.',
  fields: (t) => ({
    campaignName: t.exposeString('campaignName', {
      description: 'The display name of the campaign.',
    }),
    sponsorName: t.exposeString('sponsorName', {
      description: 'The display name of the organization that sponsors.',
    }),
    durationMonths: t.exposeInt('durationMonths', {
      description: 'How many calendar months the sponsorship lasts, 1 to 6.',
    }),
    includedSeats: t.exposeInt('includedSeats', {
      nullable: true,
      description: 'How many members the workspace can have; null means no limit.',
    }),
    sponsoredUntil: t.expose('sponsoredUntil', {
      type: 'DateTime',
      description: 'The end of the sponsorship if the offer were redeemed now.',
    }),
    needsPassword: t.exposeBoolean('needsPassword', {
      description: 'Whether the visitor still has to enter the link’s password.',
    }),
    hasAllowList: t.exposeBoolean('hasAllowList', {
      description: 'Whether only the e-mail addresses on the sponsor’s list can redeem the offer.',
    }),
    heldUntil: t.expose('heldUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'When the reservation of this browser expires; null if it has no reservation.',
    }),
  }),
});

const SponsoredWorkspace = builder
  .objectRef<SponsoredWorkspaceRow>('SponsoredWorkspace')
  .implement({
    description: 'A workspace that a sponsor pays for, as its administrator sees it.',
    fields: (t) => ({
      sponsorName: t.exposeString('sponsorName', {
        description: 'The display name of the organization that sponsors.',
      }),
      campaignName: t.exposeString('campaignName', {
        description: 'The display name of the campaign.',
      }),
      durationMonths: t.exposeInt('durationMonths', {
        description: 'How many calendar months the sponsorship lasts without an extension, 1 to 6.',
      }),
      includedSeats: t.exposeInt('includedSeats', {
        nullable: true,
        description: 'How many members it can have; null means no limit.',
      }),
      sponsoredUntil: t.expose('sponsoredUntil', {
        type: 'DateTime',
        description: 'When the sponsorship ends, extensions included.',
      }),
      organization: t.prismaField({
        type: Organization,
        description: 'The workspace itself.',
        resolve: (query, { organizationId }, _, { database }) =>
          database.prisma.organization.findUniqueOrThrow({
            ...query,
            where: { id: organizationId },
          }),
      }),
    }),
  });

/** The user id of the visitor; null if they are not signed in. */
function signedInUserId({ viewer }: Context): string | null {
  if (viewer && viewer.kind !== 'SESSION')
    throw new AppError('FORBIDDEN', 'Sponsored links are for people, not for keys');
  return viewer?.userId ?? null;
}

/**
 * The offer as the visitor sees it. A grant or reservation that this request has just created comes
 * before the cookies that the browser sent.
 */
function previewFor(
  context: Context,
  token: string,
  { grant, reservation }: { grant?: string | null; reservation?: string | null } = {},
): Promise<LinkPreview> {
  const cookies = context.sponsoredCookies({ ...context, token });
  const redemptionRequest = {
    token,
    userId: signedInUserId(context),
    passwordGrant: grant ?? cookies.grant.value,
    reservation: reservation ?? cookies.reservation.value,
  };
  return previewLink(redemptionRequest, unscoped(context));
}

const RedemptionRefusal = builder.enumType('RedemptionRefusal', {
  description:
    'Why a visitor cannot redeem an offer: the `reason` of an error of `sponsoredOffer`, `openSponsoredOffer`, `reserveSponsorship` or `redeemSponsorship`.',
  values: Object.fromEntries(
    refusalReasons.map((reason) => [
      reason,
      { description: sentenceOfMeaning(errorReasonCatalogue[reason]) },
    ]),
  ),
});

builder.objectField(ErrorCatalogue, 'redemptionRefusals', (t) =>
  t.field({
    type: [RedemptionRefusal],
    description: 'The reasons for which a visitor cannot redeem an offer.',
    resolve: () => refusalReasons,
  }),
);

builder.queryField('sponsoredOffer', (t) =>
  t.field({
    type: SponsoredOffer,
    description:
      'The offer behind a link. If the visitor cannot redeem it, the error’s `reason` says why.',
    args: {
      token: t.arg.string({
        rule: secretRule,
        description: 'The token in the address of the link.',
      }),
    },
    // Open on purpose: everyone who has the link may see its offer.
    authScopes: {},
    resolve: (_, { token }, context) => previewFor(context, token),
  }),
);

builder.queryField('sponsoredWorkspace', (t) =>
  t.field({
    type: SponsoredWorkspace,
    nullable: true,
    description:
      'The workspace that the viewer redeemed from the campaign of a link; null if they have none.',
    args: {
      token: t.arg.string({
        rule: secretRule,
        description: 'The token in the address of the link.',
      }),
    },
    authScopes: { account: true },
    resolve: (_, { token }, context) =>
      readSponsoredWorkspace(
        { token, userId: accountOf(context.viewer).userId },
        unscoped(context),
      ),
  }),
);

mutation('openSponsoredOffer', {
  description:
    'Enters the link’s password. If it is correct, the browser does not have to enter it again for half an hour.',
  // Open on purpose: visitors enter the password before they have an account. Attempts are
  // limited.
  authScopes: {},
  input: (t) => ({
    token: t.string({ rule: secretRule, description: 'The token in the link.' }),
    password: t.string({
      rule: secretRule,
      description: 'The password of the link.',
    }),
  }),
  resolve: async ({ token, password }, context) => {
    signedInUserId(context);
    const { grant } = await checkLinkPassword(
      { token, password, clientAddress: context.clientInfo.address },
      unscoped(context),
    );
    const expiresAt = new Date(context.clock().getTime() + passwordGrantLifetimeMs);
    if (grant) context.sponsoredCookies({ ...context, token }).grant.set(grant, expiresAt);
    return { offer: await previewFor(context, token, { grant }) };
  },
  payload: (t) => ({
    offer: t.expose('offer', {
      type: SponsoredOffer,
      description: 'The offer, which no longer needs the password.',
    }),
  }),
});

mutation('reserveSponsorship', {
  description:
    'Reserves the offer for half an hour, or renews the reservation of this browser, which ends at most two hours after its start. If the offer is limited to a list of e-mail addresses, `email` must be one of them.',
  // Open on purpose: visitors reserve before they sign up. The number of reservations per network
  // is limited.
  authScopes: {},
  input: (t) => ({
    token: t.string({ rule: secretRule, description: 'The token in the link.' }),
    email: t.field({
      type: 'EmailAddress',
      required: false,
      description: 'The e-mail address of the visitor, if the offer is limited to a list.',
    }),
  }),
  resolve: async ({ token, email = null }, context) => {
    const { grant, reservation: reservationCookie } = context.sponsoredCookies({
      ...context,
      token,
    });
    const redemptionRequest = {
      token,
      email,
      userId: signedInUserId(context),
      passwordGrant: grant.value,
      reservation: reservationCookie.value,
    };
    const { reservation, expiresAt } = await reserveRedemption(
      { ...redemptionRequest, clientAddress: context.clientInfo.address },
      unscoped(context),
    );
    reservationCookie.set(reservation, expiresAt);
    return { offer: await previewFor(context, token, { reservation }) };
  },
  payload: (t) => ({
    offer: t.expose('offer', {
      type: SponsoredOffer,
      description: 'The offer with the end of the reservation.',
    }),
  }),
});

mutation('releaseSponsorship', {
  description: 'Releases the reservation of this browser.',
  // Open on purpose: the cookie of the browser that reserved is the credential. API keys are
  // refused.
  authScopes: {},
  input: (t) => ({
    token: t.string({ rule: secretRule, description: 'The token in the link.' }),
  }),
  resolve: async ({ token }, context) => {
    signedInUserId(context);
    const { reservation } = context.sponsoredCookies({ ...context, token });
    const isReleased =
      reservation.value !== null &&
      (await releaseReservation({ reservation: reservation.value }, unscoped(context)));
    reservation.clear();
    return { isReleased };
  },
  payload: (t) => ({
    isReleased: t.exposeBoolean('isReleased', {
      description: 'False if the browser had no reservation.',
    }),
  }),
});

mutation('redeemSponsorship', {
  description:
    'Creates the viewer’s sponsored workspace. Each person gets one workspace per campaign, even with repeated requests.',
  authScopes: { account: true },
  input: (t) => ({
    token: t.string({ rule: secretRule, description: 'The token in the link.' }),
    organizationName: t.field({
      type: 'String',
      rule: organizationNameRule,
      description: 'The name of the new workspace.',
    }),
  }),
  resolve: async ({ token, organizationName }, context) => {
    const { grant, reservation } = context.sponsoredCookies({ ...context, token });
    const { userId } = accountOf(context.viewer);
    const redemptionRequest = {
      token,
      userId,
      organizationName,
      passwordGrant: grant.value,
      reservation: reservation.value,
    };
    const workspace = await redeemSponsorship(
      {
        ...redemptionRequest,
        clientAddress: context.clientInfo.address,
        requestId: context.requestId,
      },
      unscoped(context),
    );
    grant.clear();
    reservation.clear();
    return { workspace };
  },
  payload: (t) => ({
    workspace: t.expose('workspace', {
      type: SponsoredWorkspace,
      description: 'The sponsored workspace.',
    }),
  }),
});
