import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, openConsole, type TestConsole } from '../support/browser.ts';
import { givePassword, password } from '../support/sign-in.ts';

describeInBrowser('several tabs of one browser', () => {
  let site: TestConsole;
  let personCount = 0;
  beforeAll(async () => {
    site = await openConsole();
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  /** Two tabs of the console, in which this person is signed in. */
  async function tabsOf(id: string, path: string): Promise<[Page, Page]> {
    const first = await site.page({ as: id });
    await first.goto(site.origin + path);
    await first.getByRole('button', { name: /account menu$/ }).waitFor();
    const second = await first.context().newPage();
    await second.goto(site.origin);
    await second.getByRole('button', { name: /account menu$/ }).waitFor();
    return [first, second];
  }
  async function person(organization = site.app.organization()) {
    personCount += 1;
    return (await organization).member(`person-${personCount}@tabs.example`, { firstName: 'Ada' });
  }
  async function signOut(page: Page) {
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL((url) => url.pathname === '/auth');
  }

  it('A tab stays in its organization when another tab chooses another one, also after a reload', async () => {
    const [home, other] = [await site.app.organization(), await site.app.organization()];
    const { id } = await person(Promise.resolve(home));
    const { prisma } = site.app.database;
    const { createdAt } = await prisma.user.findUniqueOrThrow({ where: { id } });
    await prisma.membership.create({
      data: {
        ...{ userId: id, userCreatedAt: createdAt, organizationId: other.id },
        acceptedAt: new Date(),
      },
    });
    const [first, second] = await tabsOf(id, '/assistants/new');
    const shown = first.getByRole('combobox', { name: 'Organization' });
    await expect.poll(() => shown.inputValue()).toBe(home.id);
    await second.getByRole('combobox', { name: 'Organization' }).selectOption(other.id);
    await second.getByRole('heading', { level: 1, name: other.slug }).waitFor();

    await first.getByLabel('Name', { exact: true }).fill('Made in the first tab');
    await first.getByRole('button', { name: 'Create', exact: true }).click();
    await first.waitForURL(/\/assistants\/[0-9a-f-]{36}/);
    const { organizationId } = await prisma.assistant.findFirstOrThrow({
      where: { name: 'Made in the first tab' },
    });
    expect(organizationId).toBe(home.id);
    await first.reload();
    await first.getByRole('heading', { name: 'Made in the first tab' }).first().waitFor();
    expect(await shown.inputValue()).toBe(home.id);
    // A new tab begins with the newest choice.
    const third = await first.context().newPage();
    await third.goto(site.origin);
    await third.getByRole('heading', { level: 1, name: other.slug }).waitFor();
    // A tab that a link opens begins in the organization of its page.
    const [fourth] = await Promise.all([
      first.context().waitForEvent('page'),
      first
        .getByRole('link', { name: 'Home' })
        .first()
        .click({ modifiers: ['ControlOrMeta'] }),
    ]);
    await fourth.getByRole('heading', { level: 1, name: home.slug }).waitFor();
  });

  it('Signing out in one tab ends the pages of all tabs, and what the browser kept for the person', async () => {
    const { id } = await person();
    const [first, second] = await tabsOf(id, '/settings');
    await second.evaluate(() => localStorage.setItem('graphiql:tabState', 'a query'));
    await first.evaluate(() => sessionStorage.setItem('atrium.draft.someone', 'a question'));
    await signOut(second);
    await first.waitForURL((url) => url.pathname === '/auth');
    await first.getByRole('form', { name: 'Sign in' }).waitFor();
    expect(await first.evaluate(() => [sessionStorage.length, localStorage.length])).toEqual([
      0, 0,
    ]);
  });

  it('A page that shows one person is left when somebody else signs in in another tab', async () => {
    const organization = await site.app.organization();
    const { id } = await person(Promise.resolve(organization));
    const email = await givePassword(site.app, (await person(Promise.resolve(organization))).id);
    const [first, second] = await tabsOf(id, '/settings/security');
    // The session ends without a sign-out, so that the first tab stays as it is.
    await site.app.database.prisma.session.deleteMany({ where: { userId: id } });
    await second.goto(`${site.origin}/auth`);
    await second.getByLabel('E-mail address').fill(email);
    await second.getByLabel('Password', { exact: true }).fill(password);
    await second.getByRole('button', { name: 'Sign in', exact: true }).click();
    await second.getByRole('button', { name: /account menu$/ }).waitFor();
    await first.waitForURL((url) => url.pathname === '/');
    await first.getByRole('button', { name: /account menu$/ }).click();
    await first.getByText(email).waitFor();
  });

  it('Signing in again in one tab also continues the others, with what was typed there', async () => {
    const { id } = await person();
    const email = await givePassword(site.app, id);
    const [first, second] = await tabsOf(id, '/settings');
    const name = first.getByLabel('First name');
    await name.fill('Augusta');
    await site.app.database.prisma.session.deleteMany({ where: { userId: id } });
    await first.getByRole('button', { name: 'Save' }).first().click();
    await first.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await second.goto(`${site.origin}/auth`);
    await second.getByLabel('E-mail address').fill(email);
    await second.getByLabel('Password', { exact: true }).fill(password);
    await second.getByRole('button', { name: 'Sign in', exact: true }).click();
    await first.getByText('Your name was saved').waitFor();
    expect(await name.inputValue()).toBe('Augusta');
  });
});
