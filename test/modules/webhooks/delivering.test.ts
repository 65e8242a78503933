import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimDeliveries } from '../../../src/modules/webhooks/delivering/claim-deliveries.ts';
import {
  type DelivererDependencies,
  deliverWebhooks,
} from '../../../src/modules/webhooks/delivering/deliver-webhooks.ts';
import { queueEvents } from '../../../src/modules/webhooks/delivering/queue-events.ts';
import { queueReplays } from '../../../src/modules/webhooks/delivering/queue-replays.ts';
import { recordOutcome } from '../../../src/modules/webhooks/delivering/record-outcome.ts';
import { sendNotices } from '../../../src/modules/webhooks/delivering/send-notices.ts';
import { sweepDeliveries } from '../../../src/modules/webhooks/delivering/sweep-deliveries.ts';
import { unscopedDatabase } from '../../../src/platform/database/database.ts';
import type { TestApp, TestOrganization } from '../../support/app.ts';
import { hasOpenssl, makeCertificate, startProxy } from '../../support/public-receiver.ts';
import { type WebhookApp, webhookApp, webhooksOf } from '../../support/webhook-app.ts';
import {
  accept,
  refuse,
  type WebhookReceiver,
  webhookReceiver,
} from '../../support/webhook-receiver.ts';

const dayMs = 86_400_000;

let app: WebhookApp;
let owner: TestOrganization;
let own: ReturnType<typeof webhooksOf>;
let receiver: WebhookReceiver;
let twins: TestApp[];

beforeAll(async () => {
  app = await webhookApp();
});
afterAll(() => app.close());
beforeEach(async () => {
  owner = await app.organization();
  own = webhooksOf(owner, app);
  receiver = await webhookReceiver();
  twins = [];
});
afterEach(async () => {
  // The database belongs to `app`, so the twins only stop their work.
  await receiver.close();
  for (const twin of twins) await stop(twin);
  await app.database.sql`delete from webhook_endpoints`;
});

/** Another process that delivers. */
async function startProcess(): Promise<TestApp> {
  const twin = await app.twin();
  twins.push(twin);
  twin.startProcessing({ processesFiles: false });
  return twin;
}
/** Resolves when the work of a process in progress has ended. */
async function stop(twin: TestApp): Promise<void> {
  twins = twins.filter((one) => one !== twin);
  await twin.stopProcessing();
}
const hang = () => undefined;
const claim = () =>
  claimDeliveries(
    { organizationId: owner.id, max: 8 },
    { database: unscopedDatabase(app.database), clock: app.now },
  );
const rows = () =>
  app.database.sql<{ state: string; tries: number; holder: string | null; error: string | null }>`
    select state, tries, lease_holder as holder, last_error as error from webhook_deliveries
    where organization_id = ${owner.id} order by sequence`;
const states = async () => (await rows()).map(({ state }) => state);
const eventually = (check: () => Promise<void>) =>
  vi.waitFor(check, { timeout: 25_000, interval: 50 });
/** Many events at once, by one statement. */
const recordEvents = (count: number, resources = count) =>
  app.database.sql`
    insert into audit_entries (id, organization_id, at, actor_kind, action, target_type, target_id, changes)
    select new_id(), ${owner.id}, ${app.now()}::timestamptz, 'SYSTEM', 'create-team', 'Team', (n % ${resources}::int)::text, '{}'
    from generate_series(0, ${count}::int - 1) n`;
const dependencies = () => ({ database: app.database, clock: app.now, log: app.contextParts.log });
/** Queues until nothing is left, as if receivers answered at once. Returns the ids of the events. */
async function queueAll(
  queue: (given: ReturnType<typeof dependencies>) => Promise<{ hasMore: boolean }>,
): Promise<string[]> {
  await own.settle();
  const ids: string[] = [];
  for (;;) {
    const { hasMore } = await queue(dependencies());
    const delivered = await app.database.sql<{ id: string; sequence: string }>`
      update webhook_deliveries set state = 'DELIVERED', ended_at = ${app.now()} where state = 'PENDING'
      returning event_id as id, sequence::text as sequence`;
    delivered.sort((x, y) => Number(x.sequence) - Number(y.sequence));
    ids.push(...delivered.map(({ id }) => id));
    if (!hasMore) return ids;
  }
}
const idsOfEvents = async () => {
  const ordered = await app.database.sql<{ id: string }>`
    select id from audit_entries where organization_id = ${owner.id} and action = 'create-team' order by tx_id, position`;
  return ordered.map(({ id }) => id);
};

it('A new endpoint gets every event after its creation in order, however many, and none of before', async () => {
  await recordEvents(1_200);
  await own.create(receiver.url);
  await recordEvents(1_300);
  expect(await queueAll(queueEvents)).toEqual((await idsOfEvents()).slice(1_200));
}, 120_000);

it('A replay of more than ten thousand events sends all of them, in order', async () => {
  const { id } = await own.create(receiver.url);
  await recordEvents(10_300);
  // Without the feed, so that only the replay sends them.
  await app.database.sql`update webhook_endpoints set next_transaction = 1000000000000`;
  const from = new Date(app.now().getTime() - 60_000).toISOString();
  app.advance(60_000);
  await own.replay(id, { from });
  expect(await queueAll(queueReplays)).toEqual(await idsOfEvents());
  expect((await own.get(id))['isReplaying']).toBe(false);
}, 120_000);

it('A slow receiver has four requests at once, and a quick one of the same organization does not wait', async () => {
  const { id } = await own.create(receiver.url);
  receiver.answerWith(hang);
  const quick = await webhookReceiver();
  await own.create(quick.url);
  await recordEvents(12);
  await startProcess();
  await quick.count(12);
  await receiver.count(4);
  await recordEvents(1);
  await quick.count(13);
  const inProgress = await app.database.sql`
    select id from webhook_deliveries where endpoint_id = ${id} and lease_until >= clock_timestamp()`;
  expect(inProgress).toHaveLength(4);
  await quick.close();
}, 60_000);

it('Two processes together make at most four requests to an endpoint and eight for an organization, and send each event once', async () => {
  const second = await webhookReceiver();
  const third = await webhookReceiver();
  const receivers = [receiver, second, third];
  for (const { url } of receivers) await own.create(url);
  let open = 0;
  let openMax = 0;
  for (const each of receivers)
    each.answerWith((response, webhook) => {
      open += 1;
      openMax = Math.max(openMax, open);
      setTimeout(() => {
        open -= 1;
        accept(response, webhook);
      }, 20);
    });
  await recordEvents(24);
  await Promise.all([startProcess(), startProcess()]);
  for (const each of receivers) await each.count(24);
  await eventually(async () => expect(new Set(await states())).toEqual(new Set(['DELIVERED'])));
  for (const { received, state } of receivers) {
    expect(state.openMax).toBeLessThanOrEqual(4);
    expect(new Set(received.map(({ body }) => body.id)).size).toBe(received.length);
  }
  expect(openMax).toBeLessThanOrEqual(8);
  await second.close();
  await third.close();
}, 60_000);

it('Endpoints whose last try failed get one request at a time, and half of those of their organization', async () => {
  receiver.answerWith(hang);
  for (let endpoint = 0; endpoint < 6; endpoint += 1) await own.create(receiver.url);
  await app.database.sql`
    update webhook_endpoints set failing_since = now() where organization_id = ${owner.id}`;
  const quick = await webhookReceiver();
  await own.create(quick.url);
  await startProcess();
  await recordEvents(20);
  await quick.count(20);
  expect(receiver.received).toHaveLength(4);
  const busy = await app.database.sql<{ tries: number }>`
    select count(*)::int as tries from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where d.lease_until >= clock_timestamp() and e.failing_since is not null group by e.id`;
  expect(busy).toEqual(Array.from({ length: 4 }, () => ({ tries: 1 })));
  await quick.close();
}, 60_000);

it('Receivers of other organizations that never answer do not keep an organization waiting', async () => {
  receiver.answerWith(hang);
  for (let number = 0; number < 9; number += 1) {
    const other = await app.organization();
    const theirs = webhooksOf(other, app);
    for (let endpoint = 0; endpoint < 2; endpoint += 1) await theirs.create(receiver.url);
    for (let team = 0; team < 8; team += 1) await theirs.createTeam(`Team ${team}`);
  }
  await startProcess();
  const inProgress = () => app.database.sql`
    select id from webhook_deliveries where lease_until >= clock_timestamp()`;
  // Of 64 places the last 16 are for organizations without a try in progress, one for each.
  await eventually(async () => expect((await inProgress()).length).toBeGreaterThanOrEqual(48));
  const quick = await webhookReceiver();
  await own.create(quick.url);
  await own.createTeam('Quick');
  await quick.count(1);
  expect((await inProgress()).length).toBeLessThan(64);
  await quick.close();
}, 60_000);

it('What a killed process was sending is sent by another one once its lease has ended', async () => {
  await own.create(receiver.url);
  const process = await startProcess();
  await own.createTeam('Interrupted');
  await receiver.count(1);
  await eventually(async () => expect(await states()).toEqual(['DELIVERED']));
  await stop(process);
  await app.database.sql`
    update webhook_deliveries set state = 'PENDING', ended_at = null where organization_id = ${owner.id}`;
  // The killed process has claimed it, and will never end it.
  expect(await claim()).toHaveLength(1);
  await startProcess();
  expect(await claim()).toEqual([]);
  await app.database.sql`
    update webhook_deliveries set lease_until = clock_timestamp() - interval '1 second' where lease_until is not null`;
  await receiver.count(2);
  await eventually(async () => expect(new Set(await states())).toEqual(new Set(['DELIVERED'])));
}, 60_000);

it('A process that is stopped releases what it was sending, without counting the try', async () => {
  await own.create(receiver.url);
  receiver.answerWith(hang);
  const process = await startProcess();
  await own.createTeam('Stopped');
  await receiver.count(1);
  await stop(process);
  expect(await rows()).toMatchObject([{ state: 'PENDING', tries: 0, holder: null }]);
  receiver.answerWith(accept);
  await startProcess();
  await receiver.count(2);
}, 60_000);

it('A try that fails within Atrium counts, and is given up after ten times', async () => {
  await own.create(receiver.url);
  await app.database.sql`update webhook_endpoints set encrypted_secret = 'not encrypted'`;
  await own.createTeam('Broken');
  await startProcess();
  for (let tries = 1; tries <= 10; tries += 1) {
    await eventually(async () => expect(await rows()).toMatchObject([{ tries, holder: null }]));
    app.advance(3 * dayMs);
  }
  expect(await rows()).toMatchObject([
    { state: 'FAILED', error: expect.stringContaining('Atrium could not make the request') },
  ]);
  expect(receiver.received).toEqual([]);
}, 120_000);

it('A delivery whose process ended during its last try is given up', async () => {
  await own.create(receiver.url);
  await own.createTeam('Last');
  const process = await startProcess();
  await receiver.count(1);
  await stop(process);
  await app.database.sql`
    update webhook_deliveries set state = 'PENDING', ended_at = null, tries = 10, lease_holder = 'dead',
      lease_until = clock_timestamp() - interval '1 second' where organization_id = ${owner.id}`;
  expect(await claim()).toEqual([]);
  await sweepDeliveries({ database: app.database, clock: app.now });
  expect(await rows()).toMatchObject([{ state: 'FAILED', tries: 10, holder: null }]);
}, 60_000);

it('The mail about a change of state is sent by another process if the one that made the change is killed', async () => {
  await own.create(receiver.url);
  await own.createTeam('Gone');
  await own.settle();
  await queueEvents(dependencies());
  const [delivery] = await claim();
  if (!delivery) throw new Error('nothing was claimed');
  await recordOutcome(
    delivery,
    { status: 410, error: 'The receiver answered 410.', answer: null, retryAfterMs: undefined },
    { database: app.database, clock: app.now },
  );
  await sendNotices({ database: app.database, mail: app.contextParts.mail });
  const address = `admin@${owner.slug}.example`;
  const mail = await app.mail.nextAbout(address, 'A webhook was disabled');
  expect(mail.text).toContain('410');
  await sendNotices({ database: app.database, mail: app.contextParts.mail });
  const again = app.mail.mails.filter(({ to }) => to?.some(({ address: at }) => at === address));
  expect(again).toEqual([]);
});

it('Deliveries that ended 30 days ago are removed, and others are kept', async () => {
  const { id } = await own.create(receiver.url);
  const ago = (days: number) => new Date(app.now().getTime() - days * dayMs);
  const data = [ago(31), ago(29)].map((endedAt, index) => ({
    ...{ id: `old-${index}`, endpointId: id, organizationId: owner.id, eventId: `event-${index}` },
    ...{ eventType: 'TEAM_CREATED', eventAt: endedAt, resourceKey: 'Team:1', data: {} },
    ...{ state: 'DELIVERED' as const, nextTryAt: endedAt, endedAt, createdAt: endedAt },
  }));
  await app.database.prisma.webhookDelivery.createMany({ data });
  await sweepDeliveries({ database: app.database, clock: app.now });
  expect((await own.deliveries(id)).map((delivery) => delivery.id)).toEqual(['old-1']);
});

it('After the database was brought to another server, events that were delivered are not sent again, and later ones are', async () => {
  await own.create(receiver.url);
  const process = await startProcess();
  await own.createTeam('Delivered');
  await receiver.count(1);
  await eventually(async () => expect(await states()).toEqual(['DELIVERED']));
  await stop(process);
  await app.database.sql`update webhook_endpoints set next_transaction = 0`;
  await app.database.sql`select new_event_epoch()`;
  const later = await own.createTeam('Later');
  await startProcess();
  const received = await receiver.count(2);
  expect(received[1]?.body.data.resourceId).toBe(later);
  await eventually(async () => expect(await states()).toEqual(['DELIVERED', 'DELIVERED']));
  expect(receiver.received).toHaveLength(2);
}, 60_000);

describe.skipIf(!hasOpenssl)('With a proxy', () => {
  it('requests go through it, and the certificate of the receiver is verified', async () => {
    const certificate = makeCertificate('hooks.example.com');
    const secure = await webhookReceiver({ certificate });
    const proxy = await startProxy(new Map([['hooks.example.com:443', secure.port]]));
    await own.create('https://hooks.example.com/atrium');
    await own.createTeam('Secure');
    const { clock, log, mail, webhooks } = app.contextParts;
    const proxyUrl = `http://127.0.0.1:${proxy.port}`;
    const given: DelivererDependencies = {
      ...{ database: app.database, clock, log, mail },
      tries: { cipher: webhooks.cipher, request: { proxyUrl } },
    };
    const untrusting = deliverWebhooks(given);
    await eventually(async () =>
      expect(await rows()).toMatchObject([{ error: expect.stringContaining('certificate') }]),
    );
    await untrusting.stop();
    app.advance(dayMs);
    const request = { proxyUrl, ca: certificate.cert };
    const trusting = deliverWebhooks({
      ...given,
      tries: { cipher: webhooks.cipher, request },
    });
    await secure.count(1);
    await eventually(async () => expect(await states()).toEqual(['DELIVERED']));
    await trusting.stop();
    expect(new Set(proxy.requests.map(({ authority }) => authority))).toEqual(
      new Set(['hooks.example.com:443']),
    );
    await secure.close();
    await proxy.close();
  }, 60_000);
});

it('A receiver that refuses every third request gets each event, in the order of its resource', async () => {
  await own.create(receiver.url);
  let requests = 0;
  receiver.answerWith((response, webhook) => {
    requests += 1;
    (requests % 3 === 0 ? refuse(500) : accept)(response, webhook);
  });
  await recordEvents(30, 3);
  await startProcess();
  await eventually(async () => {
    app.advance(dayMs / 24);
    expect(await states()).toEqual(Array.from({ length: 30 }, () => 'DELIVERED'));
  });
  const ordered = await app.database.sql<{ id: string; target: string }>`
    select id, target_id as target from audit_entries where organization_id = ${owner.id} and action = 'create-team' order by tx_id, position`;
  for (let resource = 0; resource < 3; resource += 1) {
    const ofResource = (ids: readonly string[]) => [...new Set(ids)];
    const got = receiver.received
      .filter(({ body }) => body.data.resourceId === `${resource}`)
      .map(({ body }) => body.id);
    expect(ofResource(got)).toEqual(
      ordered.filter(({ target }) => target === `${resource}`).map(({ id }) => id),
    );
  }
}, 120_000);
