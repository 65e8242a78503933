import { afterAll, beforeAll, expect, it } from 'vitest';
import { joinOrganization } from '../../../src/modules/organizations/join-organization.ts';
import { inTransaction } from '../../../src/platform/database/transaction.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf } from '../../support/files.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

let app: TestApp;
let organization: TestOrganization;
let ada: TestPerson;
let session: TestSession;
let assistantId: string;
let id: string;
beforeAll(async () => {
  app = await testApp();
  organization = await app.organization();
  ada = await personIn(app, organization);
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

async function contentAddress({ graph }: TestSession) {
  const query =
    'query ($assistantId: ID!, $documentId: ID!) { assistantFileContent(assistantId: $assistantId, documentId: $documentId) }';
  const { data } = await graph(
    query,
    { assistantId, documentId: id },
    { 'x-atrium-organization': organization.id },
  );
  return String(data?.['assistantFileContent']);
}

it('The address for a signed-in person opens with their cookie, and browsers do not show the file as a page', async () => {
  const address = await contentAddress(session);
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

it('The address names the organization, for people who belong to several', async () => {
  const otherOrganization = await app.organization();
  const user = await app.database.prisma.user.findUniqueOrThrow({ where: { id: ada.id } });
  await inTransaction(app.database, (tx) =>
    joinOrganization({ organizationId: otherOrganization.id, user, at: new Date(0) }, tx),
  );
  const address = await contentAddress(session);
  expect((await app.request('GET', address, { headers: { cookie: session.cookie } })).text).toBe(
    '0123456789',
  );
  const [path = ''] = address.split('?');
  expect((await app.request('GET', path, { headers: { cookie: session.cookie } })).status).toBe(
    404,
  );
});

it('The address does not open without a cookie, without access to the assistant, or in another organization', async () => {
  const address = await contentAddress(session);
  expect((await app.request('GET', address)).status).toBe(401);
  const colleague = await signIn(app, (await personIn(app, organization)).id);
  expect(
    (await app.request('GET', address, { headers: { cookie: colleague.cookie } })).status,
  ).toBe(403);
  const outsider = await signIn(app, (await personIn(app, await app.organization())).id);
  expect((await app.request('GET', address, { headers: { cookie: outsider.cookie } })).status).toBe(
    403,
  );
  const [path = ''] = address.split('?');
  expect((await app.request('GET', path, { headers: { cookie: outsider.cookie } })).status).toBe(
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
])('The request %s %s gets %i', async (method, path, status) => {
  expect((await app.request(method, path, { headers: { cookie: session.cookie } })).status).toBe(
    status,
  );
});
