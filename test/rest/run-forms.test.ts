import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../src/platform/errors.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { type ServedApp, serveApp } from '../support/serve-app.ts';
import { startVaultServers, type VaultServers } from '../support/vault-servers.ts';

let app: TestApp;
let vault: VaultServers;
let server: ServedApp;
let ada: TestPerson;
let assistantId: string;
let isVaultFull = false;
const batches: (string | undefined)[] = [];

beforeAll(async () => {
  vault = await startVaultServers();
  const extract: VaultServers['client']['extract'] = (file) => {
    batches.push(file.batch);
    if (isVaultFull) throw new AppError('STORAGE_FULL', 'The vault has no space left');
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

  it('A body of another content type is refused, and the error names both that the call takes', async () => {
    const response = await fetch(`${server.url}/api/assistants/v1/${assistantId}/run`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ada.key}`, 'content-type': 'text/plain' },
      body: JSON.stringify({ messages: conversation }),
    });
    expect({ status: response.status, body: await response.json() }).toMatchObject({
      status: 415,
      body: { message: 'The body must be application/json or multipart/form-data' },
    });
  });

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

describe('the text of a form', () => {
  const text = JSON.stringify([{ role: 'user', content: 'Wie heißt Herr Müller?' }]);

  /** Sends `messages` in these bytes. The headers follow the name of the part. */
  async function runBytes(messages: Buffer, headers: string) {
    const response = await fetch(`${server.url}/api/assistants/v1/${assistantId}/run`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada.key}`,
        'content-type': 'multipart/form-data; boundary=limit',
      },
      body: Buffer.concat([
        Buffer.from(`--limit\r\nContent-Disposition: form-data; name="messages"${headers}\r\n\r\n`),
        messages,
        Buffer.from('\r\n--limit--\r\n'),
      ]),
    });
    return { status: response.status, body: Object(await response.json()) };
  }

  const forms = [
    ['a field', ''],
    ['a field with a charset', '\r\nContent-Type: application/json; charset=utf-8'],
    ['a part with a file name', '; filename="messages.json"\r\nContent-Type: application/json'],
  ] as const;

  it.each(forms)('%s that is not valid UTF-8 is refused, as in a JSON body', async (_, headers) => {
    const { status, body } = await runBytes(Buffer.from(text, 'latin1'), headers);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { field: 'messages', code: 'INVALID_FORMAT', message: 'messages is not valid UTF-8' },
    ]);
  });

  it.each(forms)('%s may contain U+FFFD and begin with a byte order mark', async (_, headers) => {
    const written = `\ufeff${text.replace('ü', '\ufffd')}`;
    expect((await runBytes(Buffer.from(written), headers)).status).toBe(200);
  });

  it('A field in a charset that the server does not know is refused', async () => {
    const { status, body } = await runBytes(
      Buffer.from(text, 'utf16le').swap16(),
      '\r\nContent-Type: application/json; charset=utf-16',
    );
    expect({ status, message: body.message }).toEqual({
      status: 400,
      message: 'messages is not valid UTF-8',
    });
  });

  it('A field in a charset that the server knows is decoded', async () => {
    const headers = '\r\nContent-Type: text/plain; charset=iso-8859-1';
    expect((await runBytes(Buffer.from(text, 'latin1'), headers)).status).toBe(200);
  });

  it('A field that the call does not have may have any bytes', async () => {
    const ignored = Buffer.concat([
      Buffer.from(`${text}\r\n--limit\r\nContent-Disposition: form-data; name="note"\r\n\r\n`),
      Buffer.from('Müller', 'latin1'),
    ]);
    expect((await runBytes(ignored, '')).status).toBe(200);
  });

  it('The error for an empty file names it', async () => {
    const { status, body } = await run([
      ['messages', JSON.stringify(conversation)],
      ['files', ticket, 'ticket.txt'],
      ['files', new Blob([]), 'empty.txt'],
    ]);
    expect(status).toBe(400);
    expect(body.errors).toEqual([
      { field: 'files[1]', code: 'TOO_SHORT', message: 'The file is empty' },
    ]);
  });
});

describe('a form of a run on a full disk', () => {
  const send = () =>
    run([
      ['messages', JSON.stringify(conversation)],
      ['files', ticket, 'ticket.txt'],
    ]);
  const refusal = {
    status: 503,
    body: { code: 'UNAVAILABLE', message: expect.stringMatching(/no space left for the files/) },
  };

  it.each(['mkdtemp', 'open'] as const)('Is refused with 503 if %s fails', async (operation) => {
    const original = fs[operation];
    const failingCall = vi.spyOn(fs, operation).mockImplementation(async (...input: unknown[]) => {
      if (!String(input[0]).includes('form-')) return Reflect.apply(original, fs, input);
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
    });
    syncBuiltinESMExports();
    try {
      expect(await send()).toMatchObject(refusal);
    } finally {
      failingCall.mockRestore();
      syncBuiltinESMExports();
    }
    expect(await send()).toMatchObject({ status: 200 });
  });

  it('Is refused with 503 if the vault has no space to read the file', async () => {
    isVaultFull = true;
    try {
      expect(await send()).toMatchObject(refusal);
    } finally {
      isVaultFull = false;
    }
  });
});
