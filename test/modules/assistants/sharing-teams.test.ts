import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { personIn } from '../../support/assistants.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

it('the teams to share with are those that one is in, and for administrators all of their organization, by name', async () => {
  const ours = await app.organization();
  const member = await personIn(app, ours);
  for (const name of ['zebras', 'Antelopes']) {
    const { body } = await ours.manage('POST', '/teams', { name });
    if (name === 'zebras')
      await ours.manage('POST', `/teams/${Object(body['team']).id}/users`, { userId: member.id });
  }
  await (await app.organization()).manage('POST', '/teams', { name: 'Foreigners' });
  const query = '{ sharingTeams { name isDefault } }';
  const mine = await member.graph(query);
  expect(Object(mine.data?.['sharingTeams']).map(({ name }: { name: string }) => name)).toEqual([
    expect.any(String),
    'zebras',
  ]);
  const administrator = await signIn(app, ours.administratorId);
  const every = Object((await administrator.graph(query)).data?.['sharingTeams']);
  expect(every.map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([
    false,
    true,
    false,
  ]);
  expect((await app.graph(ours.key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
});
