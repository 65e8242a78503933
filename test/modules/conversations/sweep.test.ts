import { afterAll, beforeAll, expect, it } from 'vitest';
import { sweepConversations } from '../../../src/modules/conversations/sweep-conversations.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn } from '../../support/assistants.ts';
import { conversationsOf } from '../../support/conversations.ts';

const start = new Date('2026-01-01T00:00:00.000Z');
let app: TestApp;
let now = start;

beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { clock: () => now });
});
afterAll(() => app.close());

const sweep = () =>
  sweepConversations({ database: app.database, clock: () => now, wake: () => undefined });

it('The sweep deletes what is older than the retention, and records the number for each organization', async () => {
  const [short, long] = [await app.organization(), await app.organization()];
  await app.database.sql`update organizations set retention_days = 30 where id = ${short.id}`;
  const people = [await personIn(app, short), await personIn(app, long)];
  for (const person of people) {
    const assistantId = await assistantOf(person);
    const conversationId = await conversationsOf(person).create(assistantId);
    await conversationsOf(person).ask({ assistantId, conversationId }, 'Is this old?');
    await conversationsOf(person).create(assistantId, 'Another');
  }
  now = new Date('2026-01-30T00:00:00.000Z');
  expect(await sweep()).toBe(0);
  now = new Date('2026-02-01T00:00:00.000Z');
  // Two processes may sweep at once.
  const deleted = await Promise.all([sweep(), sweep()]);
  expect(deleted[0] + deleted[1]).toBe(2);
  const left = await app.database.sql<{ organizationId: string }>`
    select distinct organization_id as "organizationId" from conversations`;
  expect(left).toEqual([{ organizationId: long.id }]);
  const entries = await app.database.sql<{
    organizationId: string;
    actorKind: string;
    changes: object;
  }>`
    select organization_id as "organizationId", actor_kind as "actorKind", changes from audit_entries where action = 'sweep-conversations'`;
  expect(entries).toEqual([
    {
      ...{ organizationId: short.id, actorKind: 'SYSTEM' },
      changes: { conversations: 2, messages: 2, attachments: 0 },
    },
  ]);
  expect(await sweep()).toBe(0);
});

it('A question prolongs the retention of its conversation', async () => {
  now = start;
  const organization = await app.organization();
  const person = await personIn(app, organization);
  const own = conversationsOf(person);
  const assistantId = await assistantOf(person);
  const conversationId = await own.create(assistantId, 'Long');
  now = new Date('2026-12-01T00:00:00.000Z');
  await own.ask({ assistantId, conversationId }, 'Still here?');
  now = new Date('2027-06-01T00:00:00.000Z');
  await sweep();
  expect((await own.get(conversationId)).messages).toHaveLength(2);
});
