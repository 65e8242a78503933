import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { chunkOf } from '../../support/model-provider.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';

let setting: RunApp;
let other: TestPerson;
let otherAssistant: string;
beforeAll(async () => {
  setting = await runApp({ QUOTA_RUNS: '200', QUOTA_QUEUED_RUNS: '200' });
  other = await personIn(setting.app, await setting.app.organization());
  otherAssistant = await assistantOf(other);
});
afterAll(() => setting.close());

const runsOfOneProcess = 48;
const start = async ({ call }: TestPerson, assistantId: string, text: string): Promise<string> => {
  const { status, body } = await call(
    'POST',
    `/api/assistants/v1/${assistantId}/run`,
    { messages: [{ role: 'user', content: text }] },
    { prefer: 'respond-async' },
  );
  expect(status).toBe(202);
  return String(body['runId']);
};
const statesOf = (organizationId: string) =>
  setting.app.database.sql<{ state: string }>`
    select state from runs where organization_id = ${organizationId} order by created_at, id`;

it('A process that is stopped while it claims a run leaves it to other processes', async () => {
  const { app, provider, owner, assistantId, organization } = setting;
  provider.now(() => () => undefined);
  const id = await start(owner, assistantId, 'asked at the end');
  const twin = await app.twin();
  twin.startProcessing();
  await twin.stopProcessing();
  const [run] = await app.database.sql`
    select coalesce(lease_until >= clock_timestamp(), false) as "isHeld" from runs where id = ${id}`;
  expect(run).toEqual({ isHeld: false });
  await app.database.sql`delete from runs where organization_id = ${organization.id}`;
});

it('Organizations take turns with durable runs, also if one of them has more than a process executes', async () => {
  const { app, provider, owner, assistantId, organization } = setting;
  const released = Promise.withResolvers<void>();
  provider.now(({ model, messages }) =>
    JSON.stringify(messages).includes('of many')
      ? async (response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' });
          response.flushHeaders();
          await released.promise;
          response.end(
            `${chunkOf(model, { content: 'Hello.' })}${chunkOf(model, {}, 'stop')}data: [DONE]\n\n`,
          );
        }
      : { text: 'Hello.' },
  );
  for (let number = 1; number <= runsOfOneProcess + 10; number += 1)
    await start(owner, assistantId, 'one of many');
  const earlier = await start(other, otherAssistant, 'sent after the many');
  app.startProcessing();
  const stateOf = async (id: string) =>
    Object((await other.call('GET', `/api/assistants/v1/runs/${id}?wait=5`)).body['run']).state;
  await expect.poll(() => stateOf(earlier), { timeout: 20_000 }).toBe('COMPLETED');

  // It was the second one that began, not the last one.
  const [{ before } = { before: Number.NaN }] = await app.database.sql<{ before: number }>`
    select count(*)::int as before from runs r, runs o
    where o.id = ${earlier} and r.organization_id = ${organization.id} and r.started_at < o.started_at`;
  expect(before).toBeLessThanOrEqual(1);

  // The other organization still has places once the first one has all that one may have.
  const inProgress = async () =>
    (await statesOf(organization.id)).filter(({ state }) => state === 'RUNNING').length;
  await expect.poll(inProgress, { timeout: 20_000 }).toBe(runsOfOneProcess);
  const later = await start(other, otherAssistant, 'sent meanwhile');
  await expect.poll(() => stateOf(later), { timeout: 20_000 }).toBe('COMPLETED');
  expect(await inProgress()).toBe(runsOfOneProcess);

  released.resolve();
  await expect
    .poll(async () => new Set((await statesOf(organization.id)).map(({ state }) => state)), {
      timeout: 30_000,
    })
    .toEqual(new Set(['COMPLETED']));
});
