import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createByteBudget } from '../../src/http/byte-budget.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { assistantOf, personIn, type TestPerson } from '../support/assistants.ts';
import { formOf, formType } from '../support/files.ts';
import { temporaryDirectory } from '../support/process.ts';
import { searchVaultStub } from '../support/search-vault-stub.ts';

const directory = temporaryDirectory();
const observed: { files: number; modes: number[] }[] = [];

let app: TestApp;
let vault: Awaited<ReturnType<typeof searchVaultStub>>;
let person: TestPerson;
let assistantId: string;

const directoriesIn = (path: string) =>
  readdirSync(path, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(path, entry.name)] : [],
  );

function filesOnDisk() {
  const [processDirectory = ''] = directoriesIn(join(directory.path, 'request-files'));
  return readdirSync(processDirectory, { recursive: true, withFileTypes: true }).map((entry) => ({
    isFile: entry.isFile(),
    mode: statSync(join(entry.parentPath, entry.name)).mode & 0o777,
  }));
}

beforeAll(async () => {
  vault = await searchVaultStub();
  const extract: typeof vault.client.extract = async (request) => {
    const entries = filesOnDisk();
    observed.push({
      files: entries.filter(({ isFile }) => isFile).length,
      modes: [...new Set(entries.map(({ mode }) => mode))],
    });
    return vault.client.extract(request);
  };
  app = await testApp(
    { DATA_DIR: directory.path, USER_KEY_LIMIT: '100000', REQUEST_MEGABYTES_PER_PERSON: '1' },
    { vault: { ...vault.client, extract } },
  );
  person = await personIn(app, await app.organization());
  assistantId = await assistantOf(person);
});
afterAll(async () => {
  await app.close();
  vault.client.close();
  await vault.stop();
  directory.remove();
});

const messages = JSON.stringify([{ role: 'user', content: 'When does the bus leave?' }]);
const partsOf = (files: string[]) => [
  { name: 'messages', content: messages },
  ...files.map((content, index) => ({
    name: 'files',
    fileName: `${index}.txt`,
    type: 'text/plain',
    content,
  })),
];
const post = (body: Buffer<ArrayBuffer>) =>
  app.request('POST', `/api/assistants/v1/${assistantId}/run`, {
    headers: { authorization: `Bearer ${person.key}`, 'content-type': formType },
    body,
  });
const send = (files: string[]) => post(formOf(partsOf(files)));

describe('the files of a run', () => {
  it('The files wait in a directory that only the owner of the process can read, and are removed afterwards', async () => {
    const { status } = await send(['The bus leaves at 7:40.', 'The train leaves at 8:10.']);
    expect(status).toBe(200);
    expect(observed[0]).toEqual({ files: 2, modes: expect.arrayContaining([0o700, 0o600]) });
    expect(filesOnDisk()).toEqual([]);
  });

  it('The files are removed when the request is rejected', async () => {
    expect((await send(['one', ''])).status).toBe(400);
    expect((await post(formOf(partsOf(['one']), { end: '' }))).status).toBe(400);
    expect(filesOnDisk()).toEqual([]);
  });

  it('The bytes of a body without a Content-Length are counted as they arrive', async () => {
    const body = formOf(partsOf(['word '.repeat(250_000)]));
    const stream = new Blob([body]).stream();
    const headers = { authorization: `Bearer ${person.key}`, 'content-type': formType };
    const options = { method: 'POST', headers, body: stream, duplex: 'half' };
    expect(
      (
        await app.fetch(
          new Request(`http://atrium.test/api/assistants/v1/${assistantId}/run`, options),
        )
      ).status,
    ).toBe(503);
    expect(filesOnDisk()).toEqual([]);
  });

  it('Beyond one person’s share the answer is 503 with Retry-After, and after a release requests succeed again', async () => {
    const { status, headers, body } = await send(['word '.repeat(250_000)]);
    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({
      status: 503,
      retryAfter: '2',
    });
    expect(body['message']).toContain('too large together');
    expect(filesOnDisk()).toEqual([]);
    expect((await send(['The bus leaves at 7:40.'])).status).toBe(200);
  });
});

describe('the budget of bytes', () => {
  it('The budget limits each owner and all owners together, and released bytes can be reserved again', () => {
    const budget = createByteBudget({ bytesMax: 100, ownerBytesMax: 60 });
    const [ada, bob] = [budget.reservationFor('ada'), budget.reservationFor('bob')];
    ada.reserve(50);
    expect(() => budget.reservationFor('ada').reserve(11)).toThrow('Your requests');
    bob.reserve(50);
    expect(() => budget.reservationFor('eve').reserve(1)).toThrow(
      'The server is receiving too much data',
    );
    ada.release();
    ada.release();
    bob.release();
    expect(budget.bytes()).toBe(0);
  });
});
