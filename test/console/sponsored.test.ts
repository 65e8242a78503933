import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateLink } from '../../src/modules/sponsorship/update-link.ts';
import {
  describeInBrowser,
  expectAccessible,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { linkIn, receiveMail } from '../support/mail.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';
import { givePassword, password } from '../support/sign-in.ts';
import { atLink, visitorOf } from '../support/visitor.ts';

const linkPassword = 'open sesame';

describeInBrowser('the page of a sponsored link', { timeout: 60_000 }, () => {
  let site: TestConsole;
  let partner: TestPartner;
  let people = 0;

  beforeAll(async () => {
    site = await openConsole();
    partner = await partnerIn(site.app);
  }, 120_000);
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  /** A campaign with a link, as its partner makes them. */
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
  const actor = () => ({
    organizationId: partner.id,
    kind: 'SYSTEM' as const,
    keyId: null,
    userId: null,
    requestId: null,
  });
  const switchOff = (linkId: string) =>
    updateLink({ linkId, isActive: false }, { ...site.app.contextParts, actor: actor() });

  /** Somebody with an account and no workspace but the partner's. */
  async function member() {
    people += 1;
    const email = `member${people}@people.example`;
    const { id } = await partner.member(email, { firstName: 'Mia' });
    return { id, email };
  }
  const gift = () => `${partner.slug} gives you Atrium for 3 months`;
  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name });
  const open = async (page: Page, path: string, title: string | RegExp = gift()) => {
    await page.goto(site.origin + path);
    await heading(page, title).waitFor();
  };
  async function signUp(page: Page, email: string) {
    await page.getByLabel('First name').fill('Pia');
    await page.getByLabel('E-mail address').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Create an account' }).click();
  }

  it('leads from the link’s password over sign-up to the new workspace', async () => {
    const { path, campaignId } = await offer({}, { password: linkPassword });
    const page = await site.page();
    await open(page, path);
    await page.getByText('up to 25').waitFor();
    await expectAccessibleInBoth(page);

    const typed = page.getByLabel('Password of the link', { exact: true });
    await typed.fill('Open sesame');
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByText('This is not the password of the link').waitFor();
    await expect.poll(() => typed.getAttribute('aria-invalid')).toBe('true');
    await expectAccessibleInBoth(page);
    await typed.fill(linkPassword);
    await page.keyboard.press('Enter');

    await page.getByRole('link', { name: 'New here' }).waitFor();
    await expectAccessibleInBoth(page);
    await signUp(page, 'pia@bakery.example');
    const name = page.getByLabel('Name of the workspace');
    await expect.poll(() => name.inputValue()).toBe('Pia’s workspace');
    await page.getByText('Your place is held for 30 more minutes').waitFor();
    await page.getByText('pia@bakery.example').waitFor();
    await expectAccessibleInBoth(page);
    await name.fill('Bäckerei Öz');
    await page.getByRole('button', { name: 'Create the workspace' }).click();

    await heading(page, 'Welcome to Bäckerei Öz').waitFor();
    await page.getByText(`${partner.slug} pays for it until`).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Open Bäckerei Öz' }).click();
    await page.waitForURL(`${site.origin}/`);
    await page.getByRole('banner').getByText('Bäckerei Öz').waitFor();
    const made = await site.app.database.prisma.redemption.findMany({
      where: { campaignId },
      select: { user: true, sponsoredOrganization: true },
    });
    expect(made).toMatchObject([
      {
        user: { email: 'pia@bakery.example' },
        sponsoredOrganization: { name: 'Bäckerei Öz', seatLimit: 25 },
      },
    ]);
  });

  it.each([
    [
      'This link is switched off',
      async () => {
        const made = await offer();
        await switchOff(made.linkId);
        return made.path;
      },
    ],
    [
      'This offer is switched off',
      async () => {
        const made = await offer();
        await partner.sponsor('PATCH', `/campaigns/${made.campaignId}`, { isActive: false });
        return made.path;
      },
    ],
    [
      'This offer has ended',
      async () => (await offer({ expiresAt: '2020-01-01T00:00:00.000Z' })).path,
    ],
    [
      'All places of this offer are taken',
      async () => {
        const made = await offer({ maxRedemptions: 1 });
        await partner.redeem({ token: made.token });
        return made.path;
      },
    ],
    ['There is no such link', async () => '/auth?sponsored=unknown'],
  ])('says “%s”, and what one can do', async (title, make) => {
    const page = await site.page();
    await open(page, await make(), title);
    await expectAccessibleInBoth(page);
    await page.getByRole('link', { name: 'Sign in without the offer' }).click();
    await page.waitForURL(`${site.origin}/auth`);
  });

  it('finds a place that has become free when it is tried again', async () => {
    const { token, path } = await offer({ maxRedemptions: 1 });
    const other = atLink(visitorOf(site.app), token);
    await other.reserve();
    const page = await site.page();
    await open(page, path, 'All places of this offer are taken');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('There is still no free place').waitFor();
    await other.release();
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(page, gift()).waitFor();
  });

  it('refuses an address that the offer is not meant for at its field, before there is an account', async () => {
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

  it('says so where the offer is closed while somebody signs up, or while they name their workspace', async () => {
    const [early, late] = [await offer(), await offer()];
    const page = await site.page();
    await open(page, early.path);
    await switchOff(early.linkId);
    const before = await site.app.database.prisma.user.count();
    await signUp(page, 'late@bakery.example');
    await heading(page, 'This link is switched off').waitFor();
    expect(await site.app.database.prisma.user.count()).toBe(before);

    const { id } = await member();
    const other = await site.page({ as: id });
    await open(other, late.path);
    await switchOff(late.linkId);
    await other.getByRole('button', { name: 'Create the workspace' }).click();
    await heading(other, 'This link is switched off').waitFor();
  });

  it('lets somebody sign in instead, with the address that they had typed', async () => {
    const { path } = await offer();
    const { id } = await member();
    const email = await givePassword(site.app, id);
    const page = await site.page();
    await open(page, path);
    await signUp(page, email);
    await page.getByRole('link', { name: 'I have an account' }).click();
    await expectAccessibleInBoth(page);
    await expect.poll(() => page.getByLabel('E-mail address').inputValue()).toBe(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Create the workspace' }).click();
    await heading(page, 'Welcome to Mia’s workspace').waitFor();
  });

  it('asks somebody who is signed in to confirm, and after that shows the workspace whenever the link is opened', async () => {
    const { path } = await offer();
    const { id, email } = await member();
    const page = await site.page({ as: id });
    await open(page, path);
    await page.getByText(email).waitFor();
    await expect.poll(() => page.getByLabel('Password').count()).toBe(0);
    await page.getByRole('button', { name: 'Create the workspace' }).click();
    await heading(page, 'Welcome to Mia’s workspace').waitFor();
    await page.reload();
    await heading(page, 'You have used this offer already').waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Open Mia’s workspace' }).click();
    await page.waitForURL(`${site.origin}/`);
    const chosen = page.getByLabel('Organization').locator('option:checked');
    await expect.poll(() => chosen.textContent()).toBe('Mia’s workspace');
  });

  it('lets somebody whose address is refused come back with another account', async () => {
    const { path } = await offer({ allowedEmailDomains: ['bakery.example'] });
    const { id, email } = await member();
    const page = await site.page({ as: id });
    await open(page, path, 'This offer is not open to your e-mail address');
    await page.getByText(email).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: 'Use another account' }).click();
    await page.waitForURL(site.origin + path);
    await heading(page, gift()).waitFor();
    await page.getByRole('button', { name: 'Create an account' }).waitFor();
  });

  it('knows where its visitor was after a reload and on the way back', async () => {
    const { path } = await offer({ maxRedemptions: 1 }, { password: linkPassword });
    const page = await site.page();
    await open(page, path);
    await page.getByLabel('Password of the link', { exact: true }).fill(linkPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'I have an account' }).click();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await page.goBack();
    await signUp(page, 'pia3@bakery.example');
    await page.getByLabel('Name of the workspace').waitFor();
    // The one place is this visitor's.
    await page.reload();
    await page.getByText('Your place is held').waitFor();
    await page.goto(`${site.origin}/`);
    await page.goBack();
    await page.getByRole('button', { name: 'Create the workspace' }).click();
    await heading(page, 'Welcome to Pia’s workspace').waitFor();
  });

  it('gives a place back', async () => {
    const { path, campaignId } = await offer({ maxRedemptions: 1 });
    const { id } = await member();
    const page = await site.page();
    await open(page, `${path}&account=mine`);
    await page.getByLabel('E-mail address').fill(await givePassword(site.app, id));
    await page.getByLabel('Password', { exact: true }).fill('not the password');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Give it back' }).click();
    await page.getByText('Your place is held').waitFor({ state: 'detached' });
    expect(await site.app.database.prisma.reservation.count({ where: { campaignId } })).toBe(0);
  });

  it('says when the place is not held any more, and goes on where there is a free one', async () => {
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
            query: 'mutation ($link: String!) { reserveSponsorship(token: $link) { heldUntil } }',
            variables: { link },
          }),
        }),
      token,
    );
    await open(page, path);
    await page.getByText('Your place is held').waitFor();
    await page.clock.fastForward('31:00');
    await page.getByText('It is held again as soon as you go on').waitFor();
    await page.getByRole('button', { name: 'Create the workspace' }).click();
    await heading(page, 'Welcome to Mia’s workspace').waitFor();
  });

  it('keeps the grant and the place out of the page, its scripts and its storage', async () => {
    const { path } = await offer({}, { password: linkPassword });
    const page = await site.page();
    await open(page, path);
    await page.getByLabel('Password of the link', { exact: true }).fill(linkPassword);
    await page.getByRole('button', { name: 'Continue' }).click();
    await signUp(page, 'pia4@bakery.example');
    await page.getByLabel('Name of the workspace').waitFor();
    const kept = (await page.context().cookies(`${site.origin}/graphql`)).filter(({ name }) =>
      /grant|place/.test(name),
    );
    expect(kept.map(({ httpOnly, sameSite, path: at }) => ({ httpOnly, sameSite, at }))).toEqual(
      Array(2).fill({ httpOnly: true, sameSite: 'Lax', at: '/graphql' }),
    );
    const seen = await page.evaluate(() =>
      [
        document.cookie,
        JSON.stringify({ ...localStorage }),
        JSON.stringify({ ...sessionStorage }),
      ].join('\n'),
    );
    const told = [seen, await page.content(), ...site.app.logLines].join('\n');
    for (const secret of [
      ...kept.flatMap(({ value }) => value.split('.').filter((part) => part.length > 20)),
      linkPassword,
      password,
    ]) {
      expect(told).not.toContain(secret);
    }
  });

  it('fits a small phone in the dark, whatever the names are', async () => {
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
    await page.getByRole('link', { name: 'New here' }).waitFor();
    await expectAccessible(page);
    await signUp(page, `${'very'.repeat(12)}.long.name@${'long'.repeat(10)}.example`);
    await page.getByLabel('Name of the workspace').fill('W'.repeat(120));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Create the workspace' }).click();
    await heading(page, /^Welcome to WWW/).waitFor();
    await expectAccessible(page);
  });
});

describeInBrowser('where addresses are confirmed first', () => {
  it('the link in the mail leads back to the offer, to the place that is held, and on to the workspace', {
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
    await page.getByText('Look into your mailbox').waitFor();
    await expectAccessibleInBoth(page);
    await page.goto(linkIn(await mailbox.next('pia@bakery.example')).href);
    await page.getByText('Your place is held').waitFor();
    await page.getByRole('button', { name: 'Create the workspace' }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome to Pia’s workspace' }).waitFor();
    expect(site.faults).toEqual([]);
    await site.close();
    await mailbox.close();
  });
});
