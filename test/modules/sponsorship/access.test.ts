import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { everyCall } from '../../support/calls.ts';
import { partnerIn, type TestPartner } from '../../support/partner.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000' });
});
afterAll(() => app.close());

const calls = everyCall.filter(({ template }) => template.startsWith('/api/sponsorship/v1/'));

const bodies: Record<string, unknown> = {
  'POST /campaigns': { name: 'Flags', durationMonths: 1 },
  'PATCH /links/:linkId/password': { password: null },
  'PATCH /redemptions/:redemptionId/extend': { newSponsoredUntil: '2099-01-01T00:00:00Z' },
  'PATCH /redemptions/:redemptionId/billing': { billingStatus: 'WAIVED' },
  'PATCH /redemptions/extend': {
    redemptions: [{ redemptionId: 'unknown', newSponsoredUntil: '2099-01-01T00:00:00Z' }],
  },
  'PATCH /redemptions/billing': {
    redemptions: [{ redemptionId: 'unknown', billingStatus: 'WAIVED' }],
  },
};

type SponsorshipCall = (typeof calls)[number];

/** Makes the call with the ids of an existing campaign, link and redemption. */
async function makeCall(partner: TestPartner, { method, template, takesBody }: SponsorshipCall) {
  const partnerCampaign = await app.database.prisma.campaign.findFirstOrThrow({
    where: { organizationId: partner.id },
  });
  const link = await app.database.prisma.link.findFirstOrThrow({
    where: { organizationId: partner.id },
  });
  const redemption = await app.database.prisma.redemption.findFirstOrThrow({
    where: { organizationId: partner.id },
  });
  const ids: Record<string, string> = {
    campaignId: partnerCampaign.id,
    linkId: link.id,
    redemptionId: redemption.id,
    month: redemption.redeemedAt.toISOString().slice(0, 7),
  };
  const path = template.replaceAll(/:(\w+)/g, (_, name: string) => ids[name] ?? '');
  return partner.call(
    method,
    path,
    takesBody
      ? (bodies[`${method} ${template.replace('/api/sponsorship/v1', '')}`] ?? {})
      : undefined,
  );
}

async function partnerWithFeatures(features: string[]): Promise<TestPartner> {
  const partner = await partnerIn(app);
  const campaign = await partner.campaign();
  await partner.redeem(await partner.link(campaign.id));
  await app.database.prisma.organization.update({ where: { id: partner.id }, data: { features } });
  const { key } = await partner.organizationKey();
  return { ...partner, call: app.callerWith(key) };
}

describe.each([
  { features: ['partnerSponsorship', 'partnerSponsorshipApi'], status: 200 },
  { features: ['partnerSponsorship'], status: 403 },
  { features: ['partnerSponsorshipApi'], status: 403 },
  { features: [], status: 403 },
])('an organization key with the features $features', ({ features, status }) => {
  let partner: TestPartner;
  beforeAll(async () => {
    partner = await partnerWithFeatures([...features, 'userManagement', 'assistantFiles']);
  });

  it.each(calls)(`$title answers ${status}`, async (call) => {
    const answer = await makeCall(partner, call);
    expect(answer.status).toBe(status);
    if (answer.headers.get('content-type') === 'application/pdf') expect(status).toBe(200);
    else expect(answer.body['status']).toBe(status === 200 ? 'success' : 'error');
  });

  it.each(
    calls.filter(
      ({ template, takesBody }) => status === 403 && (takesBody || template.includes(':')),
    ),
  )(
    'Without the features, $title answers 403 before it checks input and ids (D2)',
    async ({ method, path, takesBody }) => {
      expect(
        (await partner.call(method, path, takesBody ? { name: 3, durationMonths: 'x' } : undefined))
          .status,
      ).toBe(403);
    },
  );
});

describe('user keys', () => {
  it.each(calls)('$title rejects a user key with 401 (D4)', async ({ method, path }) => {
    const partner = await partnerIn(app);
    const { key } = await partner.userKey(partner.administratorId);
    expect((await app.callerWith(key)(method, path)).status).toBe(401);
    expect((await app.request(method, path)).status).toBe(401);
  });
});

describe('signed-in people', () => {
  const campaigns = '{ campaigns { totalCount } }';

  it('With the first feature alone, a signed-in administrator can see the campaigns, and other members cannot', async () => {
    const partner = await partnerIn(app, { features: ['partnerSponsorship'] });
    const member = await partner.member(`member@${partner.slug}.example`);
    expect((await (await signIn(app, partner.administratorId)).graph(campaigns)).data).toEqual({
      campaigns: { totalCount: 0 },
    });
    expect((await (await signIn(app, member.id)).graph(campaigns)).code).toBe('FORBIDDEN');
  });

  it('Without the first feature, a signed-in administrator cannot see campaigns', async () => {
    const partner = await partnerIn(app, { features: ['partnerSponsorshipApi'] });
    expect((await (await signIn(app, partner.administratorId)).graph(campaigns)).code).toBe(
      'FEATURE_DISABLED',
    );
  });
});
