import { afterAll, beforeAll, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { personIn } from '../../support/assistants.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

it('A member can share with their own teams, and an administrator with every team of the organization, by name', async () => {
  const organization = await app.organization();
  const member = await personIn(app, organization);
  for (const name of ['zebras', 'Antelopes']) {
    const { body } = await organization.manage('POST', '/teams', { name });
    if (name === 'zebras')
      await organization.manage('POST', `/teams/${Object(body['team']).id}/users`, {
        userId: member.id,
      });
  }
  await (await app.organization()).manage('POST', '/teams', { name: 'Foreigners' });
  const query = '{ sharingTeams { name isDefault } }';
  const ownTeams = await member.graph(query);
  expect(Object(ownTeams.data?.['sharingTeams']).map(({ name }: { name: string }) => name)).toEqual(
    [expect.any(String), 'zebras'],
  );
  const administrator = await signIn(app, organization.administratorId);
  const allTeams = Object((await administrator.graph(query)).data?.['sharingTeams']);
  expect(allTeams.map(({ isDefault }: { isDefault: boolean }) => isDefault)).toEqual([
    false,
    true,
    false,
  ]);
  expect((await app.graph(organization.key, query)).errors[0]?.extensions?.code).toBe('FORBIDDEN');
});
