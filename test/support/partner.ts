import { createAccount } from '../../src/modules/accounts/create-account.ts';
import { completeRedemption } from '../../src/modules/sponsorship/complete-redemption.ts';
import { reserveRedemption } from '../../src/modules/sponsorship/reserve-redemption.ts';
import type { Clock } from '../../src/platform/clock.ts';
import { inTransaction } from '../../src/platform/database/transaction.ts';
import type { Answer, TestApp, TestOrganization } from './app.ts';

type Fields = Record<string, unknown> & { id: string };

let people = 0;

/** A partner organization, its calls, and what happens to its links. */
export async function partnerIn(
  app: TestApp,
  options: Parameters<TestApp['organization']>[0] = {},
) {
  const organization: TestOrganization = await app.organization(options);
  const { database, clock } = app.contextParts;
  /** Calls a Partner Sponsorship path with the organization's key. */
  const sponsor = (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer> => organization.call(method, `/api/sponsorship/v1${path}`, body, headers);

  async function made(path: string, name: string, body: unknown): Promise<Fields> {
    const answer = await sponsor('POST', path, body);
    if (answer.status !== 200)
      throw new Error(`POST ${path} answered ${answer.status}: ${answer.text}`);
    return answer.body[name] as Fields;
  }

  return {
    ...organization,
    sponsor,
    campaign: (fields: Record<string, unknown> = {}) =>
      made('/campaigns', 'campaign', { name: 'Spring', durationMonths: 3, ...fields }),
    link: (campaignId: string, fields: Record<string, unknown> = {}) =>
      made(`/campaigns/${campaignId}/links`, 'link', fields),
    async price(campaignId: string, amountEur: number) {
      const data = {
        pricingModel: 'FIXED',
        pricingAmountEur: amountEur,
        pricingUnit: 'PER_REDEMPTION',
      };
      await database.prisma.campaign.update({ where: { id: campaignId }, data });
    },
    /** Somebody new opens the link, signs up, and has a workspace. */
    async redeem(
      { token }: { token: unknown } | Fields,
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
      const visit = { token: String(token), userId: user.id, passwordGrant: null };
      const { reservation } = await reserveRedemption(visit, { database, clock: at });
      const { redemptionId, organizationId } = await completeRedemption(
        { ...visit, reservation, organizationName, requestId: null },
        { database, clock: at },
      );
      return { id: redemptionId, organizationId, email, userId: user.id };
    },
  };
}

export type TestPartner = Awaited<ReturnType<typeof partnerIn>>;
