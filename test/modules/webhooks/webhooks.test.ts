import { createPublicKey, verify } from 'node:crypto';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { type WebhookApp, webhookApp, webhooksOf } from '../../support/webhook-app.ts';
import {
  accept,
  type ReceivedWebhook,
  refuse,
  type WebhookReceiver,
  webhookReceiver,
} from '../../support/webhook-receiver.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;
const path = '/api/events/v1/endpoints';

let app: WebhookApp;
/** An application as in production: without receivers on its own machine. */
let strict: TestApp;
let owner: TestOrganization;
let own: ReturnType<typeof webhooksOf>;
let receiver: WebhookReceiver;

beforeAll(async () => {
  app = await webhookApp();
  app.startProcessing({ processesFiles: false });
  strict = await testApp();
});
afterAll(async () => {
  await strict.close();
  await app.close();
});
beforeEach(async () => {
  owner = await app.organization();
  own = webhooksOf(owner, app);
  receiver = await webhookReceiver();
});
afterEach(async () => {
  await app.database.sql`delete from webhook_endpoints`;
  await receiver.close();
});

const verifiers = {
  standardwebhooks: (secret: string) => new StandardWebhook(secret),
  svix: (secret: string) => new SvixWebhook(secret),
};
const verified = (secret: string, { text, headers }: ReceivedWebhook) =>
  Object.values(verifiers).map((verifier) =>
    verifier(secret).verify(text, headers as Record<string, string>),
  );
/** Whether a signature `v1a` of the request holds, by the words of Standard Webhooks 1.0. */
function isSignedWith(publicKey: string, { text, headers }: ReceivedWebhook): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`);
  return String(headers['webhook-signature'])
    .split(' ')
    .filter((signature) => signature.startsWith('v1a,'))
    .some((signature) => verify(null, signed, key, Buffer.from(signature.slice(4), 'base64')));
}
const settled = (endpointId: string, states: string[]) =>
  vi.waitFor(
    async () => {
      const deliveries = await own.deliveries(endpointId);
      expect(deliveries.map(({ state }) => state).toSorted()).toEqual(states.toSorted());
      return deliveries;
    },
    { timeout: 20_000, interval: 50 },
  );
/** Resolves once the try of this number has ended, with the delivery as it is then. */
const tried = async (endpointId: string, tries: number) => {
  await vi.waitFor(
    async () => {
      const rows = await app.database.sql<{ tries: number; holder: string | null }>`
        select tries, lease_holder as holder from webhook_deliveries where endpoint_id = ${endpointId}`;
      expect(rows).toEqual([{ tries, holder: null }]);
    },
    { timeout: 20_000, interval: 50 },
  );
  const [delivery] = await own.deliveries(endpointId);
  return delivery;
};

it.each(Object.keys(verifiers))('%s verifies what an endpoint gets', async (name) => {
  const { secret } = await own.create(receiver.url);
  await own.createTeam('Signed');
  const [webhook] = await receiver.count(1);
  if (!webhook) throw new Error('nothing was received');
  const verifier = verifiers[name as keyof typeof verifiers];
  const headers = webhook.headers as Record<string, string>;
  expect(() => verifier(secret).verify(webhook.text, headers)).not.toThrow();
  expect(() => verifier(secret).verify(`${webhook.text} `, headers)).toThrow();
  const other = `whsec_${Buffer.alloc(32).toString('base64')}`;
  expect(() => verifier(other).verify(webhook.text, headers)).toThrow();
});

it('A receiver without the secret verifies what an endpoint gets with its public key', async () => {
  const { publicKey } = await own.create(receiver.url);
  await own.createTeam('Signed');
  const [webhook] = await receiver.count(1);
  if (!webhook) throw new Error('nothing was received');
  expect(publicKey).toMatch(/^whpk_[\w+/]{43}=$/);
  expect(isSignedWith(publicKey, webhook)).toBe(true);
  expect(isSignedWith(publicKey, { ...webhook, text: `${webhook.text} ` })).toBe(false);
  const other = await own.create(receiver.url);
  expect(isSignedWith(other.publicKey, webhook)).toBe(false);
});

it('After a rotation the new and the previous public key verify, until the hours are over', async () => {
  const { id, publicKey: before } = await own.create(receiver.url);
  const rotate = async (overlapHours: number) => {
    const path = `/api/events/v1/endpoints/${id}/rotate`;
    const { body } = await owner.call('POST', path, { overlapHours });
    return String(Object(body['endpoint']).publicKey);
  };
  const after = await rotate(1);
  expect(after).not.toBe(before);
  await own.createTeam('Both');
  const [both] = await receiver.count(1);
  expect([before, after].map((key) => both && isSignedWith(key, both))).toEqual([true, true]);
  const last = await rotate(0);
  await own.createTeam('Last');
  const [, one] = await receiver.count(2);
  expect([after, last].map((key) => one && isSignedWith(key, one))).toEqual([false, true]);
});

it('A delivery has the body that was sent, and the beginning of what the receiver answered', async () => {
  const { id } = await own.create(receiver.url, { encoding: 'CLOUD_EVENTS' });
  receiver.answerWith(
    (response) => void response.writeHead(500).end(`out of disk\0 ${'ü'.repeat(600)}`),
  );
  await own.createTeam('Refused');
  const [webhook] = await receiver.count(1);
  const delivery = await tried(id, 1);
  expect(delivery?.body).toBe(webhook?.text);
  expect(delivery?.lastAnswer).toBe(`out of disk ${'ü'.repeat(505)}`);
  receiver.answerWith((response) => void response.writeHead(200).end('thanks'));
  await owner.call('POST', `/api/events/v1/deliveries/${delivery?.id}/retry`);
  const [delivered] = await settled(id, ['DELIVERED']);
  expect(delivered).toMatchObject({ lastStatus: 200, lastAnswer: 'thanks' });
});

it('An endpoint gets the event as the feed has it, with its id as webhook-id', async () => {
  await own.create(receiver.url);
  await own.createTeam('Fed');
  const [webhook] = await receiver.count(1);
  await own.settle();
  const { body } = await owner.call('GET', '/api/events/v1/events?types=team.created');
  expect([webhook?.body]).toEqual(body['events']);
  expect(webhook?.headers).toMatchObject({
    'webhook-id': webhook?.body.id,
    'content-type': 'application/json',
  });
  expect(webhook?.text).not.toContain('Fed');
});

it('With the encoding CLOUD_EVENTS the body is a CloudEvent in the structured mode', async () => {
  const { secret } = await own.create(receiver.url, { encoding: 'CLOUD_EVENTS' });
  const id = await own.createTeam('Cloud');
  const [webhook] = await receiver.count(1);
  if (!webhook) throw new Error('nothing was received');
  expect(webhook.headers['content-type']).toBe('application/cloudevents+json');
  expect(webhook.body).toEqual({
    ...{ specversion: '1.0', id: webhook.headers['webhook-id'], type: 'team.created' },
    ...{ source: `/organizations/${owner.id}`, subject: id, time: expect.any(String) },
    datacontenttype: 'application/json',
    data: { resourceType: 'Team', resourceId: id, references: [], changedFields: ['name'] },
  });
  expect(verified(secret, webhook)).toHaveLength(2);
});

it('The secret is answered once, and only its encrypted form is stored', async () => {
  const request = { url: receiver.url };
  const headers = { 'idempotency-key': 'created-once' };
  const created = await owner.call('POST', path, request, headers);
  const secret = String(created.body['secret']);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const again = await owner.call('POST', path, request, headers);
  expect(again.body).toEqual(created.body);
  const { id } = created.body['endpoint'] as { id: string };
  for (const text of [
    (await owner.call('GET', path)).text,
    (await owner.call('GET', `${path}/${id}`)).text,
    JSON.stringify(await app.database.sql`select * from webhook_endpoints`),
    JSON.stringify(await app.database.sql`select * from audit_entries`),
    JSON.stringify(
      await app.database
        .sql`select answer, encode(array_to_string(steps, '')::bytea, 'escape') as steps from idempotent_requests`,
    ),
  ])
    expect(text).not.toContain(secret);
});

it('An endpoint gets only events of its types, from its creation on', async () => {
  await own.createTeam('Earlier');
  const { id } = await own.create(receiver.url, {
    types: ['team.renamed', 'team.deleted'],
    description: 'For the directory',
  });
  expect(await own.get(id)).toMatchObject({
    ...{ types: ['team.renamed', 'team.deleted'], description: 'For the directory' },
    ...{ state: 'ACTIVE', isActive: true, encoding: 'STANDARD' },
  });
  const teamId = await own.createTeam('Typed');
  await own.renameTeam(teamId, 'Renamed');
  const [webhook] = await receiver.count(1);
  await own.update(id, { types: [] });
  expect(webhook?.body).toMatchObject({ type: 'team.renamed', data: { resourceId: teamId } });
  await own.createTeam('Of any type');
  const received = await receiver.count(2);
  expect(received[1]?.body.type).toBe('team.created');
});

it('A disabled endpoint gets nothing, and an activated one the events from then on', async () => {
  const { id } = await own.create(receiver.url);
  expect(await own.update(id, { isActive: false })).toMatchObject({
    ...{ state: 'DISABLED', isActive: false, disabledReason: 'REQUESTED' },
  });
  await own.createTeam('Missed');
  expect((await owner.call('POST', `${path}/${id}/test`)).status).toBe(409);
  expect(await own.update(id, { isActive: true })).toMatchObject({ state: 'ACTIVE' });
  const teamId = await own.createTeam('Noticed');
  const received = await receiver.count(1);
  expect(received.map(({ body }) => body.data.resourceId)).toEqual([teamId]);
});

it('Events of a resource come in order: a later one waits until the earlier one was delivered, and others do not', async () => {
  const { id } = await own.create(receiver.url);
  // The webhook of the first team can arrive before the answer with its id.
  let first = '';
  receiver.answerWith((response, webhook) =>
    webhook.body.type === 'team.created' && ['', webhook.body.data.resourceId].includes(first)
      ? refuse(500)(response, webhook)
      : accept(response, webhook),
  );
  const { body } = await owner.manage('POST', '/teams', { name: 'First' });
  first = Object(body['team']).id;
  await own.renameTeam(first, 'First, renamed');
  const second = await own.createTeam('Second');
  await receiver.count(1, (webhook) => webhook.body.data.resourceId === second);
  await settled(id, ['PENDING', 'PENDING', 'DELIVERED']);
  // The next try is counted from the recorded failure, so the clock must not be advanced before.
  const failed = async () =>
    (await own.deliveries(id)).filter(({ lastStatus }) => lastStatus === 500).length;
  await expect.poll(failed, { timeout: 20_000 }).toBe(1);
  receiver.answerWith(accept);
  app.advance(dayMs);
  await settled(id, ['DELIVERED', 'DELIVERED', 'DELIVERED']);
  const types = receiver.received
    .filter((webhook) => webhook.body.data.resourceId === first)
    .map((webhook) => webhook.body.type);
  expect(types.at(-1)).toBe('team.renamed');
  expect(types.indexOf('team.renamed')).toBe(types.lastIndexOf('team.created') + 1);
});

it('After ten failed tries in about three days a delivery is given up; administrators get one mail when the endpoint fails, and one when it is disabled', async () => {
  const { id } = await own.create(receiver.url);
  receiver.answerWith(refuse(500));
  await own.createTeam('Lost');
  const start = app.now().getTime();
  const ids = new Set<unknown>();
  for (let tries = 1; tries <= 10; tries += 1) {
    const delivery = await tried(id, tries);
    ids.add(receiver.received.at(-1)?.headers['webhook-id']);
    if (delivery?.nextTryAt)
      app.advance(new Date(delivery.nextTryAt).getTime() - app.now().getTime());
  }
  expect(ids.size).toBe(1);
  const days = (app.now().getTime() - start) / dayMs;
  expect(days).toBeGreaterThan(2.5);
  expect(days).toBeLessThan(3.5);
  const [delivery] = await settled(id, ['FAILED']);
  expect(delivery).toMatchObject({
    ...{ tries: 10, lastStatus: 500, nextTryAt: null, lastError: 'The receiver answered 500.' },
  });
  expect(receiver.received).toHaveLength(10);
  expect(await own.get(id)).toMatchObject({ state: 'DISABLED', disabledReason: 'UNREACHABLE' });
  const address = `admin@${owner.slug}.example`;
  await app.mail.nextAbout(address, 'A webhook is failing');
  await app.mail.nextAbout(address, 'A webhook was disabled');
  expect(
    await app.database.sql`
      select kind, user_id as "userId" from notifications where organization_id = ${owner.id}`,
  ).toEqual(
    Array.from({ length: 2 }, () => ({ kind: 'WEBHOOK_FAILED', userId: owner.administratorId })),
  );
  await vi.waitFor(async () =>
    expect(await app.database.sql`select id from webhook_notices`).toEqual([]),
  );
  expect(app.mail.mails).toEqual([]);
});

it('An endpoint that fails for five minutes is FAILING, and ACTIVE again with its next success', async () => {
  const { id } = await own.create(receiver.url);
  receiver.answerWith(refuse(503));
  await own.createTeam('Late');
  await tried(id, 1);
  expect((await own.get(id)).state).toBe('ACTIVE');
  app.advance(6 * minuteMs);
  await tried(id, 2);
  expect((await own.get(id)).state).toBe('FAILING');
  const told = () => app.database.sql`
    select user_id as "userId", kind, subject_id as "subjectId" from notifications where organization_id = ${owner.id}`;
  const failed = { userId: owner.administratorId, kind: 'WEBHOOK_FAILED', subjectId: id };
  expect(await told()).toEqual([failed]);
  receiver.answerWith(accept);
  app.advance(dayMs);
  await settled(id, ['DELIVERED']);
  expect((await own.get(id)).state).toBe('ACTIVE');
  const address = `admin@${owner.slug}.example`;
  await app.mail.nextAbout(address, 'A webhook is failing');
  await app.mail.nextAbout(address, 'A webhook works again');
  expect(await told()).toEqual([failed]);
});

it('Retry-After delays the next try of every event, by a day at most', async () => {
  const { id } = await own.create(receiver.url);
  receiver.answerWith(refuse(429, { 'retry-after': '7200' }));
  await own.createTeam('Patient');
  const delivery = await tried(id, 1);
  expect(new Date(delivery?.nextTryAt ?? '').getTime()).toBe(app.now().getTime() + 120 * minuteMs);
  await own.createTeam('Also patient');
  await settled(id, ['PENDING', 'PENDING']);
  app.advance(119 * minuteMs);
  expect((await own.deliveries(id)).map(({ tries }) => tries).toSorted()).toEqual([0, 1]);
  receiver.answerWith(refuse(503, { 'retry-after': '9999999' }));
  app.advance(minuteMs);
  await vi.waitFor(
    async () => expect((await own.deliveries(id)).map(({ tries }) => tries)).toContain(2),
    { timeout: 20_000 },
  );
  const times = (await own.deliveries(id)).map(({ nextTryAt }) => new Date(nextTryAt ?? ''));
  expect(Math.max(...times.map(Number))).toBeLessThanOrEqual(app.now().getTime() + dayMs);
});

it.each([
  ['a test', (id: string) => own.test(id)],
  ['a retry', async (id: string) => own.retry((await own.deliveries(id))[0]?.id ?? '')],
  [
    'a replay',
    (id: string) => own.replay(id, { from: new Date(app.now().getTime() - dayMs).toISOString() }),
  ],
])('A pause that a receiver has asked for ends with %s', async (_, ask) => {
  const { id } = await own.create(receiver.url);
  receiver.answerWith(refuse(429, { 'retry-after': '86400' }));
  await own.createTeam('Paused');
  await tried(id, 1);
  receiver.answerWith(accept);
  await own.settle();
  app.advance(1_000);
  await ask(id);
  await receiver.count(2);
});

it('What waits is tried at once at a new URL, with all its tries', async () => {
  const { id } = await own.create(receiver.url);
  receiver.answerWith(refuse(503, { 'retry-after': '86400' }));
  const teamId = await own.createTeam('Moved');
  await own.renameTeam(teamId, 'Moved on');
  await settled(id, ['PENDING', 'PENDING']);
  await vi.waitFor(async () =>
    expect((await own.deliveries(id)).map(({ tries }) => tries)).toContain(1),
  );
  await app.database.sql`
    update webhook_endpoints set state = 'FAILING', failing_since = ${app.now()}::timestamptz - interval '3 days' where id = ${id}`;
  await app.database
    .sql`update webhook_deliveries set tries = 9 where endpoint_id = ${id} and tries = 1`;
  const moved = await webhookReceiver();
  moved.answerWith(refuse(500));
  expect(await own.update(id, { url: moved.url })).toMatchObject({ state: 'ACTIVE' });
  await moved.count(1);
  await vi.waitFor(async () =>
    expect((await own.deliveries(id)).map(({ tries }) => tries).toSorted()).toEqual([0, 1]),
  );
  expect(await own.get(id)).toMatchObject({ state: 'ACTIVE', disabledReason: null });
  moved.answerWith(accept);
  app.advance(minuteMs);
  await settled(id, ['DELIVERED', 'DELIVERED']);
  expect(moved.received.map(({ body }) => body.type)).toEqual([
    'team.created',
    'team.created',
    'team.renamed',
  ]);
  await moved.close();
});

it('What an old URL answers after the endpoint was moved does not count for the new one (D184)', async () => {
  const { id } = await own.create(receiver.url);
  let answerOld: (() => void) | undefined;
  receiver.answerWith((response) => {
    answerOld = () => void response.writeHead(410).end();
  });
  await own.createTeam('On the way');
  await receiver.count(1);
  const moved = await webhookReceiver();
  await own.update(id, { url: moved.url });
  answerOld?.();
  await settled(id, ['DELIVERED']);
  expect(await own.get(id)).toMatchObject({ state: 'ACTIVE', disabledReason: null });
  expect(moved.received.map(({ body }) => body.type)).toEqual(['team.created']);
  await moved.close();
});

it('The same types in another order change nothing', async () => {
  const { id } = await own.create(receiver.url, { types: ['team.created', 'team.deleted'] });
  const before = await own.get(id);
  app.advance(minuteMs);
  for (const types of [
    ['team.deleted', 'team.created'],
    ['team.created', 'team.deleted', 'team.created'],
  ])
    expect(await own.update(id, { types })).toEqual(before);
  const entries = await app.database.sql`
    select action from audit_entries where target_id = ${id} and action = 'update-webhook-endpoint'`;
  expect(entries).toEqual([]);
  expect((await own.update(id, { types: ['team.deleted'] }))['types']).toEqual(['team.deleted']);
});

it('410 disables the endpoint at once, with a mail, and gives up what waits', async () => {
  const { id } = await own.create(receiver.url);
  receiver.answerWith(refuse(410));
  const teamId = await own.createTeam('Gone');
  await own.renameTeam(teamId, 'Long gone');
  await settled(id, ['FAILED', 'FAILED']);
  expect(await own.get(id)).toMatchObject({ state: 'DISABLED', disabledReason: 'GONE' });
  await app.mail.nextAbout(`admin@${owner.slug}.example`, 'A webhook was disabled');
  expect(receiver.received).toHaveLength(1);
});

it('A redirect is a failure, and is not followed', async () => {
  const target = await webhookReceiver();
  const { id } = await own.create(receiver.url);
  receiver.answerWith(refuse(307, { location: target.url }));
  await own.createTeam('Elsewhere');
  expect(await tried(id, 1)).toMatchObject({ state: 'PENDING', lastStatus: 307 });
  expect(target.received).toEqual([]);
  await target.close();
});

it('After a rotation both secrets sign for the hours that were asked for, then only the new one', async () => {
  const { id, secret } = await own.create(receiver.url);
  const newSecret = await own.rotate(id, 2);
  expect((await own.get(id))['previousSecretUntil']).toBe(
    new Date(app.now().getTime() + 120 * minuteMs).toISOString(),
  );
  await own.createTeam('Overlap');
  const [webhook] = await receiver.count(1);
  if (!webhook) throw new Error('nothing was received');
  for (const each of [secret, newSecret]) expect(verified(each, webhook)).toHaveLength(2);
  app.advance(121 * minuteMs);
  await own.createTeam('Afterwards');
  const [, later] = await receiver.count(2);
  if (!later) throw new Error('nothing was received');
  expect(verified(newSecret, later)).toHaveLength(2);
  expect(() => verified(secret, later)).toThrow();
});

it('A test is sent whatever the types, once, and a retry sends it again', async () => {
  const { id } = await own.create(receiver.url, { types: ['user.created'] });
  receiver.answerWith(refuse(400));
  const { id: deliveryId } = await own.test(id);
  const [failed] = await settled(id, ['FAILED']);
  expect(failed).toMatchObject({ id: deliveryId, tries: 1, eventType: null, lastStatus: 400 });
  expect((await own.get(id)).state).toBe('ACTIVE');
  receiver.answerWith(accept);
  expect(await own.retry(deliveryId)).toMatchObject({ state: 'PENDING' });
  await settled(id, ['DELIVERED']);
  const tests = receiver.received.map(({ body }) => [body.type, body.id]);
  expect(new Set(tests.map(String)).size).toBe(1);
  expect(tests[0]?.[0]).toBe('webhook.test');
});

it('A retry of a waiting delivery does not wait for its time', async () => {
  const { id } = await own.create(receiver.url);
  receiver.answerWith(refuse(500));
  await own.createTeam('Now');
  const delivery = await tried(id, 1);
  receiver.answerWith(accept);
  await own.retry(delivery?.id ?? '');
  await settled(id, ['DELIVERED']);
});

it('A replay sends the events of a period again, with the same ids', async () => {
  const { id } = await own.create(receiver.url);
  await own.createTeam('Before');
  await receiver.count(1);
  app.advance(minuteMs);
  const from = app.now().toISOString();
  const teams = [await own.createTeam('One'), await own.createTeam('Two')];
  app.advance(minuteMs);
  const until = app.now().toISOString();
  await own.createTeam('After');
  await receiver.count(4);
  await settled(id, ['DELIVERED', 'DELIVERED', 'DELIVERED', 'DELIVERED']);
  await own.replay(id, { from, until });
  const received = await receiver.count(6);
  const again = received.slice(4).map(({ body }) => body.data.resourceId);
  expect(again.toSorted()).toEqual(teams.toSorted());
  await vi.waitFor(async () => expect((await own.get(id))['isReplaying']).toBe(false));
  expect(new Set(received.map(({ body }) => body.id)).size).toBe(4);
});

it('A replay of what failed sends nothing else', async () => {
  const { id } = await own.create(receiver.url);
  const from = new Date(app.now().getTime() - minuteMs).toISOString();
  await own.createTeam('Delivered');
  await settled(id, ['DELIVERED']);
  receiver.answerWith(refuse(410));
  const lost = [await own.createTeam('Lost'), await own.createTeam('Lost too')];
  await settled(id, ['DELIVERED', 'FAILED', 'FAILED']);
  receiver.answerWith(accept);
  await own.update(id, { isActive: true });
  const before = receiver.received.length;
  app.advance(minuteMs);
  await own.replay(id, { from, onlyFailed: true });
  await settled(id, ['DELIVERED', 'DELIVERED', 'DELIVERED']);
  const again = receiver.received.slice(before).map(({ body }) => body.data.resourceId);
  expect(again.toSorted()).toEqual(lost.toSorted());
});

it.each([
  [{ url: 'http://example.com/' }, 'url'],
  [{ url: 'https://user:password@example.com/' }, 'url'],
  [{ url: 'https://10.0.0.1/' }, 'url'],
  [{ url: 'https://127.0.0.1/' }, 'url'],
  [{ url: 'https://localhost/' }, 'url'],
  [{ url: 'https://hooks.internal/' }, 'url'],
  [{ url: 'https://example.com:22/' }, 'url'],
  [{ url: 'no url' }, 'url'],
  [{}, 'url'],
  [{ url: 'https://example.com/', types: ['team.painted'] }, 'types[0]'],
  [{ url: 'https://example.com/', types: 'team.created' }, 'types'],
  [{ url: 'https://example.com/', types: null }, 'types'],
  [{ url: 'https://example.com/', encoding: 'XML' }, 'encoding'],
  [{ url: 'https://example.com/', description: 'x'.repeat(501) }, 'description'],
])('An endpoint with %j is refused for %s', async (body, field) => {
  const answer = await (await strict.organization()).call('POST', path, body);
  expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
});

it('An organization cannot reach the endpoints and deliveries of another one', async () => {
  const { id } = await own.create(receiver.url);
  const { id: deliveryId } = await own.test(id);
  const other = await app.organization();
  const from = app.now().toISOString();
  for (const [method, at, body] of [
    ['GET', `${path}/${id}`],
    ['PATCH', `${path}/${id}`, { description: 'theirs' }],
    ['DELETE', `${path}/${id}`],
    ['POST', `${path}/${id}/rotate`],
    ['POST', `${path}/${id}/test`],
    ['POST', `${path}/${id}/replay`, { from: new Date(0).toISOString(), until: from }],
    ['GET', `${path}/${id}/deliveries`],
    ['POST', `/api/events/v1/deliveries/${deliveryId}/retry`],
  ] as const)
    expect((await other.call(method, at, body)).status, `${method} ${at}`).toBe(404);
  expect((await other.call('GET', path)).body['endpoints']).toEqual([]);
  await settled(id, ['DELIVERED']);
});

it('An organization can have 20 endpoints', async () => {
  for (let number = 0; number < 20; number += 1) await own.create(receiver.url);
  const answer = await owner.call('POST', path, { url: receiver.url });
  expect(answer).toMatchObject({ status: 403, body: { code: 'QUOTA_EXCEEDED' } });
  const page = await owner.call('GET', `${path}?pageSize=15&page=2`);
  expect(page.body).toMatchObject({ total: 20, totalPages: 2, endpoints: { length: 5 } });
});
