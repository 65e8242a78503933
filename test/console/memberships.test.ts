import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { linkIn, receiveMail } from '../support/mail.ts';

describeInBrowser('a person whose account an organization added', () => {
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

  const addedBy = async (email: string) => {
    const { id: userId } = await home.member(email, { firstName: 'Grace' });
    const stranger = await site.app.organization();
    expect((await stranger.manage('POST', '/users/add', { email })).status).toBe(200);
    const firstName = async () =>
      Object((await stranger.manage('GET', `/users/${userId}`)).body['user']).firstName;
    return { userId, stranger, firstName };
  };

  it('sees it in the switch as not accepted, accepts by choosing it, and leaves it in the profile', async () => {
    const { userId, stranger, firstName } = await addedBy('switch@memberships.example');
    const page = await site.page({ as: userId });
    await page.goto(`${site.origin}/settings`);
    const choice = page.getByRole('combobox', { name: 'Organization' });
    await expect.poll(() => choice.inputValue()).toBe(home.id);
    await page.getByText('Added you, not accepted', { exact: true }).waitFor();
    await expectAccessibleInBoth(page);
    expect(await firstName()).toBe('');

    await choice.selectOption({ label: `${stranger.slug} (added you, not accepted)` });
    await page.getByRole('heading', { level: 1, name: stranger.slug }).waitFor();
    expect(await firstName()).toBe('Grace');

    await page.goto(`${site.origin}/settings`);
    await page.getByRole('button', { name: `Leave ${stranger.slug}` }).click();
    const dialog = page.getByRole('dialog', { name: `Leave ${stranger.slug}?` });
    await expectAccessibleInBoth(page);
    await dialog.getByRole('button', { name: 'Leave' }).click();
    await page.getByRole('heading', { level: 1, name: home.slug }).waitFor();
    expect((await stranger.manage('GET', `/users/${userId}`)).status).toBe(404);
  });

  it('without another organization is shown where they were added, and in none by default', async () => {
    const { userId, stranger } = await addedBy('alone@memberships.example');
    expect((await home.manage('DELETE', `/users/${userId}`)).status).toBe(200);
    const page = await site.page({ as: userId });
    await page.goto(site.origin);
    await page.getByRole('heading', { name: 'Organizations that added you' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.getByRole('button', { name: `Accept and open ${stranger.slug}` }).click();
    await page.getByRole('heading', { level: 1, name: stranger.slug }).waitFor();
  });

  it('accepts or leaves by the link of the mail, without being signed in, and not by opening it', async () => {
    const email = 'mail@memberships.example';
    const { userId, stranger, firstName } = await addedBy(email);
    const link = linkIn(await mail.next(email));
    const page = await site.page();
    await page.goto(site.origin + link.pathname + link.search);
    await page.getByRole('heading', { level: 1, name: `${stranger.slug} added you` }).waitFor();
    await expectAccessibleInBoth(page);
    expect(await firstName()).toBe('');
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.getByRole('heading', { level: 1, name: 'You have accepted' }).waitFor();
    expect(await firstName()).toBe('Grace');

    expect((await stranger.manage('DELETE', `/users/${userId}`)).status).toBe(200);
    expect((await stranger.manage('POST', '/users/add', { email })).status).toBe(200);
    const again = linkIn(await mail.next(email));
    await page.goto(site.origin + again.pathname + again.search);
    await page.getByRole('button', { name: 'Leave the organization' }).click();
    await page.getByRole('heading', { level: 1, name: 'You have left the organization' }).waitFor();
    expect((await stranger.manage('GET', `/users/${userId}`)).status).toBe(404);
    await page.reload();
    await page
      .getByRole('heading', { level: 1, name: 'This link does not work any more' })
      .waitFor();
    await expectAccessibleInBoth(page);
  });
});
