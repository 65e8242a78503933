import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { scheduleSweep } from '../../../src/modules/conversations/sweep-conversations.ts';
import { clocksAgree } from '../../../src/platform/database/clocks-agree.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn } from '../../support/assistants.ts';
import { conversationsOf } from '../../support/conversations.ts';
import { serverUrl } from '../../support/database.ts';

const dayMs = 86_400_000;
let app: TestApp;
beforeEach(async () => {
  app = await testApp();
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

it('The clocks of this process and of its database agree', async () => {
  expect(await clocksAgree({ database: app.database })).toBe(true);
});

it.skipIf(serverUrl === undefined)(
  'A process whose clock is a hundred days ahead of the database deletes nothing by its age',
  async () => {
    const organization = await app.organization();
    await app.database
      .sql`update organizations set retention_days = 30 where id = ${organization.id}`;
    const person = await personIn(app, organization);
    await conversationsOf(person).create(await assistantOf(person));
    const count = () => app.database.prisma.conversation.count();
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.setSystemTime(Date.now() + 100 * dayMs);
    const logged = Promise.withResolvers<unknown[]>();
    const error = (...values: unknown[]) => logged.resolve(values);
    const sweeping = scheduleSweep(
      {
        ...{ database: app.database, clock: () => new Date(), wake: () => undefined },
        log: Object.assign(Object.create(app.contextParts.log), { error }),
      },
      0,
    );
    expect(await logged.promise).toEqual([
      { differenceSeconds: 100 * 86_400 },
      expect.stringContaining('nothing is deleted'),
    ]);
    await sweeping.stop();
    expect(await count()).toBe(1);
  },
);
