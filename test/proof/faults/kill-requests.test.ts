import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { createClient } from '../../../src/client/client.ts';
import { emptyServer, serverUrl } from '../../support/database.ts';
import { filesPath, formOf, formType } from '../../support/files.ts';
import { type RunningServer, start, temporaryDirectory } from '../../support/process.ts';

const running: RunningServer[] = [];
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await kill(server);
});
afterAll(async () => {
  for (const close of closing) await close();
});

async function kill(server: RunningServer): Promise<void> {
  server.process.kill('SIGKILL');
  await server.ended;
}

/** The settings of a server that keeps its data over several restarts. */
async function createServerSettings(): Promise<Record<string, string>> {
  const directory = temporaryDirectory();
  closing.push(directory.remove);
  const settings = { DATA_DIR: directory.path, ORGANIZATION_KEY_LIMIT: '100000' };
  if (serverUrl === undefined) return settings;
  const { url = '', close } = await emptyServer();
  closing.unshift(close);
  return { ...settings, DATABASE_URL: url };
}

async function startServer(settings: Record<string, string>): Promise<RunningServer> {
  const server = await start(settings);
  running.push(server);
  return server;
}

const readKey = (server: RunningServer) => /sk_svc_um_\w+/.exec(server.output())?.[0] ?? '';

async function createTeam(
  { address }: RunningServer,
  key: string,
  name: string,
): Promise<{ status: number; text: string; replayed: boolean }> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': `key-of-${name}`,
  };
  const response = await fetch(`${address}/api/user-management/v1/teams`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name }),
  });
  return {
    status: response.status,
    text: await response.text(),
    replayed: response.headers.has('idempotency-replayed'),
  };
}

/** Creates a team like a client that obeys Retry-After. */
async function createTeamWithRetry(server: RunningServer, key: string, name: string) {
  for (;;) {
    const answer = await createTeam(server, key, name);
    if (answer.status !== 409 || !answer.text.includes('still running')) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function teamNames({ address }: RunningServer, key: string): Promise<string[]> {
  const response = await fetch(`${address}/api/user-management/v1/teams`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { teams }: { teams: { name: string }[] } = JSON.parse(await response.text());
  return teams.map(({ name }) => name);
}

describe('kill -9 of a process', () => {
  it('After a kill at any moment every repeated request gets its response and was executed exactly once', async () => {
    const settings = await createServerSettings();
    const acknowledged = new Map<string, string>();
    const names: string[] = [];
    let key = '';
    for (let life = 0; life < 4; life += 1) {
      const server = await startServer(settings);
      key ||= readKey(server);
      let requestsUntilKill = 1 + Math.floor(Math.random() * 10);
      await Promise.allSettled(
        Array.from({ length: 12 }, async (_, index) => {
          const name = `Life ${life} team ${index}`.replaceAll(' ', '-');
          names.push(name);
          const { status, text } = await createTeam(server, key, name);
          if (status === 200) acknowledged.set(name, text);
          requestsUntilKill -= 1;
          if (requestsUntilKill === 0) server.process.kill('SIGKILL');
        }),
      );
      await server.ended;
    }
    const last = await startServer(settings);
    const answers = await Promise.all(names.map((name) => createTeamWithRetry(last, key, name)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    for (const [index, name] of names.entries()) {
      if (acknowledged.has(name))
        expect(answers[index]).toMatchObject({ text: acknowledged.get(name), replayed: true });
    }
    expect(acknowledged.size).toBeGreaterThan(0);
    expect(
      (await teamNames(last, key)).filter((name) => name.startsWith('Life')).toSorted(),
    ).toEqual(names.toSorted());
  }, 120_000);

  it('After a kill during an upload nothing of it is left, and the repeated upload is stored once', {
    timeout: 120_000,
  }, async () => {
    const settings = await createServerSettings();
    const server = await startServer(settings);
    const key = /admin .* key (sk_svc_\w+)/.exec(server.output())?.[1] ?? '';
    const authorization = `Bearer ${key}`;
    const response = await fetch(`${server.address}/graphql`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'mutation { createAssistant(input: { name: "Killed" }) { assistant { id } } }',
      }),
    });
    const assistantId: string = Object(await response.json()).data.createAssistant.assistant.id;
    const content = 'x'.repeat(2_000_000);
    const form = formOf([{ name: 'file', fileName: 'killed.txt', type: 'text/plain', content }]);
    const headers = {
      authorization,
      'content-type': formType,
      'content-length': form.length,
      'idempotency-key': 'killed',
    };
    const incoming = join(settings['DATA_DIR'] ?? '', 'files', 'incoming');
    const interruptedUpload = request(server.address + filesPath(assistantId), {
      method: 'POST',
      headers,
    });
    interruptedUpload.on('error', () => {});
    interruptedUpload.write(form.subarray(0, 1_000_000));
    await expect.poll(() => readdirSync(incoming).length, { timeout: 30_000 }).toBe(1);
    await kill(server);

    const restarted = await startServer(settings);
    const client = createClient({ baseUrl: restarted.address, apiKey: key, retries: 20 });
    const { files } = await client.listAssistantFiles({ assistantId });
    expect(files).toEqual([]);
    const { file } = await client.uploadAssistantFile(
      { assistantId, file: new File([content], 'killed.txt') },
      { idempotencyKey: 'killed' },
    );
    const { file: repeatedFile } = await client.uploadAssistantFile(
      { assistantId, file: new File([content], 'killed.txt') },
      { idempotencyKey: 'killed' },
    );
    expect(repeatedFile.id).toBe(file.id);
    expect((await client.listAssistantFiles({ assistantId })).files.map(({ id }) => id)).toEqual([
      file.id,
    ]);
    expect(
      await (await client.getAssistantFileContent({ assistantId, documentId: file.id })).text(),
    ).toBe(content);
    // With Postgres another process may still be writing these files, so they are removed only
    // after nobody has written to them for a long time.
    if (serverUrl === undefined)
      await expect.poll(() => readdirSync(incoming), { timeout: 30_000 }).toEqual([]);
  });

  it.skipIf(serverUrl === undefined)(
    'After a kill between the commit and the response the retry gets the response without writing again',
    async () => {
      const settings = await createServerSettings();
      const server = await startServer(settings);
      const key = readKey(server);
      const client = new Client({ connectionString: settings['DATABASE_URL'] });
      await client.connect();
      closing.unshift(() => client.end());
      // Every process that stores a response waits for an advisory lock that this test holds.
      await client.query(`
      create function wait_for_test() returns trigger language plpgsql as $$ begin
        if new.answer is not null then perform pg_advisory_xact_lock(4711); end if; return new;
      end $$;
      create trigger wait_for_test before update on idempotent_requests for each row execute function wait_for_test();
      select pg_advisory_lock(4711)`);
      const lostRequest = createTeam(server, key, 'Between').then(
        () => 'answered',
        () => 'cut off',
      );
      const waitingLocks = async () =>
        (
          await client.query('select pid from pg_locks where locktype = $1 and not granted', [
            'advisory',
          ])
        ).rows;
      await expect.poll(waitingLocks).toHaveLength(1);
      expect(
        (await client.query("select count(*)::int from teams where name = 'Between'")).rows,
      ).toEqual([{ count: 1 }]);
      await kill(server);
      expect(await lostRequest).toBe('cut off');
      for (const { pid } of await waitingLocks())
        await client.query('select pg_terminate_backend($1)', [pid]);
      await expect.poll(waitingLocks).toEqual([]);
      await client.query('drop function wait_for_test cascade; select pg_advisory_unlock(4711)');

      const restarted = await startServer(settings);
      const { status, text, replayed } = await createTeamWithRetry(restarted, key, 'Between');
      const [{ id }] = (await client.query("select id from teams where name = 'Between'")).rows;
      expect({ status, replayed, body: JSON.parse(text) }).toMatchObject({
        status: 200,
        replayed: true,
        body: { team: { id, name: 'Between' } },
      });
      expect((await teamNames(restarted, key)).filter((name) => name === 'Between')).toHaveLength(
        1,
      );
    },
    60_000,
  );
});
