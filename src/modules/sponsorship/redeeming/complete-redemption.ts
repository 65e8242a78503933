import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { uniqueViolation } from '../../../platform/database/faults.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { notFound } from '../../../platform/errors.ts';
import { newId } from '../../../platform/ids.ts';
import { recordChange } from '../../audit/record-change.ts';
import { createOrganization } from '../../organizations/create-organization.ts';
import { freeSlug } from '../../organizations/slug.ts';
import { redeemInvitation } from '../invitations/redeem-invitation.ts';
import { hasPasswordGrant } from '../links/link-password.ts';
import { addMonths } from '../redemptions/add-months.ts';
import { consumeCapacity, releaseCapacity } from './capacity.ts';
import {
  isAdmitted,
  type LinkOffer,
  type RedemptionRules,
  readOffer,
  refusalReasonFor,
  requiresVerifiedEmail,
} from './read-offer.ts';
import { RedemptionRefused, type RefusalReason } from './refusal.ts';
import { reservationIdOf } from './reservation-token.ts';

type CompleteRedemptionInput = {
  token: string;
  reservation: string;
  userId: string;
  organizationName: string;
  passwordGrant: string | null;
  requestId: string | null;
};

export type CompletedRedemption = {
  redemptionId: string;
  organizationId: string;
  sponsoredUntil: Date;
};

type CompleteRedemptionDependencies = { database: Database; clock: Clock } & RedemptionRules;

// A sponsored workspace has files for its assistants and the User Management API. The other
// features are for partners.
const sponsoredFeatures = ['assistantFiles', 'userManagement'];

const attemptsMax = 3;

/**
 * Creates the sponsored workspace of a signed-in person: one for each campaign, even with repeated
 * or parallel requests. An expired reservation counts as no reservation: the redemption succeeds
 * only if a new one would be possible.
 */
export async function completeRedemption(
  input: CompleteRedemptionInput,
  dependencies: CompleteRedemptionDependencies,
): Promise<CompletedRedemption> {
  const { token, userId } = input;
  const reservationId = reservationIdOf(input.reservation);
  for (let attempt = 1; ; attempt += 1) {
    const at = dependencies.clock();
    const offer = await readOffer({ token, userId, at }, dependencies);
    const existing = await findExistingRedemption(
      { campaignId: offer.campaignId, userId, reservationId },
      dependencies.database,
    );
    if (existing) return existing;
    // A deleted account with the same address has redeemed. The person may have reserved before they
    // had an account.
    if (offer.isRedeemed) {
      await releaseCapacity({ reservationId }, dependencies.database);
      throw new RedemptionRefused('ALREADY_REDEEMED');
    }
    try {
      return await inTransaction(dependencies.database, (tx) =>
        redeem({ ...input, offer, reservationId, at }, dependencies, tx),
      );
    } catch (error) {
      // A parallel request of the same person, or for the same slug, has committed first: the next
      // attempt sees its result.
      const isConflict =
        uniqueViolation(error) ||
        ((error instanceof NoCapacityError || error instanceof InvitationEndedError) &&
          attempt === 1);
      if (isConflict && attempt < attemptsMax) continue;
      if (error instanceof InvitationEndedError)
        throw new RedemptionRefused(offer.invitationEnd ?? 'INVITATION_USED');
      if (error instanceof NoCapacityError)
        throw new RedemptionRefused(noCapacityReason(offer, input.passwordGrant));
      throw error;
    }
  }
}

class NoCapacityError extends Error {}
class InvitationEndedError extends Error {}

function noCapacityReason(offer: LinkOffer, passwordGrant: string | null): RefusalReason {
  return (
    refusalReasonFor(offer, null) ??
    (hasPasswordGrant(offer, passwordGrant) ? 'CAMPAIGN_EXHAUSTED' : 'PASSWORD_REQUIRED')
  );
}

type ExistingRedemption = {
  id: string;
  campaignId: string;
  userId: string | null;
  reservationId: string;
  organizationId: string;
  sponsoredUntil: string;
};
type RedemptionAttempt = { campaignId: string; userId: string; reservationId: string };

/**
 * Finds the redemption that this reservation has already completed. If the person has redeemed with
 * another reservation, this one is released and the request is refused.
 */
async function findExistingRedemption(
  { campaignId, userId, reservationId }: RedemptionAttempt,
  database: Database,
): Promise<CompletedRedemption | null> {
  const redemptions = await database.sql<ExistingRedemption>`
    select id, campaign_id as "campaignId", user_id as "userId", reservation_id as "reservationId",
      sponsored_organization_id as "organizationId", sponsored_until as "sponsoredUntil"
    from redemptions where (campaign_id = ${campaignId} and user_id = ${userId}) or reservation_id = ${reservationId}`;
  const ownRedemption = redemptions.find(
    (redemption) => redemption.campaignId === campaignId && redemption.userId === userId,
  );
  if (ownRedemption?.reservationId === reservationId) {
    return {
      redemptionId: ownRedemption.id,
      organizationId: ownRedemption.organizationId,
      sponsoredUntil: new Date(ownRedemption.sponsoredUntil),
    };
  }
  if (ownRedemption) {
    await releaseCapacity({ reservationId }, database);
    throw new RedemptionRefused('ALREADY_REDEEMED');
  }
  // Another person used this reservation, or it was used in another campaign.
  if (redemptions.length > 0) throw notFound('Reservation');
  return null;
}

type Administrator = { id: string; email: string; emailVerified: boolean; createdAt: string };
type RedeemInput = CompleteRedemptionInput & { offer: LinkOffer; reservationId: string; at: Date };

async function redeem(
  { offer, reservationId, userId, at, requestId, ...input }: RedeemInput,
  rules: RedemptionRules,
  tx: Transaction,
): Promise<CompletedRedemption> {
  const [administrator] = await tx.sql<Administrator>`
    select id, email, email_verified as "emailVerified", created_at as "createdAt" from users where id = ${userId}`;
  if (!administrator) throw notFound('User');
  const { email, emailVerified } = administrator;
  if (!isAdmitted(offer, email)) throw new RedemptionRefused('EMAIL_NOT_ALLOWED');
  if (requiresVerifiedEmail({ ...offer, email, emailVerified }, rules))
    throw new RedemptionRefused('EMAIL_NOT_VERIFIED');
  const slug = await freeSlug(input.organizationName, tx);
  const workspace = {
    slug,
    name: input.organizationName,
    features: sponsoredFeatures,
    administrator,
    at,
  };
  const { id: sponsoredOrganizationId } = await createOrganization(workspace, tx);
  const { campaignId, linkId, organizationId } = offer;
  const isInvitationOpen = await redeemInvitation({ offer, email, reservationId, userId, at }, tx);
  if (!isInvitationOpen) throw new InvitationEndedError();
  // This statement comes last: it locks the campaign's row, and other redemptions of the campaign
  // wait until this transaction ends.
  const allowsNew = offer.linkIsActive && hasPasswordGrant(offer, input.passwordGrant);
  const terms = await consumeCapacity(
    { campaignId, linkId, currentReservationId: reservationId, userId, at, allowsNew },
    tx,
  );
  if (!terms) throw new NoCapacityError();
  const sponsoredUntil = addMonths(at, terms.durationMonths);
  const id = newId(at.getTime());
  const { durationMonths, includedSeats, pricingModel, pricingAmountEur, pricingUnit } = terms;
  tx.enqueue`
    insert into redemptions (id, campaign_id, organization_id, link_id, user_id, sponsored_organization_id, reservation_id,
      redeemed_at, sponsored_until, duration_months, included_seats, pricing_model, pricing_amount_eur, pricing_unit, billing_amount)
    values (${id}, ${campaignId}, ${organizationId}, ${linkId}, ${userId}, ${sponsoredOrganizationId}, ${reservationId},
      ${at}, ${sponsoredUntil}, ${durationMonths}, ${includedSeats}, ${pricingModel}, ${pricingAmountEur}, ${pricingUnit}, ${pricingAmountEur})`;
  tx.enqueue`
    update organizations set sponsored_until = ${sponsoredUntil}, seat_limit = ${includedSeats}, updated_at = now()
    where id = ${sponsoredOrganizationId}`;
  // Without network and device: the person does not belong to the organization of the partner.
  recordChange(tx, { organizationId, kind: 'SESSION', keyId: null, userId, requestId }, at, {
    action: 'complete-redemption',
    targetType: 'Redemption',
    targetId: id,
    changes: {
      campaignId,
      linkId,
      sponsoredOrganizationId,
      sponsoredUntil: sponsoredUntil.toISOString(),
    },
  });
  return { redemptionId: id, organizationId: sponsoredOrganizationId, sponsoredUntil };
}
