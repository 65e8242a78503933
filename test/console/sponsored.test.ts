import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { systemActor } from '../../src/modules/audit/system-actor.ts';
import { updateLink } from '../../src/modules/sponsorship/links/update-link.ts';
import {
  describeInBrowser,
  expectAccessible,
  expectAccessibleInBoth,
  openConsole,
  ownDocuments,
  type TestConsole,
} from '../support/browser.ts';
import { cookieClient, sponsoredLinkCalls } from '../support/cookie-client.ts';
import { linkIn, receiveMail } from '../support/mail.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';
import { givePassword, password } from '../support/sign-in.ts';

const linkPassword = 'open sesame';

describeInBrowser('the page of a sponsored link', () => {
  let site: TestConsole;
  let partner: TestPartner;
  let memberCount = 0;

  beforeAll(async () => {
    site = await openConsole(ownDocuments);
    partner = await partnerIn(site.app);
  }, 120_000);
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  /** Creates a campaign with a link through the partner API. */
  async function offer(campaign: Record<string, unknown> = {}, link: Record<string, unknown> = {}) {
    const { id: campaignId } = await partner.campaign({
      name: 'Summer of bakeries',
      durationMonths: 3,
      includedSeats: 25,
      ...campaign,
    });
    const { id: linkId, token } = await partner.link(campaignId, link);
    return { campaignId, linkId, token: String(token), path: `/auth?sponsored=${token}` };
  }
  const actor = () => systemActor(partner.id);
  const pauseLink = (linkId: string) =>
    updateLink({ linkId, isActive: false }, { ...site.app.contextParts, actor: actor() });

  /** Creates a person who is a member of the partner's organization only. */
  async function member() {
    memberCount += 1;
    const email = `member${memberCount}@people.example`;
    const { id } = await partner.member(email, { firstName: 'Mia' });
    return { id, email };
  }
  const giftTitle = () => `${partner.slug} gives you Atrium for 3 months`;
  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name });
  const open = async (page: Page, path: string, title: string | RegExp = giftTitle()) => {
    await page.goto(site.origin + path);
    await heading(page, title).waitFor();
  };
  async function signUp(page: Page, email: string) {
    await page.getByLabel('First name').fill('Pia');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create an account' }).click();
  }

  it('A visitor enters the link password, signs up, and reaches the new workspace', async () => {
    const { path, campaignId } = await offer({}, { password: linkPassword });
    const page = await site.page();
    await open(page, path);
    await page.getByText('up to 25').waitFor();
    await expectAccessibleInBoth(page);

    const passwordField = page.getByLabel('Password of the link', { exact: true });
    await passwordField.fill('Open sesame');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This is not the password of the link').waitFor();
    await expect.poll(() => passwordField.getAttribute('aria-invalid')).toBe('true');
    await expectAccessibleInBoth(page);
    await passwordField.fill(linkPassword);
    await page.keyboard.press('Enter');

    await page.getByRole('link', { name: 'New account' }).waitFor();
    await expectAccessibleInBoth(page);
    await signUp(page, 'pia@bakery.example');
    const name = page.getByLabel('Name of the workspace');
    await expect.poll(() => name.inputValue()).toBe('Pia’s workspace');
    await page.getByText('Your reservation is valid for 30 more minutes').waitFor();
    await page.getByText('pia@bakery.example').waitFor();
    await expectAccessibleInBoth(page);
    await name.fill('Bäckerei Öz');
    await page.getByRole('button', { name: 'Create workspace' }).click();

    await heading(page, 'Welcome to Bäckerei Öz').waitFor();
    await page.getByText(`${partner.slug} pays for it until`).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Open Bäckerei Öz' }).click();
    await page.waitForURL(`${site.origin}/`);
    await page.getByRole('banner').getByText('Bäckerei Öz').waitFor();
    const created = await site.app.database.prisma.redemption.findMany({
      where: { campaignId },
      select: { user: true, sponsoredOrganization: true },
    });
    expect(created).toMatchObject([
      {
        user: { email: 'pia@bakery.example' },
        sponsoredOrganization: { name: 'Bäckerei Öz', seatLimit: 25 },
      },
    ]);
  });

  it.each([
    [
      'This link is paused',
      async () => {
        const created = await offer();
        await pauseLink(created.linkId);
        return created.path;
      },
    ],
    [
      'This offer is paused',
      async () => {
        const created = await offer();
        await partner.sponsor('PATCH', `/campaigns/${created.campaignId}`, { isActive: false });
        return created.path;
      },
    ],
    [
      'This offer has ended',
      async () => (await offer({ expiresAt: '2020-01-01T00:00:00.000Z' })).path,
    ],
    [
      'All places of this offer are taken',
      async () => {
        const created = await offer({ maxRedemptions: 1 });
        await partner.redeem({ token: created.token });
        return created.path;
      },
    ],
    ['This link does not exist', async () => '/auth?sponsored=unknown'],
  ])('An offer that cannot be used shows “%s” and what to do', async (title, make) => {
    const page = await site.page();
    await open(page, await make(), title);
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Sign in without the offer' }).click();
    await page.waitForURL(`${site.origin}/auth`);
  });

  it('Trying again succeeds as soon as another reservation is released', async () => {
    const { token, path } = await offer({ maxRedemptions: 1 });
    const otherVisitor = sponsoredLinkCalls(cookieClient(site.app), token);
    await otherVisitor.reserve();
    const page = await site.page();
    await open(page, path, 'All places of this offer are taken');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('All places are still taken').waitFor();
    await otherVisitor.release();
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, giftTitle()).waitFor();
  });

  it('The places are called still taken only after the answer to the new try', async () => {
    const { token, path } = await offer({ maxRedemptions: 1 });
    await sponsoredLinkCalls(cookieClient(site.app), token).reserve();
    const page = await site.page();
    await open(page, path, 'All places of this offer are taken');
    const answer = Promise.withResolvers<void>();
    await page.route('**/graphql*', async (route) => {
      await answer.promise;
      await route.continue();
    });
    const shown = await page.evaluateHandle(() => {
      const texts: string[] = [];
      new MutationObserver((changes) => {
        for (const { addedNodes } of changes)
          for (const node of addedNodes) texts.push(node.textContent ?? '');
      }).observe(document.body, { childList: true, subtree: true });
      return texts;
    });
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect
      .poll(() => page.getByRole('button', { name: 'Try again' }).getAttribute('aria-busy'))
      .toBe('true');
    expect(await shown.jsonValue()).not.toContain('All places are still taken.');
    answer.resolve();
    await page.getByText('All places are still taken').waitFor();
  });

  it('An address that the offer does not allow is rejected at its field before an account is created', async () => {
    const { path } = await offer({ allowedEmailDomains: ['bakery.example'] });
    const page = await site.page();
    await open(page, path);
    const before = await site.app.database.prisma.user.count();
    await signUp(page, 'pia@else.example');
    await page.getByText('This offer is not open to your e-mail address').waitFor();
    await expect
      .poll(() => page.getByLabel('E-mail address').getAttribute('aria-invalid'))
      .toBe('true');
    await expect
      .poll(() => page.getByLabel('E-mail address').inputValue())
      .toBe('pia@else.example');
    await page.getByLabel('E-mail address').and(page.locator(':focus')).waitFor();
    await expectAccessibleInBoth(page);
    expect(await site.app.database.prisma.user.count()).toBe(before);
    await page.getByLabel('E-mail address').fill('pia2@bakery.example');
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByLabel('Name of the workspace').waitFor();
  });

  it('A visitor learns when the offer is paused during sign-up or before redemption', async () => {
    const [early, late] = [await offer(), await offer()];
    const page = await site.page();
    await open(page, early.path);
    await pauseLink(early.linkId);
    const before = await site.app.database.prisma.user.count();
    await signUp(page, 'late@bakery.example');
    await heading(page, 'This link is paused').waitFor();
    expect(await site.app.database.prisma.user.count()).toBe(before);

    const { id } = await member();
    const otherVisitor = await site.page({ as: id });
    await open(otherVisitor, late.path);
    await pauseLink(late.linkId);
    await otherVisitor.getByRole('button', { name: 'Create workspace' }).click();
    await heading(otherVisitor, 'This link is paused').waitFor();
  });

  it('A visitor can sign in instead, with the address that they typed', async () => {
    const { path } = await offer();
    const { id } = await member();
    const email = await givePassword(site.app, id);
    const page = await site.page();
    await open(page, path);
    await signUp(page, email);
    await page.getByRole('link', { name: 'Existing account' }).click();
    await expectAccessibleInBoth(page);
    await expect.poll(() => page.getByLabel('E-mail address').inputValue()).toBe(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await heading(page, 'Welcome to Mia’s workspace').waitFor();
  });

  it('A signed-in person redeems with one step, and later visits of the link show the workspace', async () => {
    const { path } = await offer();
    const { id, email } = await member();
    const page = await site.page({ as: id });
    await open(page, path);
    await page.getByText(email).waitFor();
    await expect.poll(() => page.getByLabel('Password').count()).toBe(0);
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await heading(page, 'Welcome to Mia’s workspace').waitFor();
    await page.reload();
    await heading(page, 'You have already used this offer').waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Open Mia’s workspace' }).click();
    await page.waitForURL(`${site.origin}/`);
    const selectedOrganization = page.getByLabel('Organization').locator('option:checked');
    await expect.poll(() => selectedOrganization.textContent()).toBe('Mia’s workspace');
  });

  it('A person whose address is not allowed can return with another account', async () => {
    const { path } = await offer({ allowedEmailDomains: ['bakery.example'] });
    const { id, email } = await member();
    const page = await site.page({ as: id });
    await open(page, path, 'This offer is not open to your e-mail address');
    await page.getByText(email).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.waitForURL(site.origin + path);
    await heading(page, giftTitle()).waitFor();
    await page.getByRole('button', { name: 'Create an account' }).waitFor();
  });

  it('A reload and the browser’s back button keep the step of the visitor', async () => {
    const { path } = await offer({ maxRedemptions: 1 }, { password: linkPassword });
    const page = await site.page();
    await open(page, path);
    await page.getByLabel('Password of the link', { exact: true }).fill(linkPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'Existing account' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.goBack();
    await signUp(page, 'pia3@bakery.example');
    await page.getByLabel('Name of the workspace').waitFor();
    // This visitor holds the only reservation.
    await page.reload();
    await page.getByText('Your reservation is valid').waitFor();
    await page.goto(`${site.origin}/`);
    await page.goBack();
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await heading(page, 'Welcome to Pia’s workspace').waitFor();
  });

  it('A visitor can cancel the reservation', async () => {
    const { path, campaignId } = await offer({ maxRedemptions: 1 });
    const { id } = await member();
    const page = await site.page();
    await open(page, `${path}&account=mine`);
    await page.getByLabel('E-mail address').fill(await givePassword(site.app, id));
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Cancel reservation' }).click();
    await page.getByText('Your reservation is valid').waitFor({ state: 'detached' });
    expect(await site.app.database.prisma.reservation.count({ where: { campaignId } })).toBe(0);
  });

  it('An expired reservation is shown, and the redemption still succeeds when capacity is left', async () => {
    const { path, token } = await offer({ maxRedemptions: 1 });
    const { id } = await member();
    const page = await site.page({ as: id });
    await page.clock.install();
    await page.goto(site.origin);
    await page.evaluate(
      (link) =>
        fetch('/graphql', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            query:
              'mutation ($link: String!) { reserveSponsorship(input: { token: $link }) { offer { heldUntil } } }',
            variables: { link },
          }),
        }),
      token,
    );
    await open(page, path);
    await page.getByText('Your reservation is valid').waitFor();
    await page.clock.fastForward('31:00');
    await page.getByText('Atrium reserves again when you continue').waitFor();
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await heading(page, 'Welcome to Mia’s workspace').waitFor();
  });

  it('The cookies of the grant and the reservation never reach the page, its scripts, its storage or the log', async () => {
    const { path } = await offer({}, { password: linkPassword });
    const page = await site.page();
    await open(page, path);
    await page.getByLabel('Password of the link', { exact: true }).fill(linkPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    await signUp(page, 'pia4@bakery.example');
    await page.getByLabel('Name of the workspace').waitFor();
    const cookies = (await page.context().cookies(`${site.origin}/graphql`)).filter(({ name }) =>
      /grant|place/.test(name),
    );
    expect(cookies.map(({ httpOnly, sameSite, path: at }) => ({ httpOnly, sameSite, at }))).toEqual(
      Array(2).fill({ httpOnly: true, sameSite: 'Lax', at: '/graphql' }),
    );
    const storage = await page.evaluate(() =>
      [
        document.cookie,
        JSON.stringify({ ...localStorage }),
        JSON.stringify({ ...sessionStorage }),
      ].join('\n'),
    );
    const everything = [storage, await page.content(), ...site.app.logLines].join('\n');
    for (const secret of [
      ...cookies.flatMap(({ value }) => value.split('.').filter((part) => part.length > 20)),
      linkPassword,
      password,
    ]) {
      expect(everything).not.toContain(secret);
    }
  });

  it('The pages fit on a small phone in the dark theme, even with long names', async () => {
    const { path } = await offer(
      {
        name: 'Donaudampfschifffahrtsgesellschaftskapitänsmützen '.repeat(3),
        allowedEmailDomains: [],
      },
      { password: linkPassword },
    );
    const page = await site.page({ width: 360, height: 640, dark: true });
    await open(page, path);
    await expectAccessible(page);
    await page.getByLabel('Password of the link', { exact: true }).fill(linkPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'New account' }).waitFor();
    await expectAccessible(page);
    await signUp(page, `${'very'.repeat(12)}.long.name@${'long'.repeat(10)}.example`);
    await page.getByLabel('Name of the workspace').fill('W'.repeat(120));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await heading(page, /^Welcome to WWW/).waitFor();
    await expectAccessible(page);
  });
});

describeInBrowser('a sponsored link on a server that confirms addresses', () => {
  it('The confirmation link returns to the offer and its reservation, and the visitor redeems it', {
    timeout: 120_000,
  }, async () => {
    const mailbox = await receiveMail();
    const site = await openConsole({ ...mailbox.settings, EMAIL_VERIFICATION: 'required' });
    const partner = await partnerIn(site.app);
    const { id } = await partner.campaign({ maxRedemptions: 1 });
    const { token } = await partner.link(id, { password: linkPassword });
    const page = await site.page();
    await page.goto(`${site.origin}/auth?sponsored=${token}`);
    await page.getByLabel('Password of the link', { exact: true }).fill(linkPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByLabel('First name').fill('Pia');
    await page.getByLabel('E-mail address').fill('pia@bakery.example');
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create an account' }).click();
    await page.getByText('Check your inbox').waitFor();
    await expectAccessibleInBoth(page);
    await page.goto(linkIn(await mailbox.next('pia@bakery.example')).href);
    await page.getByText('Your reservation is valid').waitFor();
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome to Pia’s workspace' }).waitFor();
    expect(site.faults).toEqual([]);
    await site.close();
    await mailbox.close();
  });
});
