import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type TestApp, type TestOrganization, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { databases } from '../support/databases.ts';
import { filesPath, formOf, formType } from '../support/files.ts';
import { receiveMail } from '../support/mail.ts';
import { type ModelProvider, modelProvider } from '../support/model-provider.ts';
import { serveApp } from '../support/serve-app.ts';

describe.each(databases)('a dry run on $kind', ({ open }) => {
  let provider: ModelProvider;
  let mail: Awaited<ReturnType<typeof receiveMail>>;
  let app: TestApp;
  let server: Awaited<ReturnType<typeof serveApp>>;
  let organization: TestOrganization;
  let owner: TestPerson;
  let assistantId: string;
  beforeAll(async () => {
    provider = await modelProvider(() => ({ text: 'Hello.' }));
    mail = await receiveMail();
    app = await testApp(
      {
        ...{ USER_KEY_LIMIT: '100000', ORGANIZATION_KEY_LIMIT: '100000' },
        ...{ MODEL_BASE_URL: provider.baseUrl, MODEL_DEFAULT: 'large' },
        ...mail.settings,
      },
      { database: await open() },
    );
    server = await serveApp(app);
    organization = await app.organization();
    owner = await personIn(app, organization);
    assistantId = await assistantOf(owner);
  });
  afterAll(async () => {
    server.close();
    await app.close();
    await mail.close();
    await provider.close();
  });
  beforeEach(() => {
    provider.requests.length = 0;
  });

  async function send(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = { prefer: 'dry-run' },
    key = organization.key,
  ) {
    const answer = await fetch(server.url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text };
  }
  const users = '/api/user-management/v1/users';
  const teams = '/api/user-management/v1/teams';
  const teamNames = async () =>
    (
      await app.database.sql<{ name: string }>`
        select name from teams where organization_id = ${organization.id} and not is_default order by name`
    ).map(({ name }) => name);

  it('A dry run sends no mail, and the real request sends one', async () => {
    const guest = await app.organization();
    const email = 'guest@elsewhere.example';
    await guest.member(email);
    expect((await send('POST', `${users}/add`, { email })).status).toBe(200);
    expect((await send('POST', users, { email })).status).toBe(200);
    expect((await send('POST', `${users}/add`, { email }, {})).status).toBe(200);
    await mail.next(email);
    expect(mail.mails).toEqual([]);
    expect(mail.tries()).toBe(1);
  });

  it('A dry run asks no model, and takes the events of a run as well', async () => {
    const run = `/api/assistants/v1/${assistantId}/run`;
    const body = { messages: [{ role: 'user', content: 'Hello' }] };
    const answer = await send('POST', run, body, { prefer: 'dry-run' }, owner.key);
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, 'dry-run']);
    expect(JSON.parse(answer.text)).toMatchObject({
      text: 'This is a dry run. The model was not asked.',
      model: 'large',
      usage: { promptTokens: 0, completionTokens: 0 },
    });
    const stream = await send(
      'POST',
      run,
      body,
      { prefer: 'dry-run', accept: 'text/event-stream' },
      owner.key,
    );
    expect(stream.headers.get('content-type')).toContain('text/event-stream');
    expect(stream.headers.get('preference-applied')).toBe('dry-run');
    expect(stream.text).toMatch(/event: done\ndata: .*This is a dry run/);
    expect(provider.requests).toEqual([]);
    await send('POST', run, body, {}, owner.key);
    expect(provider.requests).toHaveLength(1);
  });

  it('A dry run with an Idempotency-Key leaves the key for the real request', async () => {
    const key = { 'idempotency-key': 'rehearsed' };
    const body = { name: 'Rehearsed' };
    for (let repetition = 0; repetition < 2; repetition += 1) {
      const dry = await send('POST', teams, body, { ...key, prefer: 'dry-run' });
      expect([dry.status, dry.headers.get('idempotency-replayed')]).toEqual([200, null]);
    }
    const real = await send('POST', teams, body, key);
    expect([real.status, real.headers.get('idempotency-replayed')]).toEqual([200, null]);
    const repeated = await send('POST', teams, body, key);
    expect([repeated.status, repeated.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(await teamNames()).toEqual(['Rehearsed']);
  });

  it('A dry run counts against the rate limit, and an existing account as a look-up', async () => {
    const before = await send('POST', teams, { name: 'Counted' });
    const after = await send('POST', teams, { name: 'Counted' });
    expect(Number(before.headers.get('x-ratelimit-remaining'))).toBe(
      Number(after.headers.get('x-ratelimit-remaining')) + 1,
    );
    const prober = await app.organization();
    const statuses: number[] = [];
    for (let index = 0; index < 31; index += 1) {
      const email = `probed${index}@probes.example`;
      await organization.member(email);
      const { status } = await send('POST', users, { email }, { prefer: 'dry-run' }, prober.key);
      statuses.push(status);
    }
    expect(statuses).toEqual([...Array(30).fill(200), 429]);
  });

  it('A GET ignores the preference', async () => {
    const answer = await send('GET', teams);
    expect([answer.status, answer.headers.get('preference-applied')]).toEqual([200, null]);
  });

  it('Dry runs and real requests at the same time do not wait for each other, and only the real ones are stored', async () => {
    const other = await app.organization();
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const answers = await Promise.all(
      numbers.map((number) =>
        send(
          'POST',
          teams,
          { name: `Team ${number}` },
          number % 2 === 0 ? { prefer: 'dry-run' } : {},
          other.key,
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(numbers.map(() => 200));
    const stored = await app.database.sql<{ name: string }>`
      select name from teams where organization_id = ${other.id} and not is_default`;
    expect(stored.map(({ name }) => name).toSorted()).toEqual(
      numbers
        .filter((number) => number % 2 === 1)
        .map((number) => `Team ${number}`)
        .toSorted(),
    );
    const connections = app.database.connections();
    expect([connections.waiting, connections.open - connections.idle]).toEqual([0, 0]);
  });

  it('Dry uploads at the same time hold their quota and leave neither files nor leases', async () => {
    const upload = () =>
      fetch(server.url + filesPath(assistantId), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${owner.key}`,
          'content-type': formType,
          prefer: 'dry-run',
        },
        body: formOf([{ name: 'file', fileName: 'notes.txt', content: 'notes '.repeat(10_000) }]),
      });
    const answers = await Promise.all(Array.from({ length: 8 }, upload));
    const statuses = new Set(answers.map(({ status }) => status));
    for (const answer of answers) await answer.body?.cancel();
    expect([...statuses].filter((status) => status !== 200 && status !== 429)).toEqual([]);
    expect(statuses.has(200)).toBe(true);
    expect(await app.database.sql`select id from quota_leases`).toEqual([]);
    expect(await app.database.sql`select id from assistant_files`).toEqual([]);
    const keys: string[] = [];
    for await (const { key } of app.contextParts.files.storage.list()) keys.push(key);
    expect(keys).toEqual([]);
  });
});
