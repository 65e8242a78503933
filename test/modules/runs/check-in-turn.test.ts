import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf, personIn } from '../../support/assistants.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';

let runs: RunApp;
beforeAll(async () => {
  runs = await runApp();
});
afterAll(() => runs.close());

it('While an organization has many runs that are being checked, its next run waits, and that of another organization does not', async () => {
  const { app, provider, owner, assistantId } = runs;
  const busyOrganization = await app.organization();
  const busy = await personIn(app, busyOrganization);
  const busyAssistant = await assistantOf(busy);
  const run = ({ call }: typeof busy, assistant: string, question: string) =>
    call('POST', `/api/assistants/v1/${assistant}/run`, {
      messages: [{ role: 'user', content: question }],
    });
  const ended = Promise.withResolvers<void>();
  let inProgress = 0;
  const checks = Array.from({ length: 200 }, () =>
    app.contextParts.runs.checkInTurn(
      { organizationId: busyOrganization.id, signal: new AbortController().signal },
      () => {
        inProgress += 1;
        return ended.promise;
      },
    ),
  );
  await setImmediate();
  expect(inProgress).toBeGreaterThan(0);
  expect(inProgress).toBeLessThan(checks.length);

  const waiting = run(busy, busyAssistant, 'of the busy organization');
  expect((await run(owner, assistantId, 'of another organization')).status).toBe(200);
  expect(provider.requests.map(({ messages }) => JSON.stringify(messages))).toEqual([
    expect.stringContaining('of another organization'),
  ]);
  ended.resolve();
  await Promise.all(checks);
  expect((await waiting).status).toBe(200);
});
