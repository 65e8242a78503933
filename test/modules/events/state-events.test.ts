import { afterAll, beforeAll, expect, it } from 'vitest';
import { announceDue } from '../../../src/modules/events/announce-due.ts';
import { eventTypes, publicNameOf, typeOfAction } from '../../../src/modules/events/event-types.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { partnerIn } from '../../support/partner.ts';
import { rowsIn } from '../../support/rows.ts';
import { settleEvents } from '../../support/settle-events.ts';

type Partner = Awaited<ReturnType<typeof partnerIn>>;

const dayMs = 86_400_000;

let app: TestApp;
let partner: Partner;
let now: Date;
const inDays = (days: number) => new Date(now.getTime() + days * dayMs);

beforeAll(async () => {
  now = new Date();
  app = await testApp({}, { clock: () => now });
  partner = await partnerIn(app);
});
afterAll(() => app.close());

async function eventsAfter(next: string) {
  await settleEvents(app.database);
  const { body } = await partner.call('GET', `/api/events/v1/events?after=${next}`);
  return (
    body['events'] as { type: string; data: { resourceId: string; references: unknown[] } }[]
  ).map(({ type, data }) => [type, data.resourceId, data.references]);
}
async function cursor(): Promise<string> {
  await settleEvents(app.database);
  return String((await partner.call('GET', '/api/events/v1/events?limit=1000')).body['next']);
}
const announce = () => announceDue({ database: app.database, clock: () => now });

it('Every type has a public name of its own, and is found by its actions', () => {
  const names = eventTypes.map(publicNameOf);
  expect(new Set(names).size).toBe(eventTypes.length);
  for (const name of names) expect(name).toMatch(/^[a-z]+\.[a-z_]+$/);
  expect(typeOfAction('create-campaign')).toBe('CAMPAIGN_CREATED');
  expect(typeOfAction('sign-in')).toBeUndefined();
});

it.each([
  ['COMPLETED', 'run.completed'],
  ['FAILED', 'run.failed'],
  ['EXPIRED', 'run.failed'],
  ['CANCELLED', 'run.cancelled'],
])('A run that becomes %s is the event %s, once', async (state, type) => {
  const id = `run-${state}`;
  await app.database.sql`
    insert into runs (id, organization_id, assistant_id, assistant_version, state, model)
    values (${id}, ${partner.id}, 'handbook', now(), 'RUNNING', 'large')`;
  const next = await cursor();
  await app.database.sql`update runs set step_count = 1, state = 'RUNNING' where id = ${id}`;
  await app.database
    .sql`update runs set state = ${state}::run_state, ended_at = ${now} where id = ${id}`;
  await app.database
    .sql`update runs set content_until = ${now}, state = ${state}::run_state where id = ${id}`;
  expect(await eventsAfter(next)).toEqual([[type, id, [{ name: 'assistantId', id: 'handbook' }]]]);
});

it.each([
  ['COMPLETED', 'file.completed'],
  ['FAILED', 'file.failed'],
])('A file that becomes %s is the event %s', async (status, type) => {
  const { prisma } = app.database;
  const assistantId = `assistant-${status}`;
  await prisma.assistant.create({
    data: { id: assistantId, organizationId: partner.id, name: assistantId, instructions: '' },
  });
  const id = `file-${status}`;
  await prisma.assistantFile.create({
    data: {
      ...{ id, assistantId, organizationId: partner.id, originalName: 'secret.pdf' },
      ...{
        mimeType: 'application/pdf',
        size: 1,
        hash: 'a'.repeat(64),
        storageKey: id,
        replacesId: 'old',
      },
    },
  });
  const next = await cursor();
  await app.database.sql`update assistant_files set status = 'PROCESSING' where id = ${id}`;
  await app.database.sql`
    update assistant_files set status = ${status}::processing_status, replaces_id = null,
      error_code = ${status === 'FAILED' ? 'UNREADABLE' : null}, error_message = ${status === 'FAILED' ? 'unreadable' : null}
    where id = ${id}`;
  const references = [
    { name: 'assistantId', id: assistantId },
    { name: 'replacedId', id: 'old' },
  ];
  expect(await eventsAfter(next)).toEqual([[type, id, references]]);
});

it('A budget is warned of at 80 % and exhausted at 100 %, each once in a period', async () => {
  const { sql } = app.database;
  const id = 'budget';
  await sql`
    insert into budgets (id, organization_id, scope, metric, period, limit_amount, mode, period_start)
    values (${id}, ${partner.id}, 'ORGANIZATION', 'TOKENS', 'DAY', 100, 'WARN', ${now})`;
  const next = await cursor();
  for (const used of [79, 80, 81, 99, 100, 120])
    await sql`update budgets set used = ${used} where id = ${id}`;
  await sql`update budgets set used = 85, period_start = ${inDays(1)} where id = ${id}`;
  expect(await eventsAfter(next)).toEqual([
    ['budget.warned', id, []],
    ['budget.exhausted', id, []],
    ['budget.warned', id, []],
  ]);
});

it('A change that is rolled back is no event', async () => {
  const next = await cursor();
  const failure = app.database.transact(async ({ sql }) => {
    await sql`update budgets set used = 100 where id = 'budget'`;
    throw new Error('rolled back');
  });
  await expect(failure).rejects.toThrow('rolled back');
  expect(await eventsAfter(next)).toEqual([]);
});

it('A key is announced once before each date on which it expires', async () => {
  const { id: userId } = await partner.member('keys@state.example');
  const { id } = await partner.userKey(userId, { expiresAt: inDays(10) });
  await partner.userKey(userId, { expiresAt: inDays(20) });
  const next = await cursor();
  await announce();
  await announce();
  const expected = ['key.expiring', id, [{ name: 'userId', id: userId }]];
  expect(await eventsAfter(next)).toEqual([expected]);
  await app.database.sql`update api_keys set expires_at = ${inDays(5)} where id = ${id}`;
  await announce();
  expect(await eventsAfter(next)).toEqual([expected, expected]);
});

it('A sponsorship is announced before its end and at its end, and again after it was extended', async () => {
  const { id: campaignId } = await partner.campaign({ durationMonths: 1 });
  const { id, organizationId } = await partner.redeem(await partner.link(campaignId));
  const next = await cursor();
  const setEnd = (end: Date) =>
    app.database.sql`update redemptions set sponsored_until = ${end} where id = ${id}`;
  const references = [
    { name: 'campaignId', id: campaignId },
    { name: 'sponsoredOrganizationId', id: organizationId },
  ];
  await setEnd(inDays(31));
  await announce();
  expect(await eventsAfter(next)).toEqual([]);
  await setEnd(inDays(29));
  await announce();
  await announce();
  expect(await eventsAfter(next)).toEqual([['redemption.ending_soon', id, references]]);
  const before = now;
  now = inDays(30);
  await announce();
  await announce();
  expect((await eventsAfter(next)).map(([type]) => type)).toEqual([
    'redemption.ending_soon',
    'redemption.ended',
  ]);
  await setEnd(inDays(10));
  await announce();
  expect((await eventsAfter(next)).map(([type]) => type)).toEqual([
    'redemption.ending_soon',
    'redemption.ended',
    'redemption.ending_soon',
  ]);
  now = before;
});

it('Processes that announce at the same time announce each date once', async () => {
  const { id: organizationId } = await rowsIn(app.database).organization();
  await app.database.sql`
    insert into api_keys (id, kind, organization_id, name, hash, prefix, last_four, expires_at)
    values ('raced key', 'ORGANIZATION', ${organizationId}, 'raced', sha256('raced'), 'sk', 'last', ${inDays(3)})`;
  await Promise.all(Array.from({ length: 4 }, announce));
  await announce();
  const entries = await app.database.sql`
    select from audit_entries where target_id = 'raced key' and action = 'announce-key-expiry'`;
  expect(entries).toHaveLength(1);
});
