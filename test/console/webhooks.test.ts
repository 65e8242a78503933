import type { Page } from 'playwright-core';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventGroups, eventsOf } from '../../src/console/web/settings/webhooks/event-labels.ts';
import type { EventType } from '../../src/modules/events/event-types.ts';
import { eventTypes } from '../../src/modules/events/event-types.ts';
import type { TestOrganization } from '../support/app.ts';
import { personIn } from '../support/assistants.ts';
import {
  describeInBrowser,
  expectAccessibleInBoth,
  openConsole,
  type TestConsole,
} from '../support/browser.ts';
import { loadEnglishTexts } from '../support/console-texts.ts';
import {
  accept,
  refuse,
  type WebhookReceiver,
  webhookReceiver,
} from '../support/webhook-receiver.ts';

it('Every type of event is in one group, and the list names the groups that an endpoint gets', async () => {
  await loadEnglishTexts();
  expect(eventGroups.flatMap(({ types }) => types).toSorted()).toEqual(eventTypes.toSorted());
  const labelOf = (types: EventType[]) => eventsOf({ types });
  expect(labelOf([])).toBe('All events');
  expect(labelOf(['LINK_CREATED', 'LINK_UPDATED', 'REDEMPTION_ENDING_SOON'])).toBe(
    'Links, redemption.ending_soon',
  );
});

describeInBrowser('webhooks', () => {
  let site: TestConsole;
  let owner: TestOrganization;
  let receiver: WebhookReceiver;
  let page: Page;

  beforeAll(async () => {
    receiver = await webhookReceiver();
    site = await openConsole({ PUBLIC_REQUEST_LOOPBACK: 'true' });
    site.app.startProcessing({ processesFiles: false });
    owner = await site.app.organization();
    page = await site.page({ as: owner.administratorId });
  });
  afterAll(async () => {
    expect(site.faults).toEqual([]);
    await site.close();
    await receiver.close();
  });

  const dialog = (name: string) => page.getByRole('dialog', { name });
  const row = (text: string) => page.getByRole('row').filter({ hasText: text });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  /** The secret that the open dialog shows; then closes it. */
  const readSecret = async (title: string) => {
    const secret = await dialog(title).getByLabel('Secret', { exact: true }).textContent();
    await dialog(title).getByRole('button', { name: 'Done' }).click();
    return secret ?? '';
  };

  it('A webhook is created, its secret is shown once, and the receiver verifies what it gets', async () => {
    await page.goto(`${site.origin}/settings/webhooks`);
    await page.getByText('No webhooks yet').waitFor();
    await button('Create webhook').click();
    await dialog('Create webhook').getByLabel('Address').fill(receiver.url);
    await dialog('Create webhook').getByLabel('Description').fill('The mirror');
    await dialog('Create webhook').getByLabel('Teams').check();
    await expectAccessibleInBoth(page);
    await dialog('Create webhook').getByRole('button', { name: 'Create', exact: true }).click();
    const secret = await readSecret('Secret of the webhook');
    await row('The mirror').getByText('Teams').waitFor();
    await row('The mirror').getByText('Active').waitFor();
    await expectAccessibleInBoth(page);
    expect(await page.content()).not.toContain(secret);

    await owner.manage('POST', '/teams', { name: 'Told' });
    const [received] = await receiver.count(1, ({ body }) => body.type === 'team.created');
    const headers = Object.fromEntries(
      Object.entries(received?.headers ?? {}).map(([name, value]) => [name, String(value)]),
    );
    expect(new Webhook(secret).verify(received?.text ?? '', headers)).toMatchObject({
      type: 'team.created',
    });
    await row('The mirror').getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: '127.0.0.1' }).waitFor();
    await row('team.created').getByText('Delivered').waitFor();
    await expectAccessibleInBoth(page);
  });

  it('A test that the receiver refuses is shown with the answer, and can be sent again', async () => {
    receiver.answerWith(refuse(500));
    await button('Send a test').click();
    await row('webhook.test').getByText('Failed').waitFor();
    await row('webhook.test').getByText('The receiver answered 500.').waitFor();
    await row('webhook.test').getByText('Request and answer').click();
    await row('webhook.test').getByText('"type": "webhook.test"').waitFor();
    await row('webhook.test').getByText('no', { exact: true }).waitFor();
    await page.getByLabel('Show', { exact: true }).selectOption('Failed');
    await row('team.created').waitFor({ state: 'detached' });
    receiver.answerWith(accept);
    await row('webhook.test')
      .getByRole('button', { name: /^Send again/ })
      .click();
    await page.getByText('No deliveries').waitFor();
    await page.getByLabel('Show', { exact: true }).selectOption('All');
    await row('webhook.test').getByText('Delivered').waitFor();
  });

  it('Events are sent again, the secret is changed, and the webhook is disabled, activated and deleted', async () => {
    const before = receiver.received.length;
    await button('Send events again').click();
    await dialog('Send events again')
      .getByLabel('Events', { exact: true })
      .selectOption('All events');
    await dialog('Send events again').getByRole('button', { name: 'Send', exact: true }).click();
    await receiver.count(before + 1);

    await button('New secret').click();
    await dialog('New secret').getByRole('button', { name: 'Create', exact: true }).click();
    expect(await readSecret('The new secret')).toMatch(/^whsec_/);
    await page.getByText('The previous secret also signs until').waitFor();

    await button('Disable').click();
    await dialog('Disable this webhook?').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('An administrator has disabled it.').waitFor();
    await expectAccessibleInBoth(page);
    await button('Activate').click();
    await page.getByText('Active', { exact: true }).waitFor();
    await button('Delete').click();
    await dialog('Delete this webhook?').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('No webhooks yet').waitFor();
  });

  it('The address of a private network is refused with the reason, and other members have no such page', async () => {
    await button('Create webhook').click();
    await dialog('Create webhook').getByLabel('Address').fill('https://10.0.0.1/hook');
    await dialog('Create webhook').getByRole('button', { name: 'Create', exact: true }).click();
    await dialog('Create webhook').getByRole('alert').waitFor();
    const member = await personIn(site.app, owner);
    const other = await site.page({ as: member.id });
    await other.goto(`${site.origin}/settings`);
    await other.getByRole('link', { name: 'Profile' }).waitFor();
    expect(await other.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  });
});
