import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { createClient, type UploadProgress, type User } from '../../src/client/client.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import { serveApp } from '../support/serve-app.ts';

let app: ParityApp;
// The clock of the other application stands still, and lists are sorted by time.
let ticking: TestApp;
let server: Awaited<ReturnType<typeof serveApp>>;
beforeAll(async () => {
  app = await parityApp();
  ticking = await testApp();
  server = await serveApp(ticking);
});
afterAll(async () => {
  server.close();
  await ticking.close();
  await app.close();
});

const keyOf = ({ headers }: { headers: { authorization?: string } }) =>
  headers.authorization?.replace('Bearer ', '') ?? '';

async function clientOfOrganization() {
  const organization = await app.fixtures.organization();
  const client = createClient({ baseUrl: app.url, apiKey: keyOf(organization) });
  return { organization, client };
}

async function clientOfPerson(send?: (request: Request) => Promise<Response>) {
  const { assistantId, ...person } = await app.fixtures.assistant();
  const options = { baseUrl: app.url, apiKey: keyOf(person) };
  return { assistantId, client: createClient({ ...options, ...(send && { fetch: send }) }) };
}

describe('all items of a list', () => {
  it('All items of all pages are given once, in the order of the pages', async () => {
    const { client } = await clientOfOrganization();
    for (const name of ['a', 'b', 'c', 'd'])
      await client.createUser({ email: `${name}@pages.example` });
    const { users, total } = await client.listUsers({ pageSize: 100 });
    const found: User[] = [];
    for await (const user of client.listUsers.all({ pageSize: 2 })) found.push(user);
    expectTypeOf(found).toEqualTypeOf<User[]>();
    expect(found).toEqual(users);
    expect(found).toHaveLength(total);
  });

  it('An item that moves to the next page because of a new one is given once', async () => {
    const { key } = await ticking.organization();
    const client = createClient({ baseUrl: server.url, apiKey: key });
    for (const name of ['a', 'b', 'c']) await client.createCampaign({ name, durationMonths: 1 });
    const names: string[] = [];
    for await (const { name } of client.listCampaigns.all({ pageSize: 2 })) {
      if (names.length === 0) await client.createCampaign({ name: 'new', durationMonths: 1 });
      names.push(name);
    }
    expect(names).toEqual(['c', 'b', 'a']);
  });

  it('A page is only requested when the one before it has been read', async () => {
    const { organization } = await clientOfOrganization();
    const pages: (string | null)[] = [];
    const client = createClient({
      baseUrl: app.url,
      apiKey: keyOf(organization),
      fetch: (request) => {
        pages.push(new URL(request.url).searchParams.get('page'));
        return fetch(request);
      },
    });
    for await (const _ of client.listUsers.all({ pageSize: 1 })) break;
    expect(pages).toEqual([null]);
  });

  it('Items without an id are given from all pages', async () => {
    const months = ['2026-03', '2026-02', '2026-01'];
    const client = createClient({
      baseUrl: 'http://localhost',
      apiKey: 'k',
      fetch: async (request) => {
        const page = Number(new URL(request.url).searchParams.get('page') ?? 1);
        const statements = [{ month: months[page - 1] }];
        return Response.json({ statements, total: 3, page, pageSize: 1, totalPages: 3 });
      },
    });
    const found: string[] = [];
    for await (const { month } of client.listStatements.all({ pageSize: 1 })) found.push(month);
    expect(found).toEqual(months);
  });

  it('A Link header names the next page, until there is none', async () => {
    const requested: string[] = [];
    const pageOf = (id: string, link?: string) =>
      Response.json(
        { status: 'success', users: [{ id }], total: 3, page: 1, pageSize: 1, totalPages: 3 },
        link === undefined ? { headers: { link: '<x>; rel="prev"' } } : { headers: { link } },
      );
    const client = createClient({
      baseUrl: 'http://localhost',
      apiKey: 'k',
      fetch: async (request) => {
        requested.push(new URL(request.url).search);
        return requested.length === 1
          ? pageOf('a', '</api/user-management/v1/users?search=x&page=2>; rel="next"')
          : pageOf('b');
      },
    });
    const ids: string[] = [];
    for await (const { id } of client.listUsers.all({ search: 'x' })) ids.push(id);
    expect(ids).toEqual(['a', 'b']);
    expect(requested).toEqual(['?search=x', '?page=2&search=x']);
  });
});

describe('an upload', () => {
  const name = 'Menü "1"\n.txt';
  const content = new Blob(['x'.repeat(3_000_000)], { type: 'text/plain' });

  it('The client reports the progress of an upload up to its last byte', async () => {
    const { assistantId, client } = await clientOfPerson();
    const reports: UploadProgress[] = [];
    const { file } = await client.uploadAssistantFile(
      { assistantId, file: { name, content } },
      { onUploadProgress: (progress) => reports.push(progress) },
    );
    expect(file).toMatchObject({ size: 3_000_000, mimeType: 'text/plain' });
    const sent = reports.map(({ sentBytes }) => sentBytes);
    expect(sent.length).toBeGreaterThan(1);
    expect(sent).toEqual(sent.toSorted((a, b) => a - b));
    expect(new Set(reports.map(({ totalBytes }) => totalBytes)).size).toBe(1);
    expect(sent.at(-1)).toBe(reports[0]?.totalBytes);
    expect(sent.at(-1)).toBeGreaterThan(3_000_000);
  });

  it('An upload whose answer is lost is sent again from the start, and the file is stored once', async () => {
    let uploads = 0;
    const { assistantId, client } = await clientOfPerson(async (request) => {
      const answer = await fetch(request);
      if (request.method === 'POST') uploads += 1;
      if (uploads === 1) throw new TypeError('the connection broke');
      return answer;
    });
    const sent: number[] = [];
    const { count: before } = await client.listAssistantFiles({ assistantId });
    await client.uploadAssistantFile(
      { assistantId, file: { name, content } },
      { onUploadProgress: ({ sentBytes }) => sent.push(sentBytes) },
    );
    const starts = sent.filter((bytes, index) => index === 0 || bytes < (sent[index - 1] ?? 0));
    expect({ uploads, starts: starts.length }).toEqual({ uploads: 2, starts: 2 });
    expect((await client.listAssistantFiles({ assistantId })).count).toBe(before + 1);
  });
});

describe('an answer that breaks off', () => {
  /** Sends each request, and breaks the connection in the middle of the first answer. */
  function breakFirstAnswer() {
    let sent = 0;
    const send = async (request: Request) => {
      const answer = await fetch(request);
      sent += 1;
      if (sent > 1) return answer;
      const half = (await answer.text()).slice(0, 10);
      const broken = new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(half)),
        pull: (controller) => controller.error(new TypeError('the connection broke')),
      });
      return new Response(broken, answer);
    };
    return { send, sentCount: () => sent };
  }

  it('The call is sent again, and the server executes it once', async () => {
    const { organization, client } = await clientOfOrganization();
    const { send, sentCount } = breakFirstAnswer();
    const apiKey = keyOf(organization);
    const breaking = createClient({ baseUrl: app.url, apiKey, fetch: send });
    const { team } = await breaking.createTeam({ name: 'Broken off' });
    const { teams } = await client.listTeams();
    expect(teams.filter(({ name }) => name === 'Broken off')).toEqual([team]);
    expect(sentCount()).toBe(2);
  });

  it('A call that the server might execute twice is not sent again', async () => {
    const { organization, client } = await clientOfOrganization();
    const { team } = await client.createTeam({ name: 'Deleted' });
    const { send, sentCount } = breakFirstAnswer();
    const apiKey = keyOf(organization);
    const breaking = createClient({ baseUrl: app.url, apiKey, fetch: send });
    await expect(breaking.deleteTeam({ teamId: team.id })).rejects.toThrow('the connection broke');
    expect(sentCount()).toBe(1);
  });
});

describe('a cancelled call', () => {
  const messages = [{ role: 'user' as const, content: 'How many days of vacation do I get?' }];

  it('An abort cancels a call, a stream, and the wait for a retry', async () => {
    const { assistantId, client } = await clientOfPerson();
    const signal = AbortSignal.abort(new Error('enough'));
    await expect(client.listAssistants({}, { signal })).rejects.toThrow('enough');
    const stream = client.streamAssistant({ assistantId, messages }, { signal });
    await expect(stream.next()).rejects.toThrow('enough');

    const controller = new AbortController();
    const busy = createClient({
      baseUrl: app.url,
      apiKey: 'k',
      fetch: async () => {
        queueMicrotask(() => controller.abort(new Error('enough')));
        return new Response('{}', { status: 503, headers: { 'retry-after': '100' } });
      },
    });
    await expect(busy.listTeams({}, { signal: controller.signal })).rejects.toThrow('enough');
  });

  it('The stream of a run ends with the answer of the run', async () => {
    const { assistantId, client } = await clientOfPerson();
    const types: string[] = [];
    for await (const event of client.streamAssistant({ assistantId, messages })) {
      types.push(event.type);
      if (event.type === 'done') expect(event.citations).toEqual(['handbook.pdf#page=3']);
    }
    expect(types).toContain('text');
    expect(types.at(-1)).toBe('done');
  });
});

describe('ids', () => {
  it.each(['..', '.', ''])(
    'An id of “%s”, which would lead to another address, is refused before anything is sent',
    async (userId) => {
      const { client } = await clientOfOrganization();
      const { team } = await client.createTeam({ name: `Team “${userId}”` });
      await expect(client.removeTeamUser({ teamId: team.id, userId })).rejects.toThrow(
        new TypeError(`userId must be an id, not "${userId}"`),
      );
      expect((await client.listTeams()).teams.map(({ id }) => id)).toContain(team.id);
    },
  );
});

describe('dry runs', () => {
  it('A write with dryRun answers as the real one, and changes nothing', async () => {
    const { client } = await clientOfOrganization();
    const input = { name: 'Rehearsed' };
    const rehearsal = await client.createTeam(input, { dryRun: true });
    const { teams } = await client.listTeams();
    expect(teams.map(({ name }) => name)).not.toContain('Rehearsed');
    const real = await client.createTeam(input);
    expect(rehearsal).toEqual({ ...real, team: { ...real.team, id: rehearsal.team.id } });
    await expect(client.createTeam(input, { dryRun: true })).rejects.toMatchObject({
      code: 'CONFLICT',
    });
  });

  it('Only writes with dryRun send the preference', async () => {
    const preferences: (string | null)[] = [];
    const { client } = await clientOfPerson((request) => {
      preferences.push(request.headers.get('prefer'));
      return fetch(request);
    });
    await client.listAssistants({}, { dryRun: true });
    const assistantId = 'unknown';
    const messages = [{ role: 'user' as const, content: 'a' }];
    for (const options of [{}, { dryRun: false }, { dryRun: true }])
      await client.runAssistant({ assistantId, messages }, options).catch(() => undefined);
    await client
      .streamAssistant({ assistantId, messages }, { dryRun: true })
      .next()
      .catch(() => 0);
    expect(preferences).toEqual([null, null, null, 'dry-run', 'dry-run']);
  });
});
