import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { assistantOf, personIn, share } from '../support/assistants.ts';
import { filesPath, formOf, formType } from '../support/files.ts';
import { type RunApp, runApp } from '../support/run-app.ts';
import { signIn } from '../support/sign-in.ts';

// A key is remembered for 750 ms.
const untilRevocationTakesEffectMs = 1_000;

let setting: RunApp;
beforeAll(async () => {
  setting = await runApp();
});
afterAll(() => setting.close());

type HeldRequest = { path: string; headers: Record<string, string>; body: string | Buffer };

// The last delimiter of a form, and the end of the file before it.
const heldBytes = 35;

/** Sends a request, with the last bytes of its body after `meanwhile`. */
async function hold(
  { path, headers, body }: HeldRequest,
  meanwhile: () => Promise<unknown>,
): Promise<{ status: number | undefined; body: Record<string, unknown> }> {
  const bytes = Buffer.from(body);
  const request = httpRequest(setting.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-length': bytes.length },
  });
  const answered: Promise<[IncomingMessage]> = once(request, 'response') as never;
  request.write(bytes.subarray(0, -heldBytes));
  // The request is admitted before its body has arrived.
  await pause(300);
  await meanwhile();
  await pause(untilRevocationTakesEffectMs);
  request.end(bytes.subarray(-heldBytes));
  const [response] = await answered;
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) };
}

const json = 'application/json';
const withKey = (key: string, type = json) => ({
  authorization: `Bearer ${key}`,
  'content-type': type,
});
const revoke = (key: string) =>
  setting.app.database.prisma.apiKey.updateMany({
    where: { lastFour: key.slice(-4) },
    data: { revokedAt: new Date() },
  });
const textFile = (content: string) =>
  formOf([{ name: 'file', fileName: 'notes.txt', type: 'text/plain', content }]);
const graphForm = (query: string, variables: object) =>
  formOf([
    { name: 'operations', content: JSON.stringify({ query, variables }) },
    { name: 'map', content: '{"0":["variables.file"]}' },
    { name: '0', fileName: 'notes.txt', type: 'text/plain', content: 'of a removed person' },
  ]);
const filesNamed = (originalName: string) =>
  setting.app.database.prisma.assistantFile.count({ where: { originalName } });

const createTeamRequest = (cookie: string) => ({
  path: '/graphql',
  headers: { cookie, 'content-type': json },
  body: '{"query":"mutation { createTeam(input: { name: \\"Late\\" }) { team { id } } }"}',
});

describe('A request whose body arrives after its sender has lost access changes nothing', () => {
  it('A call with an organization key', async () => {
    const { app } = setting;
    const organization = await app.organization();
    const email = 'late@held.example';
    const answer = await hold(
      {
        path: '/api/user-management/v1/users',
        headers: withKey(organization.key),
        body: JSON.stringify({ email, firstName: 'Late' }),
      },
      () => revoke(organization.key),
    );
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect(await app.database.prisma.user.count({ where: { email } })).toBe(0);
  });

  it('A mutation of a person who has signed out', async () => {
    const { app } = setting;
    const organization = await app.organization();
    const { cookie } = await signIn(app, organization.administratorId);
    const answer = await hold(createTeamRequest(cookie), () =>
      app.database.prisma.session.deleteMany(),
    );
    expect(answer.body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(await app.database.prisma.team.count({ where: { name: 'Late' } })).toBe(0);
  });

  it('A mutation of a person who is no longer an administrator', async () => {
    const { app } = setting;
    const organization = await app.organization();
    const { cookie } = await signIn(app, organization.administratorId);
    const answer = await hold(createTeamRequest(cookie), () =>
      app.database.prisma.membership.updateMany({
        where: { userId: organization.administratorId },
        data: { role: 'MEMBER' },
      }),
    );
    expect(answer.body).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
    expect(await app.database.prisma.team.count({ where: { name: 'Late' } })).toBe(0);
  });

  it('A file that is uploaded with a key', async () => {
    const { app, organization, owner, assistantId } = setting;
    const editor = await personIn(app, organization);
    await share(owner, assistantId, 'EDIT', { userId: editor.id });
    const before = await filesNamed('notes.txt');
    const answer = await hold(
      {
        path: filesPath(assistantId),
        headers: withKey(editor.key, formType),
        body: textFile('of a revoked key'),
      },
      () => revoke(editor.key),
    );
    expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHENTICATED' } });
    expect(await filesNamed('notes.txt')).toBe(before);
  });

  it('A file that replaces another one', async () => {
    const { app, organization, owner, assistantId, handbook } = setting;
    const editor = await personIn(app, organization);
    await share(owner, assistantId, 'EDIT', { userId: editor.id });
    const { cookie } = await signIn(app, editor.id);
    const answer = await hold(
      {
        path: '/graphql',
        headers: { cookie, 'content-type': formType, 'x-requested-with': 'fetch' },
        body: graphForm(
          'mutation ($assistantId: ID!, $documentId: ID!, $file: Upload!) { replaceAssistantFile(input: { assistantId: $assistantId, documentId: $documentId, file: $file }) { replacedId } }',
          { assistantId, documentId: handbook, file: null },
        ),
      },
      () => app.database.prisma.session.deleteMany({ where: { userId: editor.id } }),
    );
    expect(answer.body).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
    expect(await filesNamed('handbook.pdf')).toBe(1);
  });

  it('A question to an assistant, also in the form of OpenAI', async () => {
    const { app, organization, owner, assistantId, provider } = setting;
    const content = 'How many days?';
    for (const { path, body } of [
      {
        path: `/api/assistants/v1/${assistantId}/run`,
        body: { messages: [{ role: 'user', content }] },
      },
      {
        path: '/api/openai/v1/chat/completions',
        body: { model: assistantId, messages: [{ role: 'user', content }] },
      },
    ]) {
      const asker = await personIn(app, organization);
      await share(owner, assistantId, 'VIEW', { userId: asker.id });
      provider.now(() => ({ text: 'Thirty days.' }));
      const answer = await hold(
        { path, headers: withKey(asker.key), body: JSON.stringify(body) },
        () => revoke(asker.key),
      );
      expect(answer.status).toBe(401);
      expect(provider.requests).toHaveLength(0);
    }
  });
});

describe('A mutation that follows a long one in the same request changes nothing', () => {
  type Administrator = { userId: string; organizationId: string };
  it.each([
    [
      'the session has ended',
      ({ userId }: Administrator) =>
        setting.app.database.prisma.session.deleteMany({ where: { userId } }),
    ],
    [
      'the person is no longer an administrator',
      ({ userId }: Administrator) =>
        setting.app.database.prisma.membership.updateMany({
          where: { userId },
          data: { role: 'MEMBER' },
        }),
    ],
    [
      'the organization has lost the feature',
      ({ organizationId: id }: Administrator) =>
        setting.app.database.prisma.organization.update({ where: { id }, data: { features: [] } }),
    ],
  ])('After %s', async (_, endAccess) => {
    const { app, provider } = setting;
    const organization = await app.organization();
    const { administratorId: userId, id: organizationId } = organization;
    const { key } = await organization.userKey(userId);
    const assistantId = await assistantOf({ graph: (...asked) => app.graph(key, ...asked) });
    const session = await signIn(app, userId);
    const asked = Promise.withResolvers<ServerResponse>();
    provider.now(() => (response) => asked.resolve(response));
    const query = `mutation {
      first: runAssistant(input: { assistantId: "${assistantId}", messages: [{ user: "?" }] }) { run { text } }
      second: createCampaign(input: { name: "Late", durationMonths: 1 }) { campaign { id } } }`;
    const answer = fetch(`${setting.url}/graphql`, {
      method: 'POST',
      headers: { cookie: session.cookie, 'content-type': json },
      body: JSON.stringify({ query }),
    });
    const response = await asked.promise;
    await endAccess({ userId, organizationId });
    await pause(untilRevocationTakesEffectMs);
    response.end();
    expect(await (await answer).json()).toMatchObject({ data: { second: null } });
    expect(await app.database.prisma.campaign.count({ where: { organizationId } })).toBe(0);
  });
});

describe('An answer that is still being written when its reader loses access is not sent', () => {
  it.each([
    ['the key is revoked', (key: string) => revoke(key)],
    [
      'the assistant is no longer shared',
      (_: string, userId: string) =>
        setting.app.database.prisma.assistantShare.deleteMany({ where: { userId } }),
    ],
  ])('A run ends within about a second after %s', async (_, endAccess) => {
    const { app, organization, owner, assistantId, provider, url } = setting;
    const asker = await personIn(app, organization);
    await share(owner, assistantId, 'VIEW', { userId: asker.id });
    const asked = Promise.withResolvers<void>();
    const abandoned = provider.abandonedCount();
    // The model never answers.
    provider.now(() => () => asked.resolve());
    const answer = fetch(`${url}/api/assistants/v1/${assistantId}/run`, {
      method: 'POST',
      headers: withKey(asker.key),
      body: JSON.stringify({ messages: [{ role: 'user', content: 'How many days?' }] }),
    });
    await asked.promise;
    await endAccess(asker.key, asker.id);
    const response = await answer;
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: 'FORBIDDEN' });
    await expect.poll(provider.abandonedCount).toBe(abandoned + 1);
  });

  it('Waiting for the end of a run ends within about a second after the key is revoked', async () => {
    const { app, organization, owner, assistantId, provider, url } = setting;
    app.startProcessing();
    const asker = await personIn(app, organization);
    await share(owner, assistantId, 'VIEW', { userId: asker.id });
    const asked = Promise.withResolvers<ServerResponse>();
    provider.now(() => (response) => asked.resolve(response));
    const { body } = await asker.call(
      'POST',
      `/api/assistants/v1/${assistantId}/run`,
      { messages: [{ role: 'user', content: 'How many days?' }] },
      { prefer: 'respond-async' },
    );
    const model = await asked.promise;
    const answer = fetch(`${url}/api/assistants/v1/runs/${body['runId']}?wait=25`, {
      headers: withKey(asker.key),
    });
    await pause(300);
    await revoke(asker.key);
    await pause(untilRevocationTakesEffectMs + 500);
    model.end();
    expect((await answer).status).toBe(403);
  });

  it('Waiting for events ends within about a second after the organization has lost the feature', async () => {
    const { app, url } = setting;
    const organization = await app.organization();
    const answer = fetch(`${url}/api/events/v1/events?wait=25&types=team.created`, {
      headers: withKey(organization.key),
    });
    await pause(300);
    await app.database.prisma.organization.update({
      where: { id: organization.id },
      data: { features: ['userManagement'] },
    });
    await pause(untilRevocationTakesEffectMs + 500);
    await organization.manage('POST', '/teams', { name: 'Late' });
    const response = await answer;
    expect(response.status).toBe(403);
    expect(await response.text()).not.toContain('Late');
  });
});
