import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { TestOrganization } from '../support/app.ts';
import {
  describeInBrowser,
  drawn,
  openConsole,
  ownDocuments,
  type TestConsole,
} from '../support/browser.ts';
import { signIn } from '../support/sign-in.ts';

const isStream = (request: Request) => request.headers()['accept'] === 'text/event-stream';

describeInBrowser('pages that show changes of others', () => {
  let site: TestConsole;
  let owner: TestOrganization;
  let page: Page;
  let streams: string[];

  beforeAll(async () => {
    site = await openConsole(ownDocuments);
  });
  beforeEach(async () => {
    owner = await site.app.organization();
    page = await site.page({ as: owner.administratorId });
    streams = [];
    page.on('request', (request) => {
      if (isStream(request)) streams.push(String(request.postDataJSON().query));
    });
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
  });

  async function createCampaign(name: string): Promise<void> {
    const { status } = await owner.call('POST', '/api/sponsorship/v1/campaigns', {
      name,
      durationMonths: 3,
    });
    expect(status).toBe(200);
  }

  async function createBudget(limit: number): Promise<void> {
    const administrator = await signIn(site.app, owner.administratorId);
    const { errors } = await administrator.graph(
      `mutation { createBudget(input: { scope: ORGANIZATION, metric: RUNS, period: MONTH, limit: ${limit}, mode: WARN }) { budget { id } } }`,
    );
    expect(errors).toEqual([]);
  }

  it('The overview shows a campaign as soon as another caller has created it', async () => {
    await page.goto(`${site.origin}/sponsorship`);
    await page.getByText('No campaigns yet').waitFor();
    await expect.poll(() => streams.length).toBeGreaterThan(0);
    await createCampaign('Of another caller');
    await page.getByText('No campaigns yet').waitFor({ state: 'detached', timeout: 5_000 });
  });

  it('An answer that was read before a change does not hide it when it arrives later', async () => {
    await page.goto(`${site.origin}/settings/usage`);
    await page.getByText('No budgets').waitFor();
    await expect.poll(() => streams.some((query) => query.includes('query Budgets'))).toBe(true);
    const late = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    await page.route('**/graphql', async (route) => {
      const request = route.request();
      if (isStream(request) || !request.postData()?.includes('query Budgets'))
        return route.continue();
      const response = await route.fetch();
      late.resolve();
      await release.promise;
      return route.fulfill({ response });
    });
    await page.getByRole('button', { name: 'New budget' }).click();
    await page.getByLabel('Limit').fill('7');
    await page.getByLabel('Unit', { exact: true }).selectOption('Answers');
    await page.getByRole('button', { name: 'Create' }).click();
    await late.promise;

    await createBudget(500);
    await page.getByText('0 of 500 answers').waitFor();
    const answered = page.waitForResponse((response) =>
      Boolean(response.request().postData()?.includes('query Budgets')),
    );
    release.resolve();
    await (await answered).finished();
    await drawn(page);
    expect(await page.getByText('0 of 7 answers').count()).toBe(1);
    expect(await page.getByText('0 of 500 answers').count()).toBe(1);
  });

  it('A page polls if no stream can be opened, and shows no fault', async () => {
    await page.route('**/graphql', (route) =>
      isStream(route.request()) ? route.abort() : route.continue(),
    );
    await page.clock.install();
    await page.goto(`${site.origin}/settings/usage`);
    await page.getByText('No budgets').first().waitFor();
    await expect.poll(() => streams.length).toBeGreaterThan(0);
    await createBudget(5);
    await page.clock.runFor(31_000);
    await page.getByText('No budgets').first().waitFor({ state: 'detached' });
    expect(await page.getByRole('alert').count()).toBe(0);
  });
});
