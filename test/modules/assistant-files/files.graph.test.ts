import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestApp, type TestResponse, testApp } from '../../support/app.ts';
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

const uploadMutation = `mutation ($assistantId: ID!, $file: Upload!) {
  result: uploadAssistantFile(input: { assistantId: $assistantId, file: $file }) { success file { id originalName size mimeType processingStatus } } }`;
const replaceMutation = `mutation ($assistantId: ID!, $documentId: ID!, $file: Upload!, $ifMatch: String) {
  result: replaceAssistantFile(input: { assistantId: $assistantId, documentId: $documentId, file: $file, ifMatch: $ifMatch }) { replacedId unchanged file { id } } }`;

type MultipartRequest = {
  query?: string;
  variables?: Record<string, unknown>;
  map?: unknown;
  content?: string | Uint8Array;
  name?: string;
};

/** A form as defined by the GraphQL multipart request specification. */
function multipartBody({
  query = uploadMutation,
  variables = {},
  map = { 0: ['variables.file'] },
  content = 'Hello',
  name = 'hello.txt',
}: MultipartRequest) {
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
const sendRequest = (request: MultipartRequest) => post(multipartBody(request));
const resultIn = ({ body }: TestResponse) => Object(Object(body['data'])['result']);
const codesIn = ({ body }: TestResponse) =>
  Object(body['errors'] ?? []).map(
    ({ extensions }: { extensions: { code: string } }) => extensions.code,
  );
const countFiles = () => app.database.prisma.assistantFile.count();

describe('An upload over GraphQL', () => {
  it('The uploaded file is stored, and REST returns its content', async () => {
    const answer = await sendRequest({ name: '../up/hällo.txt' });
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

  it('A file can be replaced, and a wrong entity tag is refused', async () => {
    const files = filesOf(app, ada, assistantId);
    const documentId = fileIdIn(await files.upload('old'));
    const refused = await sendRequest({
      query: replaceMutation,
      variables: { documentId, ifMatch: '"other"' },
    });
    expect(codesIn(refused)).toEqual(['PRECONDITION_FAILED']);
    expect(
      resultIn(await sendRequest({ query: replaceMutation, variables: { documentId } })),
    ).toMatchObject({ replacedId: documentId, unchanged: false });
  });

  it('A form with its parts in another order is refused with the order in the message', async () => {
    const answer = await post(
      formOf([
        { name: 'map', content: '{"0":["variables.file"]}' },
        { name: 'operations', content: '{}' },
      ]),
    );
    expect(Object(answer.body['errors'])[0].message).toBe(
      'The form must have the fields operations and map, both JSON objects, and then at most 20 files',
    );
  });

  it.each([
    ['without operations', formOf([{ name: 'map', content: '{}' }]), 400],
    ['whose operations are not JSON', formOf([{ name: 'operations', content: '{secret' }]), 400],
    ['that begins with the file', formOf([{ name: '0', fileName: 'a', content: 'x' }]), 400],
    [
      'whose map names a missing variable',
      multipartBody({ map: { 0: ['variables.file.x.y'] } }),
      400,
    ],
    [
      'of an array of operations',
      formOf([
        { name: 'operations', content: '[]' },
        { name: 'map', content: '{}' },
      ]),
      400,
    ],
    ['that ends too early', multipartBody({}).subarray(0, 300), 400],
    ['that is empty', Buffer.alloc(0), 400],
  ])(
    'A form %s is refused with a code and its content is not repeated',
    async (_, body, status) => {
      const before = await countFiles();
      const answer = await post(body);
      expect({ status: answer.status, codes: codesIn(answer) }).toEqual({
        status,
        codes: ['BAD_INPUT'],
      });
      expect(answer.text).not.toContain('secret');
      expect(await countFiles()).toBe(before);
    },
  );

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
    ['an empty file', () => sendRequest({ content: '' }), 'BAD_INPUT'],
    [
      'a file that ends too early',
      () => post(multipartBody({ content: 'x'.repeat(100_000) }).subarray(0, 50_000)),
      'BAD_INPUT',
    ],
    [
      'an unknown assistant',
      () => sendRequest({ variables: { assistantId: 'unknown' }, content: 'x'.repeat(3_000_000) }),
      'NOT_FOUND',
    ],
    [
      'a file that is too large',
      () => sendRequest({ content: Buffer.alloc(157_286_401) }),
      'PAYLOAD_TOO_LARGE',
    ],
    [
      'two files',
      () => sendRequest({ map: { 0: ['variables.file'], 1: ['variables.other'] } }),
      'BAD_INPUT',
    ],
  ])('An upload with %s is refused and nothing is stored', async (_, send, code) => {
    const before = await countFiles();
    expect(codesIn(await send())).toEqual([code]);
    expect(await countFiles()).toBe(before);
  });

  it('An upload without a valid key is refused before its body is read', async () => {
    const answer = await post(multipartBody({}), { authorization: 'Bearer none' });
    expect([answer.status, codesIn(answer)]).toEqual([401, ['UNAUTHENTICATED']]);
    expect(codesIn(await post(multipartBody({}), {}))).toEqual(['UNAUTHENTICATED']);
  });

  it('An upload with a cookie is refused unless a header shows that it comes from the same origin', async () => {
    const { cookie } = await signIn(app, ada.id);
    const postFrom = (headers: Record<string, string>) =>
      post(multipartBody({}), { cookie, ...headers });
    for (const headers of [
      { origin: 'http://evil.test' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      {},
    ]) {
      expect(codesIn(await postFrom(headers))).toEqual(['FORBIDDEN']);
    }
    for (const headers of [
      { origin: 'http://atrium.test' },
      { 'sec-fetch-site': 'same-origin' },
      { 'x-requested-with': 'atrium' },
    ]) {
      expect(codesIn(await postFrom(headers))).toEqual([]);
    }
  });
});

describe('Files in GraphQL queries', () => {
  const listQuery = '{ assistants { nodes { id fileCount files { nodes { id originalName } } } } }';

  it('The files of a hundred assistants take as many SQL statements as those of one', async () => {
    const [fewPerson, manyPerson] = [
      await personIn(app, await app.organization()),
      await personIn(app, await app.organization()),
    ];
    await filesOf(app, fewPerson, await assistantOf(fewPerson)).upload('x');
    for (let index = 0; index < 100; index += 1) {
      const id = await assistantOf(manyPerson);
      if (index % 10 === 0) await filesOf(app, manyPerson, id).upload(`x${index}`);
    }
    const statementWatch = watchStatements();
    try {
      const [oneResult, hundredResult] = [
        await statementWatch.during(() => fewPerson.graph(listQuery)),
        await statementWatch.during(() => manyPerson.graph(listQuery)),
      ];
      const counts = Object(hundredResult.result.data?.['assistants']).nodes.map(
        ({ fileCount, files }: { fileCount: number; files: { nodes: unknown[] } }) => [
          fileCount,
          files.nodes.length,
        ],
      );
      expect(counts.filter(([number]: number[]) => number === 1)).toHaveLength(10);
      expect(counts.every(([number, length]: number[]) => number === length)).toBe(true);
      expect(hundredResult.statements).toHaveLength(oneResult.statements.length);
    } finally {
      statementWatch.stop();
    }
  });

  it('The files of an assistant of another organization are NOT_FOUND', async () => {
    const viewer = await personIn(app, await app.organization());
    const { data, errors } = await viewer.graph(
      'query ($id: ID!) { assistantFiles(assistantId: $id) { totalCount } }',
      { id: assistantId },
    );
    expect([data, errors[0]?.extensions?.code]).toEqual([{ assistantFiles: null }, 'NOT_FOUND']);
  });

  it('The fields of an assistant about its files require the feature assistant files', async () => {
    const plainOrganization = await app.organization({ features: [] });
    const person = await personIn(app, plainOrganization);
    const id = await assistantOf(person);
    await share(person, id, 'VIEW');
    const { errors } = await person.graph('{ assistants { nodes { fileCount } } }');
    expect(errors[0]?.extensions?.code).toBe('FEATURE_DISABLED');
  });

  it('The field assistantFileContent gives the address of the content', async () => {
    const documentId = fileIdIn(await filesOf(app, ada, assistantId).upload('addressed'));
    const query =
      'query ($assistantId: ID!, $documentId: ID!) { assistantFileContent(assistantId: $assistantId, documentId: $documentId) }';
    const { data } = await ada.graph(query, { assistantId, documentId });
    const address = String(data?.['assistantFileContent']);
    expect((await ada.call('GET', address)).text).toBe('addressed');
  });
});
