import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { uniqueViolation } from '../../platform/database/faults.ts';
import type { Prisma } from '../../platform/database/generated/client.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { notFound } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { recordChange } from '../audit/record-change.ts';
import { createOrganization } from '../organizations/create-organization.ts';
import { freeSlug } from '../organizations/slug.ts';
import { addMonths } from './add-months.ts';
import { admits } from './allow-list.ts';
import { consumeCapacity, releaseCapacity } from './capacity.ts';
import { isGranted } from './link-password.ts';
import {
  mustVerify,
  type Offer,
  type RedemptionRules,
  readOffer,
  reasonAgainst,
} from './read-offer.ts';
import { RedemptionRefused, type RefusalReason } from './refusal.ts';
import { reservationIdOf } from './reservation-token.ts';

type CompleteRedemption = {
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

type Parts = { database: Database; clock: Clock } & RedemptionRules;

// What a customer has: knowledge bases in their assistants and programs that manage their seats.
// The rest is for partners.
const sponsoredFeatures = ['assistantFiles', 'userManagement'];

const triesMax = 3;

/**
 * Makes the sponsored workspace of a person who is signed in: one for each campaign, however often
 * and at once it is asked for. A reservation that has lapsed is as good as none: it counts where a
 * new one could be had.
 */
export async function completeRedemption(
  input: CompleteRedemption,
  parts: Parts,
): Promise<CompletedRedemption> {
  const { token, userId } = input;
  const reservationId = reservationIdOf(input.reservation);
  for (let tried = 1; ; tried += 1) {
    const at = parts.clock();
    const offer = await readOffer({ token, userId, at }, parts);
    const earlier = await findEarlier(
      { campaignId: offer.campaignId, userId, reservationId },
      parts.database,
    );
    if (earlier) return earlier;
    try {
      return await inTransaction(parts.database, (tx) =>
        redeem({ ...input, offer, reservationId, at }, parts, tx),
      );
    } catch (error) {
      // The same person, or the same slug, in the same moment: what was made is there to be seen
      // now.
      const isMade = uniqueViolation(error) || (error instanceof NoPlace && tried === 1);
      if (isMade && tried < triesMax) continue;
      if (error instanceof NoPlace)
        throw new RedemptionRefused(reasonNow(offer, input.passwordGrant));
      throw error;
    }
  }
}

class NoPlace extends Error {}

function reasonNow(offer: Offer, passwordGrant: string | null): RefusalReason {
  return (
    reasonAgainst(offer, null) ??
    (isGranted(offer, passwordGrant) ? 'CAMPAIGN_EXHAUSTED' : 'PASSWORD_REQUIRED')
  );
}

type Attempt = { campaignId: string; userId: string; reservationId: string };

/**
 * What this reservation has led to already. Another one of a person who has redeemed is of no use,
 * and given back.
 */
async function findEarlier(
  { campaignId, userId, reservationId }: Attempt,
  { prisma }: Database,
): Promise<CompletedRedemption | null> {
  const found = await prisma.redemption.findMany({
    where: { OR: [{ campaignId, userId }, { reservationId }] },
    select: {
      id: true,
      campaignId: true,
      userId: true,
      reservationId: true,
      sponsoredOrganizationId: true,
      sponsoredUntil: true,
    },
  });
  const own = found.find((one) => one.campaignId === campaignId && one.userId === userId);
  if (own?.reservationId === reservationId) {
    return {
      redemptionId: own.id,
      organizationId: own.sponsoredOrganizationId,
      sponsoredUntil: own.sponsoredUntil,
    };
  }
  if (own) {
    await releaseCapacity({ reservationId }, prisma);
    throw new RedemptionRefused('ALREADY_REDEEMED');
  }
  // It was used by somebody else, or in another campaign.
  if (found.length > 0) throw notFound('Reservation');
  return null;
}

type Redeem = CompleteRedemption & { offer: Offer; reservationId: string; at: Date };

async function redeem(
  { offer, reservationId, userId, at, requestId, ...input }: Redeem,
  rules: RedemptionRules,
  tx: Prisma.TransactionClient,
): Promise<CompletedRedemption> {
  const administrator = await tx.user.findUnique({
    where: { id: userId },
    select: { id: true, email: true, emailVerified: true, createdAt: true },
  });
  if (!administrator) throw notFound('User');
  const { email, emailVerified } = administrator;
  if (!admits(offer, email)) throw new RedemptionRefused('EMAIL_NOT_ALLOWED');
  if (mustVerify({ ...offer, email, emailVerified }, rules))
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
  // Last, because from here on the campaign's other redemptions wait for us.
  const { campaignId, linkId, organizationId } = offer;
  const orTakeNew = offer.linkIsActive && isGranted(offer, input.passwordGrant);
  const terms = await consumeCapacity(
    { campaignId, linkId, heldId: reservationId, at, orTakeNew },
    tx,
  );
  if (!terms) throw new NoPlace();
  const sponsoredUntil = addMonths(at, terms.durationMonths);
  const id = newId(at.getTime());
  await tx.redemption.create({
    data: {
      ...{
        id,
        campaignId,
        organizationId,
        linkId,
        userId,
        sponsoredOrganizationId,
        reservationId,
        redeemedAt: at,
        sponsoredUntil,
      },
      ...terms,
      billingAmount: terms.pricingAmountEur,
    },
    select: { id: true },
  });
  await tx.organization.update({
    where: { id: sponsoredOrganizationId },
    data: { sponsoredUntil, seatLimit: terms.includedSeats },
    select: { id: true },
  });
  await recordChange(tx, { organizationId, kind: 'SYSTEM', keyId: null, userId, requestId }, at, {
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
