import { afterAll, beforeAll, expect, it } from 'vitest';
import { assistantOf, personIn } from '../../support/assistants.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';

const runsOfTheOther = 200;
let runs: RunApp;
beforeAll(async () => {
  runs = await runApp({ QUOTA_RUNS: '1000' });
});
afterAll(() => runs.close());

it('A run does not wait for the runs that another organization has sent before', async () => {
  const { app, provider, owner, assistantId } = runs;
  const other = await personIn(app, await app.organization());
  const assistantOfOther = await assistantOf(other);
  const run = ({ call }: typeof other, assistant: string, question: string) =>
    call('POST', `/api/assistants/v1/${assistant}/run`, {
      messages: [{ role: 'user', content: question }],
    });
  const before = Array.from({ length: runsOfTheOther }, () =>
    run(other, assistantOfOther, 'one of many'),
  );
  const after = run(owner, assistantId, 'a single one');
  const statuses = (await Promise.all([...before, after])).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([200]));
  const questions = provider.requests.map(({ messages }) => JSON.stringify(messages));
  expect(questions).toHaveLength(runsOfTheOther + 1);
  const place = questions.findIndex((question) => question.includes('a single one'));
  expect(place).toBeLessThan(runsOfTheOther / 2);
});
