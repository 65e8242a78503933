import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { linkIn, receiveMail } from '../support/mail.ts';

describeInBrowser('memberships that an organization added', () => {
  let site: TestConsole;
  let mail: Awaited<ReturnType<typeof receiveMail>>;
  let home: TestOrganization;

  beforeAll(async () => {
    mail = await receiveMail();
    site = await openConsole(mail.settings);
    home = await site.app.organization();
  });
  afterAll(async () => {
    await site.close();
    await mail.close();
    expect(site.faults).toEqual([]);
  });

  const addToOrganization = async (email: string) => {
    const { id: userId } = await home.member(email, { firstName: 'Grace' });
    const otherOrganization = await site.app.organization();
    expect((await otherOrganization.manage('POST', '/users/add', { email })).status).toBe(200);
    const firstName = async () =>
      Object((await otherOrganization.manage('GET', `/users/${userId}`)).body['user']).firstName;
    return { userId, otherOrganization, firstName };
  };

  it('A person sees a new membership as not accepted, accepts it in the organization switch, and leaves it in the profile', async () => {
    const { userId, otherOrganization, firstName } = await addToOrganization(
      'switch@memberships.example',
    );
    const page = await site.page({ as: userId });
    await page.goto(`${site.origin}/settings`);
    const organizationSwitch = page.getByRole('combobox', { name: 'Organization' });
    await expect.poll(() => organizationSwitch.inputValue()).toBe(home.id);
    await page.getByText('Added you, not accepted', { exact: true }).waitFor();
    await expectAccessibleInBoth(page);
    expect(await firstName()).toBe('');

    await organizationSwitch.selectOption({
      label: `${otherOrganization.slug} (added you, not accepted)`,
    });
    await page.getByRole('heading', { level: 1, name: otherOrganization.slug }).waitFor();
    expect(await firstName()).toBe('Grace');

    await page.goto(`${site.origin}/settings`);
    await page.getByRole('button', { name: `Leave ${otherOrganization.slug}` }).click();
    const dialog = page.getByRole('dialog', { name: `Leave ${otherOrganization.slug}?` });
    await expectAccessibleInBoth(page);
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: home.slug }).waitFor();
    expect((await otherOrganization.manage('GET', `/users/${userId}`)).status).toBe(404);
  });

  it('A person without a default organization sees which organizations added them, and opens one', async () => {
    const { userId, otherOrganization } = await addToOrganization('alone@memberships.example');
    expect((await home.manage('DELETE', `/users/${userId}`)).status).toBe(200);
    const page = await site.page({ as: userId });
    await page.goto(site.origin);
    await page.getByRole('heading', { name: 'Organizations that added you' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: `Accept and open ${otherOrganization.slug}` }).click();
    await page.getByRole('heading', { level: 1, name: otherOrganization.slug }).waitFor();
  });

  it('A person accepts or leaves with the e-mail link without signing in, and opening the link alone changes nothing', async () => {
    const email = 'mail@memberships.example';
    const { userId, otherOrganization, firstName } = await addToOrganization(email);
    const link = linkIn(await mail.next(email));
    const page = await site.page();
    await page.goto(site.origin + link.pathname + link.search);
    await page
      .getByRole('heading', { level: 1, name: `${otherOrganization.slug} added you` })
      .waitFor();
    await expectAccessibleInBoth(page);
    expect(await firstName()).toBe('');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('heading', { level: 1, name: 'You accepted the membership' }).waitFor();
    expect(await firstName()).toBe('Grace');

    expect((await otherOrganization.manage('DELETE', `/users/${userId}`)).status).toBe(200);
    expect((await otherOrganization.manage('POST', '/users/add', { email })).status).toBe(200);
    const secondLink = linkIn(await mail.next(email));
    await page.goto(site.origin + secondLink.pathname + secondLink.search);
    await page.getByRole('button', { name: 'Leave the organization' }).click();
    await page.getByRole('heading', { level: 1, name: 'You left the organization' }).waitFor();
    expect((await otherOrganization.manage('GET', `/users/${userId}`)).status).toBe(404);
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'This link no longer works' }).waitFor();
    await expectAccessibleInBoth(page);
  });
});
