import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Answer, type TestApp, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { fileIdIn, filesOf, formOf, formType } from '../../support/files.ts';
import { signIn } from '../../support/sign-in.ts';
import { watchStatements } from '../../support/statements.ts';

let app: TestApp;
let ada: TestPerson;
let assistantId: string;
beforeAll(async () => {
  app = await testApp({ USER_KEY_LIMIT: '100000' });
  ada = await personIn(app, await app.organization());
  assistantId = await assistantOf(ada);
});
afterAll(() => app.close());

const uploadMutation = `mutation ($assistantId: ResourceId!, $file: Upload!) {
  result: uploadAssistantFile(assistantId: $assistantId, file: $file) { success file { id originalName size mimeType processingStatus } } }`;
const replaceMutation = `mutation ($assistantId: ResourceId!, $documentId: ResourceId!, $file: Upload!, $ifMatch: String) {
  result: replaceAssistantFile(assistantId: $assistantId, documentId: $documentId, file: $file, ifMatch: $ifMatch) { replacedId unchanged file { id } } }`;

type Question = {
  query?: string;
  variables?: Record<string, unknown>;
  map?: unknown;
  content?: string | Uint8Array;
  name?: string;
};

/** A form by the GraphQL multipart request specification. */
function question({
  query = uploadMutation,
  variables = {},
  map = { 0: ['variables.file'] },
  content = 'Hello',
  name = 'hello.txt',
}: Question) {
  return formOf([
    {
      name: 'operations',
      content: JSON.stringify({ query, variables: { assistantId, file: null, ...variables } }),
    },
    { name: 'map', content: JSON.stringify(map) },
    { name: '0', fileName: name, type: 'text/plain', content },
  ]);
}

const post = (
  body: BodyInit,
  headers: Record<string, string> = { authorization: `Bearer ${ada.key}` },
) => app.request('POST', '/graphql', { headers: { 'content-type': formType, ...headers }, body });
const ask = (asked: Question) => post(question(asked));
const resultIn = ({ body }: Answer) => Object(Object(body['data'])['result']);
const codesIn = ({ body }: Answer) =>
  Object(body['errors'] ?? []).map(
    ({ extensions }: { extensions: { code: string } }) => extensions.code,
  );
const count = () => app.database.prisma.assistantFile.count();

describe('an upload over GraphQL', () => {
  it('stores what it sends, as REST does', async () => {
    const answer = await ask({ name: '../up/hällo.txt' });
    expect(answer.body).toEqual({
      data: {
        result: {
          success: true,
          file: {
            id: expect.any(String),
            originalName: 'hällo.txt',
            size: 5,
            mimeType: 'text/plain',
            processingStatus: 'PENDING',
          },
        },
      },
    });
    expect((await filesOf(app, ada, assistantId).content(resultIn(answer).file.id)).text).toBe(
      'Hello',
    );
  });

  it('replaces a file, and heeds its entity tag', async () => {
    const files = filesOf(app, ada, assistantId);
    const documentId = fileIdIn(await files.upload('old'));
    const guarded = await ask({
      query: replaceMutation,
      variables: { documentId, ifMatch: '"other"' },
    });
    expect(codesIn(guarded)).toEqual(['PRECONDITION_FAILED']);
    expect(
      resultIn(await ask({ query: replaceMutation, variables: { documentId } })),
    ).toMatchObject({ replacedId: documentId, unchanged: false });
  });

  it.each([
    ['without operations', formOf([{ name: 'map', content: '{}' }]), 400],
    ['whose operations are no JSON', formOf([{ name: 'operations', content: '{secret' }]), 400],
    ['with the file first', formOf([{ name: '0', fileName: 'a', content: 'x' }]), 400],
    ['whose map names nothing', question({ map: { 0: ['variables.file.x.y'] } }), 400],
    [
      'of an array of operations',
      formOf([
        { name: 'operations', content: '[]' },
        { name: 'map', content: '{}' },
      ]),
      400,
    ],
    ['that is cut off', question({}).subarray(0, 300), 400],
    ['that is empty', Buffer.alloc(0), 400],
  ])('a form %s is refused with a code, and nothing of it comes back', async (_, body, status) => {
    const before = await count();
    const answer = await post(body);
    expect({ status: answer.status, codes: codesIn(answer) }).toEqual({
      status,
      codes: ['BAD_INPUT'],
    });
    expect(answer.text).not.toContain('secret');
    expect(await count()).toBe(before);
  });

  it.each([
    [
      'no file in the form',
      () =>
        post(
          formOf([
            {
              name: 'operations',
              content: JSON.stringify({
                query: uploadMutation,
                variables: { assistantId, file: null },
              }),
            },
            { name: 'map', content: '{"0":["variables.file"]}' },
          ]),
        ),
      'BAD_INPUT',
    ],
    [
      'a text instead of a file',
      () =>
        app.callerWith(ada.key)('POST', '/graphql', {
          query: uploadMutation,
          variables: { assistantId, file: 'text' },
        }),
      'BAD_INPUT',
    ],
    ['a file of no bytes', () => ask({ content: '' }), 'BAD_INPUT'],
    [
      'a file that breaks off',
      () => post(question({ content: 'x'.repeat(100_000) }).subarray(0, 50_000)),
      'BAD_INPUT',
    ],
    [
      'an assistant that is not there',
      () => ask({ variables: { assistantId: 'unknown' }, content: 'x'.repeat(3_000_000) }),
      'NOT_FOUND',
    ],
    [
      'a file that is too large',
      () => ask({ content: Buffer.alloc(157_286_401) }),
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'two files',
      () => ask({ map: { 0: ['variables.file'], 1: ['variables.other'] } }),
      'BAD_INPUT',
    ],
  ])('with %s is refused, and nothing is stored', async (_, send, code) => {
    const before = await count();
    expect(codesIn(await send())).toEqual([code]);
    expect(await count()).toBe(before);
  });

  it('without a key is refused before its body is read', async () => {
    const answer = await post(question({}), { authorization: 'Bearer none' });
    expect([answer.status, codesIn(answer)]).toEqual([401, ['UNAUTHENTICATED']]);
    expect(codesIn(await post(question({}), {}))).toEqual(['UNAUTHENTICATED']);
  });

  it('with a cookie from another site, or from nowhere that can be told, is refused', async () => {
    const { cookie } = await signIn(app, ada.id);
    const from = (headers: Record<string, string>) => post(question({}), { cookie, ...headers });
    for (const headers of [
      { origin: 'http://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ]) {
      expect(codesIn(await from(headers))).toEqual(['FORBIDDEN']);
    }
    for (const headers of [
      { origin: 'http://atrium.test' },
      { 'sec-fetch-site': 'same-origin' },
      { 'x-requested-with': 'atrium' },
    ]) {
      expect(codesIn(await from(headers))).toEqual([]);
    }
  });
});

describe('files in the graph', () => {
  const listQuery = '{ assistants { id fileCount files { id originalName } } }';

  it('of a hundred assistants cost as many statements as of one', async () => {
    const [few, many] = [
      await personIn(app, await app.organization()),
      await personIn(app, await app.organization()),
    ];
    await filesOf(app, few, await assistantOf(few)).upload('x');
    for (let made = 0; made < 100; made += 1) {
      const id = await assistantOf(many);
      if (made % 10 === 0) await filesOf(app, many, id).upload(`x${made}`);
    }
    const watched = watchStatements();
    try {
      const [one, hundred] = [
        await watched.during(() => few.graph(listQuery)),
        await watched.during(() => many.graph(listQuery)),
      ];
      const counts = Object(hundred.result.data?.['assistants']).map(
        ({ fileCount, files }: { fileCount: number; files: unknown[] }) => [
          fileCount,
          files.length,
        ],
      );
      expect(counts.filter(([number]: number[]) => number === 1)).toHaveLength(10);
      expect(counts.every(([number, length]: number[]) => number === length)).toBe(true);
      // The list, the counts, the files.
      expect([one, hundred].map(({ statements }) => statements.length)).toEqual([3, 3]);
    } finally {
      watched.stop();
    }
  });

  it('are those of the assistants that the asker may see', async () => {
    const viewer = await personIn(app, await app.organization());
    const { data, errors } = await viewer.graph(
      'query ($id: ResourceId!) { assistantFiles(assistantId: $id) { count } }',
      { id: assistantId },
    );
    expect([data, errors[0]?.extensions?.code]).toEqual([null, 'NOT_FOUND']);
  });

  it('need the feature, also below an assistant', async () => {
    const plain = await app.organization({ features: [] });
    const person = await personIn(app, plain);
    const id = await assistantOf(person);
    await share(person, id, 'VIEW');
    const { errors } = await person.graph('{ assistants { fileCount } }');
    expect(errors[0]?.extensions?.code).toBe('FEATURE_DISABLED');
  });

  it('tell where their content is', async () => {
    const documentId = fileIdIn(await filesOf(app, ada, assistantId).upload('addressed'));
    const query =
      'query ($assistantId: ResourceId!, $documentId: ResourceId!) { assistantFileContent(assistantId: $assistantId, documentId: $documentId) }';
    const { data } = await ada.graph(query, { assistantId, documentId });
    const address = String(data?.['assistantFileContent']);
    expect((await ada.call('GET', address)).text).toBe('addressed');
  });
});
