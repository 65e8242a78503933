import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { type ServedApp, serveApp } from '../support/serve-app.ts';
import { startVaultServers, type VaultServers } from '../support/vault-servers.ts';

let app: TestApp;
let vault: VaultServers;
let server: ServedApp;
let ada: TestPerson;
let assistantId: string;
const batches: (string | undefined)[] = [];

beforeAll(async () => {
  vault = await startVaultServers();
  const extract: VaultServers['client']['extract'] = (file) => {
    batches.push(file.batch);
    return vault.client.extract(file);
  };
  app = await testApp(
    { USER_KEY_LIMIT: '100000', VAULT_PERSON_LIMIT: '100000', VAULT_ORGANIZATION_LIMIT: '100000' },
    { vault: { ...vault.client, extract } },
  );
  server = await serveApp(app);
  ada = await personIn(app, await app.organization());
  assistantId = await assistantOf(ada);
});
afterAll(async () => {
  server.close();
  await app.close();
  await vault.close();
});

const conversation = [{ role: 'user', content: 'What does the ticket to Lisbon cost?' }];
const messagesBlob = () => new Blob([JSON.stringify(conversation)], { type: 'application/json' });

async function run(
  parts: [name: string, value: string | Blob, fileName?: string][],
  headers: Record<string, string> = {},
) {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName);
  }
  const answer = await fetch(`${server.url}/api/assistants/v1/${assistantId}/run`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ada.key}`, ...headers },
    body: form,
  });
  return {
    status: answer.status,
    body: Object(await answer.json()),
    replayed: answer.headers.get('idempotency-replayed'),
  };
}

const ticket = new Blob(['The ticket to Lisbon costs 240 euros.'], { type: 'text/plain' });

describe('a form of a run that fetch sends', () => {
  it('Messages can be a part with a content type and a file name, as generated clients send them', async () => {
    for (const name of ['blob', 'messages.json']) {
      const { status, body } = await run([
        ['messages', messagesBlob(), name],
        ['files', ticket, 'ticket.txt'],
      ]);
      expect({ status, citations: body.citations }).toEqual({
        status: 200,
        citations: ['ticket.txt'],
      });
    }
  });

  it('A form is the same request whether its messages are a field or a part with a file name', async () => {
    const headers = { 'idempotency-key': `form-${assistantId}` };
    const files: [string, Blob, string][] = Array.from({ length: 5 }, (_, index) => [
      'files',
      new Blob([`Ticket ${index}.`]),
      `${index}.txt`,
    ]);
    const first = await run([['messages', JSON.stringify(conversation)], ...files], headers);
    const second = await run([['messages', messagesBlob(), 'blob'], ...files], headers);
    expect([first.status, second.status, second.replayed]).toEqual([200, 200, 'true']);
    expect(second.body).toEqual(first.body);
  });

  it.each(['file', 'files[]', 'attachment'])(
    'A file in a part "%s" is rejected, and the error names the right part',
    async (name) => {
      const { status, body } = await run([
        ['messages', JSON.stringify(conversation)],
        [name, ticket, 'ticket.txt'],
      ]);
      expect({ status, message: body.message }).toEqual({
        status: 400,
        message: `The form has a file in a part "${name}"; files must be parts "files"`,
      });
    },
  );

  it('A field that the call does not have is ignored', async () => {
    const fields: [string, string][] = [
      ['messages', JSON.stringify(conversation)],
      ['stream', 'false'],
    ];
    expect((await run(fields)).status).toBe(200);
  });

  it('A hundred small files are read in their order by processes of this request only', async () => {
    batches.length = 0;
    const files: [string, Blob, string][] = Array.from({ length: 100 }, (_, index) => [
      'files',
      new Blob([
        index === 73
          ? 'The ticket to Lisbon costs 240 euros.'
          : `Nothing of interest stands in note ${index}.`,
      ]),
      `${index}.txt`,
    ]);
    const { status, body } = await run([['messages', JSON.stringify(conversation)], ...files]);
    expect({ status, citations: body.citations, batches: batches.length }).toEqual({
      status: 200,
      citations: ['73.txt'],
      batches: 100,
    });
    const [batch] = batches;
    expect(new Set(batches)).toEqual(new Set([batch]));
    expect(batch).toMatch(/^[\w-]{16,64}$/);
    await run([['messages', JSON.stringify(conversation)], ...files.slice(0, 2)]);
    expect(new Set(batches).size).toBe(2);
  });
});
