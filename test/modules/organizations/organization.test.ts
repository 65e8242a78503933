import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../../support/app.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const query = '{ organization { id slug name features seatLimit memberCount createdAt } }';

describe('organization', () => {
  it('The field organization answers with the viewer’s organization and its member count for every kind of credential', async () => {
    const owner = await app.organization({ features: ['userManagement'], seatLimit: 7 });
    const { id } = await owner.member(`member@${owner.slug}.example`);
    const organization = {
      id: owner.id,
      slug: owner.slug,
      name: owner.slug,
      features: ['USER_MANAGEMENT'],
      seatLimit: 7,
      memberCount: 2,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    };
    expect((await app.graph(owner.key, query)).data).toEqual({ organization });
    expect((await app.graph((await owner.userKey(id)).key, query)).data).toEqual({ organization });
    expect((await (await signIn(app, id)).graph(query)).data).toEqual({ organization });
  });
});
