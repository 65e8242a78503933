import type { Context } from '../../../access/context.ts';
import { accountOf } from '../../../access/scopes.ts';
import { builder } from '../../../graph/schema/builder.ts';
import { ErrorCatalogue, sentenceOfMeaning } from '../../../graph/schema/error-catalogue.ts';
import { secretRule } from '../../../graph/schema/input-rules.ts';
import { unscopedDatabase } from '../../../platform/database/database.ts';
import { errorReasonCatalogue } from '../../../platform/error-reasons.ts';
import { AppError } from '../../../platform/errors.ts';
import { Organization } from '../../organizations/organization.graphql.ts';
import { countClick } from './count-click.ts';
import { type LinkPreview, previewLink } from './preview-link.ts';
import {
  readSponsoredWorkspace,
  type SponsoredWorkspace as SponsoredWorkspaceRow,
} from './read-sponsored-workspace.ts';
import { RedemptionRefused, refusalReasons } from './refusal.ts';

declare module '../../../access/context.ts' {
  interface Services {
    /** See `RedemptionRules`. */
    allowListNeedsVerifiedEmail: boolean;
    /** Workspaces that one network may redeem in ten minutes. */
    redemptionLimit: number;
  }
}

// The fields of this file and of redeem-offer.graphql.ts are for people who opened a link, not for programs: REST does not have
// them, and API keys are refused. The campaign belongs to another organization than the visitor's,
// so the rules read without the tenant scope.
export const unscoped = (context: Context): Context => ({
  ...context,
  database: unscopedDatabase(context.database),
});

export const SponsoredOffer = builder.objectRef<LinkPreview>('SponsoredOffer').implement({
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
      description:
        'Whether only the e-mail addresses on the sponsor’s list, or only the invited one, can redeem the offer.',
    }),
    heldUntil: t.expose('heldUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'When the reservation of this browser expires; null if it has no reservation.',
    }),
  }),
});

export const SponsoredWorkspace = builder
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
export function signedInUserId({ viewer }: Context): string | null {
  if (viewer && viewer.kind !== 'SESSION')
    throw new AppError('FORBIDDEN', 'Sponsored links are for people, not for keys', 'PEOPLE_ONLY');
  return viewer?.userId ?? null;
}

/**
 * The offer as the visitor sees it. A grant or reservation that this request has just created comes
 * before the cookies that the browser sent.
 */
export function previewFor(
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
    resolve: async (_, { token }, context) => {
      try {
        const offer = await previewFor(context, token);
        countClick(token, context);
        return offer;
      } catch (error) {
        // A refused visitor has opened the link, too. An unknown token belongs to no link.
        if (error instanceof RedemptionRefused) countClick(token, context);
        throw error;
      }
    },
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
