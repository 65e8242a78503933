import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinOrganization } from '../../../src/modules/organizations/join-organization.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

let app: TestApp;
let ours: TestOrganization;
let ada: TestPerson;
let session: TestSession;
let assistantId: string;
let id: string;
beforeAll(async () => {
  app = await testApp();
  ours = await app.organization();
  ada = await personIn(app, ours);
  session = await signIn(app, ada.id);
  assistantId = await assistantOf(ada);
  id = fileIdIn(
    await filesOf(app, ada, assistantId).upload('0123456789', {
      name: 'digits.html',
      type: 'text/html',
    }),
  );
});
afterAll(() => app.close());

async function addressIn({ graph }: TestSession) {
  const query =
    'query ($assistantId: ResourceId!, $documentId: ResourceId!) { assistantFileContent(assistantId: $assistantId, documentId: $documentId) }';
  const { data } = await graph(
    query,
    { assistantId, documentId: id },
    { 'x-atrium-organization': ours.id },
  );
  return String(data?.['assistantFileContent']);
}

it('the address that a signed-in person is told opens with their cookie alone, and no browser takes the file for a page', async () => {
  const address = await addressIn(session);
  const { status, text, headers } = await app.request('GET', address, {
    headers: { cookie: session.cookie },
  });
  expect({ status, text }).toEqual({ status: 200, text: '0123456789' });
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-disposition': expect.stringMatching(/^attachment/),
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
  });
  expect(
    await app.request('GET', address, { headers: { cookie: session.cookie, range: 'bytes=2-4' } }),
  ).toMatchObject({ status: 206, text: '234' });
  const head = await app.request('HEAD', address, { headers: { cookie: session.cookie } });
  expect([head.status, head.text, head.headers.get('content-length')]).toEqual([200, '', '10']);
});

it('it names the organization, for people who are in several', async () => {
  const other = await app.organization();
  const user = await app.database.prisma.user.findUniqueOrThrow({ where: { id: ada.id } });
  await inTransaction(app.database, (tx) =>
    joinOrganization({ organizationId: other.id, user, at: new Date(0) }, tx),
  );
  const address = await addressIn(session);
  expect((await app.request('GET', address, { headers: { cookie: session.cookie } })).text).toBe(
    '0123456789',
  );
  const [path = ''] = address.split('?');
  expect((await app.request('GET', path, { headers: { cookie: session.cookie } })).status).toBe(
    404,
  );
});

it('it opens to nobody else: not without a cookie, not to who may not see the assistant, not to another organization', async () => {
  const address = await addressIn(session);
  expect((await app.request('GET', address)).status).toBe(401);
  const colleague = await signIn(app, (await personIn(app, ours)).id);
  expect(
    (await app.request('GET', address, { headers: { cookie: colleague.cookie } })).status,
  ).toBe(403);
  const stranger = await signIn(app, (await personIn(app, await app.organization())).id);
  expect((await app.request('GET', address, { headers: { cookie: stranger.cookie } })).status).toBe(
    403,
  );
  const [path = ''] = address.split('?');
  expect((await app.request('GET', path, { headers: { cookie: stranger.cookie } })).status).toBe(
    404,
  );
  expect(
    (
      await app.request('GET', `/files/${assistantId}/unknown`, {
        headers: { cookie: session.cookie },
      })
    ).status,
  ).toBe(404);
});

it.each([
  ['GET', '/files', 404],
  ['GET', '/files/', 404],
  ['GET', '/files/a', 404],
  ['GET', '/files/a/b/c', 404],
  ['GET', '/files/%/b', 404],
  ['POST', '/files/a/b', 405],
  ['DELETE', '/files/a/b', 405],
])('%s %s is %i', async (method, path, status) => {
  expect((await app.request(method, path, { headers: { cookie: session.cookie } })).status).toBe(
    status,
  );
});
