import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf, share } from '../support/assistants.ts';
import { describeInBrowser, expectAccessibleInBoth } from '../support/browser.ts';
import { type Hand, hands, openJourneys } from '../support/console-journeys.ts';
import { fileIdIn, filesOf } from '../support/files.ts';
import { partnerIn } from '../support/partner.ts';
import { password } from '../support/sign-in.ts';

const rule = 'The meal allowance in Germany is 28 euro for a full day.';
const question = 'How much is the meal allowance in Germany?';
const handbook = { name: 'travel.txt', mimeType: 'text/plain', buffer: Buffer.from(rule) };

describeInBrowser.each(hands)('A person who uses the console by %s', (kind) => {
  let site: Awaited<ReturnType<typeof openJourneys>>;
  beforeAll(async () => {
    site = await openJourneys();
  });
  afterAll(async () => {
    await site.close();
    expect(site.faults).toEqual([]);
  });

  const heading = (page: Page, name: string | RegExp) =>
    page.getByRole('heading', { level: 1, name }).waitFor();
  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const ask = async ({ page, write, press }: Hand, text: string) => {
    await write(page.getByRole('textbox', { name: 'Your question' }), text);
    await press(button(page, 'Send'));
  };

  it('signs in, chooses an assistant, and gets an answer with its source', async () => {
    const partner = await partnerIn(site.app);
    const { id } = await partner.member(`asks.${kind}@journeys.example`);
    const { key } = await partner.userKey(partner.administratorId);
    const graph = (query: string, variables?: Record<string, unknown>) =>
      site.app.graph(key, query, variables);
    const assistantId = await assistantOf({ graph }, { name: 'Travel rules' });
    await share({ graph }, assistantId, 'VIEW');
    const files = filesOf(site.app, { key, call: site.app.callerWith(key) }, assistantId);
    const fileId = fileIdIn(await files.upload(rule, { name: handbook.name }));
    await expect
      .poll(async () => (await files.get(fileId)).body['processingStatus'], { timeout: 30_000 })
      .toBe('COMPLETED');
    const hand = await site.enter(kind, id);
    const { page } = hand;
    await hand.goTo('Assistants');
    await hand.press(page.getByRole('link', { name: 'Travel rules' }));
    await heading(page, 'Travel rules');
    await ask(hand, question);
    const answer = page.getByRole('article', { name: 'Travel rules' });
    await answer.getByText('28 euro').filter({ visible: true }).first().waitFor();
    await hand.press(page.getByRole('button', { name: /^Source 1: travel\.txt/ }));
    await page.getByRole('region', { name: 'Text of the file' }).getByText(rule).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('creates an assistant from a template, adds a file, and asks about it', async () => {
    const partner = await partnerIn(site.app);
    const hand = await site.enter(kind, partner.administratorId);
    const { page } = hand;
    await hand.goTo('Assistants');
    await hand.press(page.getByRole('link', { name: 'New assistant' }).first());
    await heading(page, 'New assistant');
    await hand.press(page.getByRole('button', { name: 'Company handbook' }));
    await hand.press(button(page, 'Create'));
    await heading(page, 'Company handbook');
    const tabs = page.getByRole('navigation', { name: 'This assistant' });
    await hand.press(tabs.getByRole('link', { name: 'Files' }));
    const choosing = page.waitForEvent('filechooser');
    await hand.press(page.getByRole('button', { name: 'Choose files' }));
    await (await choosing).setFiles(handbook);
    const row = page.getByRole('row').filter({ hasText: 'travel.txt' });
    await row.getByText('Ready').waitFor();
    await hand.press(tabs.getByRole('link', { name: 'Chat' }));
    await ask(hand, question);
    await page.getByRole('button', { name: /^Source 1: travel\.txt/ }).waitFor();
    await expectAccessibleInBoth(page);
  });

  it('opens a sponsored link, signs up, and reaches the new workspace', async () => {
    const partner = await partnerIn(site.app);
    const { id: campaignId } = await partner.campaign({ name: 'Bakeries', includedSeats: 5 });
    const { token } = await partner.link(campaignId);
    const hand = await site.visit(kind, `/auth?sponsored=${token}`);
    const { page } = hand;
    await heading(page, `${partner.slug} gives you Atrium for 3 months`);
    await hand.write(page.getByLabel('First name'), 'Pia');
    await hand.write(page.getByLabel('E-mail address'), `pia.${kind}@bakery.example`);
    await hand.write(page.getByLabel('Password', { exact: true }), password);
    await hand.press(button(page, 'Create an account'));
    await hand.press(button(page, 'Create workspace'));
    await heading(page, /^Welcome to Pia’s workspace/);
    await hand.press(page.getByRole('button', { name: /^Open Pia’s workspace/ }));
    await page.waitForURL(`${site.origin}/`);
    await page.getByText('Sponsored until').waitFor();
    await expectAccessibleInBoth(page);
  });

  it('creates a campaign with a link, and bills what was redeemed', async () => {
    const partner = await partnerIn(site.app);
    const hand = await site.enter(kind, partner.administratorId);
    const { page } = hand;
    const { prisma } = site.app.database;
    await hand.goTo('Sponsorship');
    await hand.press(page.getByRole('link', { name: 'Create campaign' }));
    const form = page.getByRole('form', { name: 'New campaign' });
    await hand.write(form.getByLabel('Name'), 'Autumn fair');
    await hand.press(form.getByRole('button', { name: 'Create campaign' }));
    await heading(page, 'Autumn fair');
    await hand.press(button(page, 'New link'));
    await hand.write(page.getByRole('form', { name: 'New link' }).getByLabel('Name'), 'Poster');
    await hand.press(button(page, 'Create link'));
    await hand.press(button(page, 'Done'));
    const link = await prisma.link.findFirstOrThrow({ where: { organizationId: partner.id } });
    await partner.price(link.campaignId, 49);
    await partner.redeem(link, { organizationName: 'Bakery' });

    await hand.press(page.getByRole('link', { name: '← Campaigns' }));
    await hand.press(page.getByRole('link', { name: 'Redemptions' }));
    await heading(page, 'Redemptions');
    await hand.check(page.getByRole('checkbox', { name: 'Select Bakery' }));
    await page.getByText('1 selected').waitFor();
    await hand.press(button(page, 'Set billing'));
    const billing = page.getByRole('form', { name: 'Set billing' });
    await billing.getByText('total €49.00').waitFor();
    await hand.write(billing.getByLabel('Batch or invoice'), '2026-11');
    await hand.press(billing.getByRole('button', { name: 'Set billing' }));
    await page.getByText('The billing of 1 redemption was set').waitFor();
    expect(
      await prisma.redemption.findMany({ where: { organizationId: partner.id } }),
    ).toMatchObject([{ billingStatus: 'BILLED', billingBatchId: '2026-11' }]);
    await expectAccessibleInBoth(page);
  });

  it('sets a budget of one answer, and is refused the second one with the reason', async () => {
    const partner = await partnerIn(site.app);
    const { key } = await partner.userKey(partner.administratorId);
    const graph = (query: string, variables?: Record<string, unknown>) =>
      site.app.graph(key, query, variables);
    await assistantOf({ graph }, { name: 'Frugal' });
    const hand = await site.enter(kind, partner.administratorId);
    const { page } = hand;
    await hand.goTo('Settings');
    const tabs = page.getByRole('navigation', { name: 'Settings' });
    await hand.press(tabs.getByRole('link', { name: 'Usage' }));
    await page.getByText('No budgets').waitFor();
    await hand.press(button(page, 'New budget'));
    await hand.write(page.getByLabel('Limit'), '1');
    await hand.choose(page.getByLabel('Unit', { exact: true }), 'Answers');
    await hand.choose(page.getByLabel('When it is used up'), 'Warn, and refuse further answers');
    await hand.press(button(page, 'Create'));
    await page.getByText('0 of 1 answers a month').waitFor();

    await hand.goTo('Assistants');
    await hand.press(page.getByRole('link', { name: 'Frugal' }));
    await ask(hand, 'First?');
    await button(page, 'Retry').waitFor();
    await ask(hand, 'Second?');
    await page
      .getByRole('alert')
      .getByText(/budget/i)
      .waitFor();
    await expectAccessibleInBoth(page);
  });
});
