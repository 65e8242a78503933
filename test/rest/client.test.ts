import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { AtriumError } from '../../src/client/atrium-error.ts';
import { type Client, createClient } from '../../src/client/client.ts';
import type { Campaign, CitationDetail, User } from '../../src/client/documented-calls.ts';
import type { RunEvent } from '../../src/client/run-events.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn } from '../support/assistants.ts';
import { everyCall } from '../support/calls.ts';
import { type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { fileOf, vaultShelf } from '../support/shelf.ts';

let provider: ModelProvider;
let vault: Awaited<ReturnType<typeof vaultShelf>>;
let app: TestApp;
let server: Server;
let baseUrl: string;
let assistantId: string;
let person: Client;
let organization: Client;
let organizationKey: string;

beforeAll(async () => {
  provider = await modelProvider(() => ({ text: 'Hello.' }));
  vault = await vaultShelf();
  const settings = {
    USER_KEY_LIMIT: '1000',
    MODEL_BASE_URL: provider.baseUrl,
    MODEL_API_KEY: 'k',
    MODEL_DEFAULT: 'large',
  };
  app = await testApp(settings, { vault: vault.client });
  const ours = await app.organization();
  const owner = await personIn(app, ours);
  assistantId = await assistantOf(owner, { name: 'Handbook' });
  vault.put(assistantId, [
    {
      document: await fileOf(app, ours, assistantId, 'handbook.pdf'),
      text: 'Employees get 30 days of vacation.',
      page: 3,
    },
  ]);
  server = createServer(app.listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  person = createClient({ baseUrl, apiKey: owner.key });
  organizationKey = ours.key;
  organization = createClient({ baseUrl: `${baseUrl}/`, apiKey: ours.key });
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await app.close();
  vault.client.close();
  await vault.stop();
  await provider.close();
});

const messages = [{ role: 'user' as const, content: 'How many days of vacation do I get?' }];
const answersFromFiles = () =>
  provider.now((_, call) =>
    call === 1
      ? {
          text: 'I look it up.',
          toolCalls: [{ name: 'search_knowledge', input: { query: 'vacation' } }],
        }
      : { text: 'You get 30 days of vacation [1].' },
  );
const faultOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('it was no refusal'),
    (error: unknown) => (error instanceof AtriumError ? error : expect.fail(String(error))),
  );

describe('the client for TypeScript', () => {
  it('has a method for every documented call', () => {
    expect(Object.keys(person)).toHaveLength(everyCall.length + 1);
  });

  it('manages users and teams', async () => {
    const { user, isNewUser } = await organization.createUser({
      email: 'grace@client.example',
      firstName: 'Grace',
    });
    expectTypeOf(user).toEqualTypeOf<User>();
    expect(isNewUser).toBe(true);
    const { users, total } = await organization.listUsers({ search: 'grace@', pageSize: 1 });
    expect({ users, total }).toEqual({ users: [user], total: 1 });
    expect((await organization.listUsers()).users.length).toBeGreaterThan(1);
    const { team } = await organization.createTeam({ name: 'Research & more' });
    expect(await organization.addTeamUser({ teamId: team.id, userId: user.id })).toMatchObject({
      success: true,
    });
    expect(await organization.removeTeamUser({ teamId: team.id, userId: user.id })).toMatchObject({
      userId: user.id,
    });
    expect(await organization.removeUser({ userId: user.id })).toMatchObject({
      success: true,
      userId: user.id,
    });
  });

  it('manages sponsorship, where null clears and what is left out stays', async () => {
    const { campaign } = await organization.createCampaign({
      name: 'Spring',
      durationMonths: 3,
      maxRedemptions: 5,
    });
    expectTypeOf(campaign).toEqualTypeOf<Campaign>();
    expect(
      (await organization.updateCampaign({ campaignId: campaign.id, name: 'Summer' })).campaign,
    ).toMatchObject({ name: 'Summer', maxRedemptions: 5 });
    expect(
      (await organization.updateCampaign({ campaignId: campaign.id, maxRedemptions: null }))
        .campaign,
    ).toMatchObject({ maxRedemptions: null });
    const { link } = await organization.createLink({ campaignId: campaign.id });
    expect(
      (await organization.listLinks({ campaignId: campaign.id })).links.map(({ id }) => id),
    ).toEqual([link.id]);
    expect(
      (await organization.listRedemptions({ campaignId: campaign.id, billingStatus: 'UNBILLED' }))
        .redemptions,
    ).toEqual([]);
  });

  it('uploads, replaces, reads and deletes files, whatever their names hold', async () => {
    const { file } = await person.uploadAssistantFile({
      assistantId,
      file: new File(['Lunch is at noon.'], 'Menü 1.txt', { type: 'text/plain' }),
    });
    expect(file).toMatchObject({ originalName: 'Menü 1.txt', size: 17 });
    const content = await person.getAssistantFileContent({ assistantId, documentId: file.id });
    expectTypeOf(content).toEqualTypeOf<Response>();
    expect(await content.text()).toBe('Lunch is at noon.');
    const part = await person.getAssistantFileContent(
      { assistantId, documentId: file.id },
      { range: 'bytes=0-4' },
    );
    expect([part.status, await part.text()]).toEqual([206, 'Lunch']);
    const replaced = await person.replaceAssistantFile({
      assistantId,
      documentId: file.id,
      file: { name: 'menu.txt', content: new Blob(['At one.']) },
    });
    const stale = await faultOf(
      person.deleteAssistantFile(
        { assistantId, documentId: replaced.file.id },
        { ifMatch: '"another"' },
      ),
    );
    expect(stale.status).toBe(412);
    expect(
      await person.deleteAssistantFile({ assistantId, documentId: replaced.file.id }),
    ).toMatchObject({ success: true, deleted: { original: true } });
    expect(
      (await faultOf(person.getAssistantFile({ assistantId, documentId: replaced.file.id })))
        .status,
    ).toBe(404);
  });

  it('lets an assistant answer, with its sources, and from files that are sent along', async () => {
    expect((await person.listAssistants()).assistants).toEqual([
      { id: assistantId, name: 'Handbook' },
    ]);
    answersFromFiles();
    const run = await person.runAssistant({ assistantId, messages });
    expectTypeOf(run.citationDetails).toEqualTypeOf<CitationDetail[]>();
    expect(run).toMatchObject({
      text: 'You get 30 days of vacation [1].',
      citations: ['handbook.pdf#page=3'],
    });
    provider.now(() => ({ text: 'Hello.' }));
    const sent = await person.runAssistant({
      assistantId,
      messages,
      files: [new File(['One.'], 'one.txt'), new File(['Two.'], 'two.txt')],
    });
    expect(sent.text).toBe('Hello.');
  });

  it('tells a run as it happens', async () => {
    answersFromFiles();
    const events: RunEvent[] = [];
    for await (const event of person.streamAssistant({ assistantId, messages })) events.push(event);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['text', 'tool-call', 'tool-result']),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'done',
      text: 'You get 30 days of vacation [1].',
      citations: ['handbook.pdf#page=3'],
    });
  });

  it('throws what the server says of a refusal, with the id that its log knows', async () => {
    const error = await faultOf(organization.createUser({ email: 'no address' }));
    expect(error).toMatchObject({
      status: 400,
      message: expect.stringContaining('email'),
      requestId: expect.stringMatching(/^[\w-]{10,}$/),
      retryAfterSeconds: null,
    });
    expect(error.rateLimit).toMatchObject({
      limit: 100,
      remaining: expect.any(Number),
      reset: expect.any(Date),
    });
    expect(
      (await faultOf(createClient({ baseUrl, apiKey: 'sk_svc_um_wrong' }).listUsers())).status,
    ).toBe(401);
  });

  it('does a call once, however often its answer is lost on the way', async () => {
    let lost = 0;
    const unlucky = createClient({
      baseUrl,
      apiKey: organizationKey,
      fetch: async (request) => {
        const answer = await fetch(request);
        if (lost++ === 0) throw new TypeError('the connection broke');
        return answer;
      },
    });
    const { isNewUser } = await unlucky.createUser({ email: 'once@client.example' });
    expect({ isNewUser, lost }).toEqual({ isNewUser: true, lost: 2 });
  });

  it('waits as long as a limit asks for, and gives up when that is too often', async () => {
    const limited = (times: number) => {
      let asked = 0;
      const headers = { 'content-type': 'application/json', 'retry-after': '0' };
      const client = createClient({
        baseUrl,
        apiKey: organizationKey,
        fetch: (request) =>
          asked++ < times
            ? Promise.resolve(
                new Response('{"status":"error","message":"Too many requests"}', {
                  status: 429,
                  headers,
                }),
              )
            : fetch(request),
      });
      return client.listTeams();
    };
    expect((await limited(2)).teams.length).toBeGreaterThan(0);
    expect(await faultOf(limited(3))).toMatchObject({
      status: 429,
      message: 'Too many requests',
      retryAfterSeconds: 0,
    });
  });

  it('compiles only what the calls take', () => {
    const neverCalled = () => [
      // @ts-expect-error a user has an address
      organization.createUser({ firstName: 'Grace' }),
      // @ts-expect-error the size of a page is a number
      organization.listUsers({ pageSize: '20' }),
      // @ts-expect-error there is no such status
      organization.listCampaigns({ status: 'running' }),
      // @ts-expect-error a misspelt field is none
      organization.updateCampaign({ campaignId: '1', nmae: 'Spring' }),
      // @ts-expect-error a name can not be cleared
      organization.updateCampaign({ campaignId: '1', durationMonths: 'three' }),
      // @ts-expect-error the id is asked for
      organization.getUser(),
      // @ts-expect-error nobody speaks in this role
      person.runAssistant({ assistantId, messages: [{ role: 'robot', content: 'Hello' }] }),
      // @ts-expect-error a file is bytes with a name
      person.uploadAssistantFile({ assistantId, file: 'Lunch is at noon.' }),
      // @ts-expect-error there is no such call
      organization.deleteEverything(),
    ];
    expectTypeOf(neverCalled).toBeFunction();
    expectTypeOf<Awaited<ReturnType<Client['listCampaigns']>>['campaigns']>().toEqualTypeOf<
      Campaign[]
    >();
    expectTypeOf<Campaign['maxRedemptions']>().toEqualTypeOf<number | null>();
  });
});
