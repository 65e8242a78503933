import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf, personIn } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessible,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { readMessages } from '../support/console-texts.ts';
import { partnerIn, type TestPartner } from '../support/partner.ts';
import { createProcessedFile } from '../support/search-vault-stub.ts';
import { givePassword, password } from '../support/sign-in.ts';

const sections = [...(await readMessages('en')).keys()].join('|');
/** The key of a text that is shown in place of the text. */
const keyPattern = new RegExp(`\\b(?:${sections})\\.[a-z]+[A-Z]\\w*`);

describeInBrowser('languages', () => {
  let site: TestConsole;
  let partner: TestPartner;
  let german: Page;

  beforeAll(async () => {
    site = await openConsole();
    partner = await partnerIn(site.app);
    german = await site.page({ as: partner.administratorId, locale: 'de-DE' });
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  const languageOf = (page: Page) => page.evaluate(() => document.documentElement.lang);
  const chooseInMenu = async (page: Page, menu: RegExp, label: string, language: string) => {
    await page.getByRole('button', { name: menu }).click();
    await page.getByLabel(label).selectOption({ label: language });
  };
  const openGerman = async (path: string, heading: string) => {
    await german.goto(site.origin + path);
    await german.getByRole('heading', { level: 1, name: heading }).waitFor();
  };

  it('The sign-in page has the language that the browser prefers, and errors of the server have it too', async () => {
    const page = await site.page({ locale: 'de-AT' });
    await page.goto(`${site.origin}/auth`);
    await page.getByRole('heading', { name: 'Anmelden', exact: true }).waitFor();
    expect(await languageOf(page)).toBe('de');
    expect(await page.title()).toBe('Anmelden · Atrium');
    await expectAccessibleInBoth(page);

    const email = await givePassword(site.app, partner.administratorId);
    await page.getByLabel('E-Mail-Adresse').fill(email);
    await page.getByLabel('Passwort', { exact: true }).fill('another password');
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByText('E-Mail-Adresse oder Passwort ist falsch').waitFor();
    await page.getByLabel('Passwort', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await page.getByRole('link', { name: 'Einstellungen' }).first().waitFor();
  });

  it('A browser that prefers a language which the console does not have shows English', async () => {
    const page = await site.page({ locale: 'fr-FR' });
    await page.goto(`${site.origin}/auth`);
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await languageOf(page)).toBe('en');
  });

  it('A language that is chosen on the sign-in page survives a reload', async () => {
    const page = await site.page();
    await page.goto(`${site.origin}/auth`);
    await page.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await page.getByRole('heading', { name: 'Anmelden', exact: true }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Anmelden', exact: true }).waitFor();
    await page.getByLabel('Sprache').selectOption({ label: 'English' });
    await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    expect(await languageOf(page)).toBe('en');
  });

  it('A language that is chosen in the account menu keeps the draft of a question', async () => {
    const owner = await personIn(site.app, partner);
    const assistantId = await assistantOf(owner, { name: 'Handbook' });
    const page = await site.page({ as: owner.id });
    await page.goto(`${site.origin}/assistants/${assistantId}`);
    await page.getByRole('textbox', { name: 'Your question' }).fill('How many days?');
    await chooseInMenu(page, /account menu$/, 'Language', 'Deutsch');
    const draft = page.getByRole('textbox', { name: 'Ihre Frage' });
    await draft.waitFor();
    expect(await draft.inputValue()).toBe('How many days?');
    await chooseInMenu(page, /Kontomenü$/, 'Sprache', 'English');
    await page.getByRole('textbox', { name: 'Your question' }).waitFor();
  });

  it('A language that is chosen in the account menu is stored with the account, and the next browser shows it', async () => {
    const person = await personIn(site.app, partner);
    const page = await site.page({ as: person.id });
    await page.goto(`${site.origin}/settings`);
    await chooseInMenu(page, /account menu$/, 'Language', 'Deutsch');
    await page.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor();
    await expectAccessibleInBoth(page);

    const other = await site.page({ as: person.id });
    await other.goto(`${site.origin}/settings`);
    await other.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor();
    expect(await languageOf(other)).toBe('de');
    expect(await other.evaluate(() => document.documentElement.dir)).toBe('ltr');
    await other.reload();
    await other.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor();
  });

  it('The language of the page of the first sign-in is stored, and the next sign-in ends in it, whatever language its page has', async () => {
    const person = await personIn(site.app, partner);
    const email = await givePassword(site.app, person.id);
    const first = await site.page();
    await first.goto(`${site.origin}/auth`);
    await first.getByLabel('Language').selectOption({ label: 'Deutsch' });
    await first.getByLabel('E-Mail-Adresse').fill(email);
    await first.getByLabel('Passwort', { exact: true }).fill(password);
    await first.getByRole('button', { name: 'Anmelden', exact: true }).click();
    await first.getByRole('link', { name: 'Einstellungen' }).first().waitFor();

    const next = await site.page();
    await next.goto(`${site.origin}/auth?next=${encodeURIComponent('/settings')}`);
    await next.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    await next.getByLabel('E-mail address').fill(email);
    await next.getByLabel('Password', { exact: true }).fill(password);
    await next.getByRole('button', { name: 'Sign in', exact: true }).click();
    await next.getByRole('heading', { level: 1, name: 'Profil', exact: true }).waitFor();
    expect(new URL(next.url()).pathname).toBe('/settings');
    expect(await languageOf(next)).toBe('de');
  });

  it('A language that could not be stored is not shown, and the reason is', async () => {
    const person = await personIn(site.app, partner);
    const page = await site.page({ as: person.id });
    await page.goto(`${site.origin}/settings`);
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    await page.route('**/graphql', (route) => route.abort());
    await chooseInMenu(page, /account menu$/, 'Language', 'Deutsch');
    await page.getByRole('alert').waitFor();
    expect(await page.getByLabel('Language').inputValue()).toBe('en');
    expect(await languageOf(page)).toBe('en');
  });

  it('Numbers, dates and amounts have their German form', async () => {
    await openGerman('/developers', 'Entwicklung');
    // The test server allows ten thousand requests for each user key.
    await german.getByText('10.000', { exact: true }).first().waitFor();
    await openGerman('/settings/organization', 'Organisation');
    await german
      .getByText(/^\d\d\.\d\d\.\d{4}$/)
      .first()
      .waitFor();
    await openGerman('/sponsorship', 'Sponsoring');
    await partner.campaign();
    await openGerman('/sponsorship', 'Sponsoring');
    await german
      .getByText(/^0\s€$/)
      .first()
      .waitFor();
  });

  it('A refusal, an invalid value and a file that could not be read are told in German', async () => {
    const team = 'Vertrieb';
    await site.app.database.prisma.team.create({
      data: { id: 'german-team', organizationId: partner.id, name: team, nameKey: 'vertrieb' },
    });
    await openGerman('/settings/teams', 'Teams');
    await german.getByRole('button', { name: 'Team erstellen' }).click();
    const dialog = german.getByRole('dialog');
    const name = dialog.getByRole('textbox', { name: 'Name' });
    await name.fill(team);
    await dialog.getByRole('button', { name: /erstellen$/i }).click();
    await german.getByText('Es gibt bereits ein Team mit diesem Namen').waitFor();
    await name.fill('\u200b');
    await dialog.getByRole('button', { name: /erstellen$/i }).click();
    await german.getByText(/^Name: Die Angabe /).waitFor();

    const owner = await personIn(site.app, partner);
    const assistantId = await assistantOf(owner, { name: 'Handbook' });
    const fileId = await createProcessedFile(site.app, partner, assistantId, 'plan.pdf');
    await site.app.database.prisma.assistantFile.update({
      where: { id: fileId },
      data: {
        status: 'FAILED',
        errorCode: 'ENCRYPTED',
        errorMessage: 'The document is protected by a password',
      },
    });
    const page = await site.page({ as: owner.id, reusesSession: true, locale: 'de-DE' });
    for (const path of ['/', `/assistants/${assistantId}/files`]) {
      await page.goto(site.origin + path);
      await page.getByText('Die Datei ist mit einem Passwort geschützt').first().waitFor();
      expect(await page.getByText('protected by a password').count()).toBe(0);
    }
  });

  it('The palette and the versions of an assistant are in German', async () => {
    const owner = await personIn(site.app, partner);
    const assistantId = await assistantOf(owner, { name: 'Handbook' });
    const page = await site.page({ as: owner.id, locale: 'de-DE' });
    await page.goto(`${site.origin}/assistants/${assistantId}/versions`);
    await page.getByRole('table', { name: 'Versionen des Assistenten' }).waitFor();
    await page.keyboard.press('Control+K');
    const palette = page.getByRole('dialog', { name: 'Gehe zu' });
    await palette.getByRole('combobox').fill('sicher');
    await palette.getByRole('option', { name: 'Sicherheit Einstellungen' }).waitFor();
    await expectAccessibleInBoth(page);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Sicherheit' }).waitFor();
    const show = page.getByRole('button', { name: 'Aktuelles Passwort anzeigen', exact: true });
    await show.click();
    await page.getByRole('button', { name: 'Aktuelles Passwort verbergen', exact: true }).waitFor();
  });

  it.each([
    ['/', /./],
    ['/assistants', 'Assistenten'],
    ['/assistants/new', 'Neuer Assistent'],
    ['/sponsorship', 'Sponsoring'],
    ['/sponsorship/campaigns', 'Kampagnen'],
    ['/sponsorship/redemptions', 'Einlösungen'],
    ['/vault', 'Vault'],
    ['/vault/search', 'Vault'],
    ['/developers', 'Entwicklung'],
    ['/settings', 'Profil'],
    ['/settings/security', 'Sicherheit'],
    ['/settings/keys', 'Meine Schlüssel'],
    ['/settings/organization', 'Organisation'],
    ['/settings/members', 'Mitglieder'],
    ['/settings/teams', 'Teams'],
    ['/settings/usage', 'Verbrauch'],
    ['/settings/audit', 'Audit-Log'],
  ])(
    'The German page %s is accessible, fits into a narrow window, and shows no key of a text',
    async (path, heading) => {
      await german.goto(site.origin + path);
      await german.getByRole('heading', { level: 1, name: heading }).waitFor();
      await expectAccessibleInBoth(german);
      // German words are longer, and still fit into a narrow window.
      await german.setViewportSize({ width: 360, height: 740 });
      await expectAccessible(german);
      await german.setViewportSize({ width: 1280, height: 900 });
      const markup = await german.locator('#root').innerHTML();
      expect(keyPattern.exec(markup)?.[0]).toBeUndefined();
      expect(await languageOf(german)).toBe('de');
    },
  );
});
