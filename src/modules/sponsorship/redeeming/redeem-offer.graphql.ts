import { accountOf } from '../../../access/scopes.ts';
import { secretRule } from '../../../graph/schema/input-rules.ts';
import { mutation } from '../../../graph/schema/mutation.ts';
import { organizationNameRule } from '../../organizations/organization-name.graphql.ts';
import '../../users/email-address.graphql.ts';
import { checkLinkPassword } from './check-link-password.ts';
import { redeemSponsorship } from './redeem-sponsorship.ts';
import { releaseReservation } from './release-reservation.ts';
import { reserveRedemption } from './reserve-redemption.ts';
import {
  previewFor,
  SponsoredOffer,
  SponsoredWorkspace,
  signedInUserId,
  unscoped,
} from './sponsored-offer.graphql.ts';

const passwordGrantLifetimeMs = 30 * 60_000;

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
