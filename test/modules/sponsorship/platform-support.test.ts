import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPlatformSupport } from '../../../src/modules/accounts/set-platform-support.ts';
import { openDatabase } from '../../../src/platform/database/open-database.ts';
import { answerOf } from '../../support/answers.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { migratedDirectory } from '../../support/embedded-template.ts';
import { partnerIn } from '../../support/partner.ts';
import { run } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';
import { giveSecondFactor } from '../../support/second-factor.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ ORGANIZATION_KEY_LIMIT: '100000', USER_KEY_LIMIT: '100000' });
});
afterAll(() => app.close());

const pricing = { model: 'FIXED', amountEur: 49.9, unit: 'PER_REDEMPTION' };
const pricingMutation =
  'mutation ($id: ID!, $pricing: PricingInput) { setCampaignPricing(input: { campaignId: $id, pricing: $pricing }) { campaignId pricing { model amountEur unit } } }';

/** Creates and signs in a person of platform support who is not a member of any partner. */
async function createSupporter() {
  const home = await app.organization({ features: [] });
  const person = await home.member(`support@${home.slug}.example`);
  await setPlatformSupport({ email: `Support@${home.slug}.example`, isPlatformSupport: true }, app);
  const session = await signIn(app, person.id);
  await giveSecondFactor(app, person.id);
  return { id: person.id, email: `support@${home.slug}.example`, session };
}

describe('setCampaignPricing', () => {
  it('setCampaignPricing sets or removes the price that the partner reads, and the partner’s audit log names the person', async () => {
    const partner = await partnerIn(app);
    const { id } = await partner.campaign();
    const { session, ...person } = await createSupporter();
    const read = async () =>
      answerOf('listCampaigns', await partner.sponsor('GET', '/campaigns')).campaigns[0]?.pricing;
    expect((await session.graph(pricingMutation, { id, pricing })).data).toEqual({
      setCampaignPricing: { campaignId: id, pricing },
    });
    expect(await read()).toEqual(pricing);
    expect((await session.graph(pricingMutation, { id, pricing: null })).data).toEqual({
      setCampaignPricing: { campaignId: id, pricing: null },
    });
    expect(await read()).toBeNull();
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: partner.id, action: 'set-campaign-pricing' },
      orderBy: { id: 'asc' },
    });
    expect(entries).toMatchObject([
      { actorKind: 'SESSION', actorUserId: person.id, targetId: id, changes: { pricing } },
      { actorUserId: person.id, changes: { pricing: null } },
    ]);
  });

  it('Earlier redemptions keep their price, and later ones get the new price (D26)', async () => {
    const partner = await partnerIn(app);
    const { id } = await partner.campaign();
    const link = await partner.link(id);
    const { session } = await createSupporter();
    await partner.redeem(link, { at: () => new Date(Date.now() - 60_000) });
    await session.graph(pricingMutation, { id, pricing });
    await partner.redeem(link);
    const { body } = await partner.sponsor('GET', `/campaigns/${id}/redemptions`);
    expect(body['redemptions']).toMatchObject([
      { pricing, billingAmount: 49.9 },
      { pricing: null, billingAmount: null },
    ]);
  });

  it('Keys and administrators of a partner cannot set the price, and the pricing argument is required (D23)', async () => {
    const partner = await partnerIn(app);
    const { id } = await partner.campaign();
    const administrator = await signIn(app, partner.administratorId);
    const { key } = await partner.userKey(partner.administratorId);
    expect((await administrator.graph(pricingMutation, { id, pricing })).code).toBe('FORBIDDEN');
    for (const apiKey of [partner.key, key])
      expect((await app.graph(apiKey, pricingMutation, { id, pricing })).errors).toMatchObject([
        { extensions: { code: 'FORBIDDEN' } },
      ]);
    const { session } = await createSupporter();
    expect((await session.graph(pricingMutation, { id })).code).toBe('BAD_INPUT');
    for (const invalidFields of [{ model: '' }, { amountEur: -1 }, { unit: 'x'.repeat(51) }])
      expect(
        (await session.graph(pricingMutation, { id, pricing: { ...pricing, ...invalidFields } }))
          .code,
      ).toBe('BAD_INPUT');
    expect((await session.graph(pricingMutation, { id: 'unknown', pricing })).code).toBe(
      'NOT_FOUND',
    );
    expect((await partner.sponsor('GET', '/campaigns')).body['campaigns']).toMatchObject([
      { pricing: null },
    ]);
  });

  it('A person who loses the platform support role cannot set prices from the next request on', async () => {
    const partner = await partnerIn(app);
    const { id } = await partner.campaign();
    const { session, email } = await createSupporter();
    await setPlatformSupport({ email, isPlatformSupport: false }, app);
    expect((await session.graph(pricingMutation, { id, pricing })).code).toBe('FORBIDDEN');
  });

  it('The platform support role gives no access to the partner’s data', async () => {
    const partner = await partnerIn(app);
    const { id } = await partner.campaign();
    const { session } = await createSupporter();
    expect(
      (
        await session.graph('query ($id: ID!) { campaign(campaignId: $id) { name } }', {
          id,
        })
      ).code,
    ).toBe('FORBIDDEN');
  });
});

describe('setOrganizationTerms', () => {
  const mutation =
    'mutation ($id: ID!, $features: [Feature!], $seatLimit: Int) { setOrganizationTerms(input: { organizationId: $id, features: $features, seatLimit: $seatLimit }) { organizationId } }';

  it('Features are switched on and off from the next request on, and omitted terms stay as they are', async () => {
    const partner = await partnerIn(app, { features: [], seatLimit: 5 });
    const { session } = await createSupporter();
    expect((await partner.sponsor('GET', '/campaigns')).status).toBe(403);
    expect(
      (
        await session.graph(mutation, {
          id: partner.id,
          features: ['PARTNER_SPONSORSHIP', 'PARTNER_SPONSORSHIP_API'],
        })
      ).errors,
    ).toEqual([]);
    expect((await partner.sponsor('GET', '/campaigns')).status).toBe(200);
    await session.graph(mutation, { id: partner.id, seatLimit: null });
    const terms = await app.database.prisma.organization.findUniqueOrThrow({
      where: { id: partner.id },
      select: { features: true, seatLimit: true },
    });
    expect(terms).toEqual({
      features: ['partnerSponsorship', 'partnerSponsorshipApi'],
      seatLimit: null,
    });
    await session.graph(mutation, { id: partner.id, features: [] });
    expect((await partner.sponsor('GET', '/campaigns')).status).toBe(403);
  });

  it('setOrganizationTerms sets quotas of one organization, and null restores the default of the platform', async () => {
    const partner = await partnerIn(app);
    const { session } = await createSupporter();
    const administrator = await signIn(app, partner.administratorId);
    const setQuotas = `mutation ($id: ID!, $filesMax: Int, $bytesMax: SafeInt, $concurrentRunsMax: Int) {
      setOrganizationTerms(input: { organizationId: $id, filesMax: $filesMax, bytesMax: $bytesMax, concurrentRunsMax: $concurrentRunsMax }) { organizationId } }`;
    const limits = async () => {
      const { data } = await administrator.graph<{
        organization: { quotas: { name: string; limit: number }[] };
      }>('{ organization { quotas { name limit } } }');
      return Object.fromEntries(
        (data?.organization.quotas ?? []).map(({ name, limit }) => [name, limit]),
      );
    };
    const before = await limits();
    expect(
      (
        await session.graph(setQuotas, {
          id: partner.id,
          filesMax: 7,
          bytesMax: 5_000_000_000,
          concurrentRunsMax: 0,
        })
      ).errors,
    ).toEqual([]);
    expect(await limits()).toEqual({ ...before, FILES: 7, BYTES: 5_000_000_000, RUNS: 0 });
    await session.graph(setQuotas, { id: partner.id, bytesMax: null });
    expect(await limits()).toEqual({ ...before, FILES: 7, RUNS: 0 });
    const entries = await app.database.prisma.auditEntry.findMany({
      where: { organizationId: partner.id, action: 'set-organization-terms' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ changes }) => changes)).toEqual([
      { filesMax: 7, bytesMax: 5_000_000_000, concurrentRunsMax: 0 },
      { bytesMax: null },
    ]);
    expect((await administrator.graph(setQuotas, { id: partner.id, filesMax: 9 })).code).toBe(
      'FORBIDDEN',
    );
  });

  it('Only platform support can call setOrganizationTerms', async () => {
    const partner = await partnerIn(app, { features: [] });
    const administrator = await signIn(app, partner.administratorId);
    expect(
      (await administrator.graph(mutation, { id: partner.id, features: ['USER_MANAGEMENT'] })).code,
    ).toBe('FORBIDDEN');
    const { session } = await createSupporter();
    expect((await session.graph(mutation, { id: 'unknown', seatLimit: 3 })).code).toBe('NOT_FOUND');
    expect((await session.graph(mutation, { id: partner.id, features: null })).code).toBe(
      'BAD_INPUT',
    );
  });
});

it('The command npm run support grants and revokes the role, and reports an unknown account', async () => {
  const { path, remove } = await migratedDirectory();
  const { url } = app.database;
  const runCommand = async (file: string, ...args: string[]) => {
    const { ended, stdout, stderr } = run(
      file,
      url === undefined ? { DATA_DIR: path } : { DATABASE_URL: url },
      args,
    );
    return { code: await ended, output: stdout() + stderr() };
  };
  // A second process cannot open the embedded database of this test, so the command gets its own.
  const email = 'admin@plain.example';
  if (url === undefined) {
    const database = await openDatabase({ dataDir: path, log: quietLog });
    await database.prisma.user.create({ data: { id: 'known', email, emailVerified: true } });
    await database.close();
  } else await (await app.organization()).member(email);
  expect(await runCommand('src/commands/support.ts', 'grant', email)).toEqual({
    code: 0,
    output: `${email} now works for the platform\n`,
  });
  expect(await runCommand('src/commands/support.ts', 'revoke', email)).toMatchObject({ code: 0 });
  expect(await runCommand('src/commands/support.ts', 'grant', 'nobody@plain.example')).toEqual({
    code: 1,
    output: 'User not found\n',
  });
  if (url !== undefined) {
    await app.database.prisma.user.create({
      data: { id: 'unproven', email: 'unproven@plain.example' },
    });
    expect(
      await runCommand('src/commands/support.ts', 'grant', 'unproven@plain.example'),
    ).toMatchObject({
      code: 1,
      output: expect.stringContaining('--trust-address'),
    });
    expect(
      await runCommand(
        'src/commands/support.ts',
        'grant',
        'unproven@plain.example',
        '--trust-address',
      ),
    ).toMatchObject({ code: 0 });
    const granted = await app.database.prisma.user.findUnique({
      where: { id: 'unproven' },
      select: { emailVerified: true, isPlatformSupport: true },
    });
    expect(granted).toEqual({ emailVerified: true, isPlatformSupport: true });
  }
  expect(await runCommand('src/commands/support.ts', 'grant')).toMatchObject({
    code: 1,
    output: expect.stringContaining('Usage'),
  });
  remove();
}, 120_000);
