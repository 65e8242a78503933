import { createAccount } from '../../src/modules/accounts/sign-up/create-account.ts';
import { completeRedemption } from '../../src/modules/sponsorship/redeeming/complete-redemption.ts';
import { reserveRedemption } from '../../src/modules/sponsorship/redeeming/reserve-redemption.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import { answerOf } from './answers.ts';
import type { TestApp, TestOrganization, TestResponse } from './app.ts';

let people = 0;

/** A partner organization with helpers for its campaigns, links and redemptions. */
export async function partnerIn(
  app: TestApp,
  options: Parameters<TestApp['organization']>[0] = {},
) {
  const organization: TestOrganization = await app.organization(options);
  const { database, clock } = app.contextParts;
  /** Calls a Partner Sponsorship path with the organization key. */
  const sponsor = (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse> =>
    organization.call(method, `/api/sponsorship/v1${path}`, body, headers);

  return {
    ...organization,
    sponsor,
    async campaign(fields: Record<string, unknown> = {}) {
      const terms = { name: 'Spring', durationMonths: 3, ...fields };
      return answerOf('createCampaign', await sponsor('POST', '/campaigns', terms)).campaign;
    },
    async link(campaignId: string, fields: Record<string, unknown> = {}) {
      const answer = await sponsor('POST', `/campaigns/${campaignId}/links`, fields);
      return answerOf('createLink', answer).link;
    },
    async price(campaignId: string, amountEur: number) {
      const data = {
        pricingModel: 'FIXED',
        pricingAmountEur: amountEur,
        pricingUnit: 'PER_REDEMPTION',
      };
      await database.prisma.campaign.update({ where: { id: campaignId }, data });
    },
    /** A new person opens the link, signs up and redeems it. */
    async redeem(
      { token }: { token: unknown },
      {
        organizationName = 'Sponsored Ltd',
        at = clock,
      }: { organizationName?: string; at?: Clock } = {},
    ) {
      people += 1;
      const email = `redeemer${people}@redeem.example`;
      const user = await inTransaction(database, (tx) =>
        createAccount(
          { email, firstName: 'Re', lastName: 'Deemer', passwordHash: 'none', at: at() },
          tx,
        ),
      );
      const reservationRequest = { token: String(token), userId: user.id, passwordGrant: null };
      const { reservation } = await reserveRedemption(reservationRequest, { database, clock: at });
      const { redemptionId, organizationId } = await completeRedemption(
        { ...reservationRequest, reservation, organizationName, requestId: null },
        { database, clock: at },
      );
      return { id: redemptionId, organizationId, email, userId: user.id };
    },
  };
}

export type TestPartner = Awaited<ReturnType<typeof partnerIn>>;
