import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { AtriumError } from '../../src/client/atrium-error.ts';
import { type Client, createClient } from '../../src/client/client.ts';
import type { Campaign, CitationDetail, User } from '../../src/client/documented-calls.ts';
import type { RunEvent } from '../../src/client/run-events.ts';
import { everyCall } from '../support/calls.ts';
import type { ModelProvider } from '../support/model-provider.ts';
import { type RunApp, runApp } from '../support/run-app.ts';

let setting: RunApp;
let provider: ModelProvider;
let baseUrl: string;
let assistantId: string;
let person: Client;
let organization: Client;
let organizationKey: string;

beforeAll(async () => {
  setting = await runApp();
  ({ provider, assistantId, url: baseUrl } = setting);
  organizationKey = setting.organization.key;
  person = createClient({ baseUrl, apiKey: setting.owner.key });
  organization = createClient({ baseUrl: `${baseUrl}/`, apiKey: organizationKey });
});
afterAll(() => setting.close());

const messages = [{ role: 'user' as const, content: 'How many days of vacation do I get?' }];
const answersFromFiles = () =>
  setting.searchThenAnswer('You get 30 days of vacation [1].', { text: 'I look it up.' });
const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail('the call did not fail'),
    (error: unknown) => (error instanceof AtriumError ? error : expect.fail(String(error))),
  );

describe('the TypeScript client', () => {
  it('The client has a method for every documented call', () => {
    const others = ['streamAssistant', 'startRun', 'followRun', 'exportRedemptions'];
    expect(Object.keys(person)).toEqual(expect.arrayContaining(others));
    expect(Object.keys(person)).toHaveLength(everyCall.length + others.length);
  });

  it('The client manages users and teams', async () => {
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

  it('The client manages sponsorship: null clears a value, and an absent field leaves it unchanged', async () => {
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

  it('The client makes bulk calls, and gets the redemptions of a campaign as rows', async () => {
    const created = await organization.bulkCreateUsers({
      users: [
        { email: 'bulk@client.example', firstName: 'Bulk' },
        { email: 'bulk2@client.example' },
      ],
    });
    expect(created).toMatchObject({ succeeded: 2, failed: 0 });
    expect(created.results[0]?.user?.firstName).toBe('Bulk');
    const unknown = { redemptionId: 'unknown', newSponsoredUntil: '2030-01-01T00:00:00Z' };
    const extended = await organization.bulkExtendRedemptions({ redemptions: [unknown] });
    expect(extended.results[0]?.error?.code).toBe('NOT_FOUND');
    expect(
      (await errorOf(organization.bulkExtendRedemptions({ redemptions: [unknown], atomic: true })))
        .errors,
    ).toMatchObject([{ field: 'redemptions[0]' }]);
    const { campaign } = await organization.createCampaign({ name: 'Rows', durationMonths: 1 });
    const rows = { campaignId: campaign.id, billingStatus: 'BILLED' as const };
    const csv = await organization.exportRedemptions({ ...rows, format: 'csv' });
    expect(await csv.text()).toMatch(/^id,redeemedAt,/);
    const ndjson = await organization.exportRedemptions({ ...rows, format: 'ndjson' });
    expect(ndjson.headers.get('content-type')).toMatch('application/x-ndjson');
    const missing = organization.exportRedemptions({ campaignId: 'unknown', format: 'csv' });
    expect((await errorOf(missing)).status).toBe(404);
  });

  it('The client uploads, replaces, reads and deletes files with any name', async () => {
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
    const stale = await errorOf(
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
      (await errorOf(person.getAssistantFile({ assistantId, documentId: replaced.file.id })))
        .status,
    ).toBe(404);
  });

  it('The client runs an assistant and gets its answer with sources, also with files in the request', async () => {
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
    const runWithFiles = await person.runAssistant({
      assistantId,
      messages,
      files: [new File(['One.'], 'one.txt'), new File(['Two.'], 'two.txt')],
    });
    expect(runWithFiles.text).toBe('Hello.');
  });

  it('The client streams the events of a run', async () => {
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

  it('An error response is thrown with the server’s message and the request id of its log', async () => {
    const error = await errorOf(organization.createUser({ email: 'no address' }));
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
      (await errorOf(createClient({ baseUrl, apiKey: 'sk_svc_um_wrong' }).listUsers())).status,
    ).toBe(401);
  });

  it('A call is executed once, however often its response is lost', async () => {
    let responses = 0;
    const flakyClient = createClient({
      baseUrl,
      apiKey: organizationKey,
      fetch: async (request) => {
        const answer = await fetch(request);
        if (responses++ === 0) throw new TypeError('the connection broke');
        return answer;
      },
    });
    const { isNewUser } = await flakyClient.createUser({ email: 'once@client.example' });
    expect({ isNewUser, responses }).toEqual({ isNewUser: true, responses: 2 });
  });

  it('The client waits as long as a limit requires, and gives up after too many retries', async () => {
    const callWithLimit = (times: number) => {
      let requests = 0;
      const headers = { 'content-type': 'application/json', 'retry-after': '0' };
      const client = createClient({
        baseUrl,
        apiKey: organizationKey,
        fetch: (request) =>
          requests++ < times
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
    expect((await callWithLimit(2)).teams.length).toBeGreaterThan(0);
    expect(await errorOf(callWithLimit(3))).toMatchObject({
      status: 429,
      message: 'Too many requests',
      retryAfterSeconds: 0,
    });
  });

  it('Only valid inputs of the calls compile', () => {
    const neverCalled = () => [
      // @ts-expect-error a user needs an address
      organization.createUser({ firstName: 'Grace' }),
      // @ts-expect-error the size of a page is a number
      organization.listUsers({ pageSize: '20' }),
      // @ts-expect-error the status does not exist
      organization.listCampaigns({ status: 'running' }),
      // @ts-expect-error the field is misspelled
      organization.updateCampaign({ campaignId: '1', nmae: 'Spring' }),
      // @ts-expect-error a duration is a number
      organization.updateCampaign({ campaignId: '1', durationMonths: 'three' }),
      // @ts-expect-error the id is required
      organization.getUser(),
      // @ts-expect-error the role does not exist
      person.runAssistant({ assistantId, messages: [{ role: 'robot', content: 'Hello' }] }),
      // @ts-expect-error a file has bytes and a name
      person.uploadAssistantFile({ assistantId, file: 'Lunch is at noon.' }),
      // @ts-expect-error the call does not exist
      organization.deleteEverything(),
    ];
    expectTypeOf(neverCalled).toBeFunction();
    expectTypeOf<Awaited<ReturnType<Client['listCampaigns']>>['campaigns']>().toEqualTypeOf<
      Campaign[]
    >();
    expectTypeOf<Campaign['maxRedemptions']>().toEqualTypeOf<number | null>();
  });
});
