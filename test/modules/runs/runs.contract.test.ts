import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestApp, TestOrganization } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { type FormPart, formOf, formType } from '../../support/files.ts';
import type { ModelProvider } from '../../support/model-provider.ts';
import { refusalBody } from '../../support/refusal-body.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';
import { createProcessedFile } from '../../support/search-vault-stub.ts';
import { serveApp } from '../../support/serve-app.ts';
import { watchStatements } from '../../support/statements.ts';

let setting: RunApp;
let provider: ModelProvider;
let vault: RunApp['vault'];
let app: TestApp;
let organization: TestOrganization;
let owner: TestPerson;
let assistantId: string;
let handbook: string;

const handbookText = 'Employees get 30 days of vacation. Sick notes are due on the third day.';

beforeAll(async () => {
  setting = await runApp({ MODEL_TIME_SECONDS: '4' });
  ({ provider, vault, app, organization, owner, assistantId, handbook } = setting);
});
afterAll(() => setting.close());

const hello = [{ role: 'user', content: 'How many days of vacation do I get?' }];
const graphHello = [{ user: 'How many days of vacation do I get?' }];
const path = (id = assistantId) => `/api/assistants/v1/${id}/run`;
const run = (
  body: unknown = { messages: hello },
  {
    person = owner,
    id = assistantId,
    headers = {},
  }: { person?: TestPerson; id?: string; headers?: Record<string, string> } = {},
) => person.call('POST', path(id), body, headers);
const searchThenAnswer = () =>
  setting.searchThenAnswer('You get 30 days of vacation [1][2].', { reasoning: 'I look it up.' });

describe('POST /run', () => {
  it('The error for 450,000 invalid files names only 20 of them', async () => {
    const { status, body } = await run({
      messages: hello,
      files: Array.from({ length: 450_000 }, () => 1),
    });
    expect(status).toBe(400);
    expect(String(body['message']).split('; ')).toHaveLength(20);
  });

  it('The response body has text, model, messages, usage and citations, without an envelope', async () => {
    searchThenAnswer();
    const { status, body } = await run();
    expect(status).toBe(200);
    expect(body).toEqual({
      runId: expect.any(String),
      text: 'You get 30 days of vacation [1].',
      output: null,
      finishReason: 'STOP',
      model: 'large',
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'I look it up.' },
            {
              type: 'tool-call',
              toolCallId: expect.any(String),
              toolName: 'search_knowledge',
              input: { query: 'vacation' },
            },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: expect.any(String),
              toolName: 'search_knowledge',
              output: { type: 'text', value: expect.stringContaining(handbookText) },
            },
          ],
        },
        {
          role: 'assistant',
          content: [{ type: 'text', text: 'You get 30 days of vacation [1].' }],
        },
      ],
      usage: { promptTokens: 20, completionTokens: 10 },
      citations: ['handbook.pdf#page=3'],
      citationDetails: [
        {
          ...{
            marker: 1,
            documentId: handbook,
            isPreviousVersion: false,
            originalName: 'handbook.pdf',
            page: 3,
          },
          ...{ start: 100, end: 134, quote: 'Employees get 30 days of vacation.', score: 1 },
        },
      ],
    });
    expect(vault.searches.at(-1)).toEqual({ collection: assistantId, query: 'vacation' });
    expect(provider.requests[0]?.messages[0]?.content).toMatch(/^Be brief\./);
  });

  it('The GraphQL mutation returns the same result', async () => {
    searchThenAnswer();
    const query =
      'mutation ($id: ID!, $messages: [RunMessageInput!]!) { runAssistant(input: { assistantId: $id, messages: $messages }) { run { text model usage { promptTokens } citations citationDetails { quote documentId } } } }';
    const { data, errors } = await owner.graph(query, { id: assistantId, messages: graphHello });
    expect(errors).toEqual([]);
    expect(Object(data?.['runAssistant'])['run']).toEqual({
      text: 'You get 30 days of vacation [1].',
      model: 'large',
      usage: { promptTokens: 20 },
      citations: ['handbook.pdf#page=3'],
      citationDetails: [{ quote: 'Employees get 30 days of vacation.', documentId: handbook }],
    });
  });

  it('The messages of a run can be sent back to continue the conversation', async () => {
    searchThenAnswer();
    const first = await run();
    provider.now(() => ({ text: 'As I said, 30.' }));
    const messages = [
      ...hello,
      ...Object(first.body['messages']),
      { role: 'user', content: 'Are you sure?' },
    ];
    expect((await run({ messages })).body).toMatchObject({ text: 'As I said, 30.', citations: [] });
  });

  it('A run accepts a trailing slash and unknown fields', async () => {
    provider.now(() => ({ text: 'Hello.' }));
    const messages = [{ role: 'user', content: 'Hi', name: 'Emil', extra: { deep: [1] } }];
    expect(
      (await owner.call('POST', `${path()}/`, { messages, temperature: 'hot', stream: 1 })).body,
    ).toMatchObject({ text: 'Hello.' });
  });

  it.each(['system', 'user', 'assistant', 'tool'])(
    'A single message of the role %s is accepted',
    async (role) => {
      provider.now(() => ({ text: 'Hello.' }));
      expect((await run({ messages: [{ role, content: 'Hi' }] })).status).toBe(200);
    },
  );

  it('Passages of deleted files are left out, and a file that is being replaced is cited under its new name', async () => {
    const id = await assistantOf(owner);
    const replacement = await createProcessedFile(app, organization, id, 'new handbook.pdf');
    await app.database.prisma.assistantFile.update({
      where: { id: replacement },
      data: { replacesId: 'old', status: 'PROCESSING' },
    });
    vault.put(id, [
      { document: 'gone', text: 'You get 99 days of vacation.' },
      { document: 'old', text: handbookText, page: null },
    ]);
    searchThenAnswer();
    const { body } = await run(undefined, { id });
    expect(JSON.stringify(body)).not.toContain('99 days');
    expect(body['citations']).toEqual(['new handbook.pdf']);
  });

  it('A request with an Idempotency-Key is executed once, however often it is sent', async () => {
    searchThenAnswer();
    const headers = { 'idempotency-key': 'a run of ours'.replaceAll(' ', '-') };
    const first = await run(undefined, { headers });
    const again = await run(undefined, { headers });
    expect(again.text).toBe(first.text);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    expect(provider.requests).toHaveLength(2);
  });
});

const toolIds = { toolCallId: 'call-1', toolName: 'lookup' };

describe('An invalid or refused run', () => {
  const invalidBodies: [string, unknown, RegExp][] = [
    ['no messages', {}, /messages is required/],
    ['messages that are null', { messages: null }, /messages must be/],
    ['an empty list', { messages: [] }, /messages must be a list of 1 to 1000 messages/],
    ['a string', { messages: 'Hi' }, /messages must be a list/],
    ['an object', { messages: { role: 'user', content: 'Hi' } }, /messages must be a list/],
    [
      '10,000 messages',
      { messages: Array.from({ length: 10_000 }, () => ({ role: 'user', content: 'Hi' })) },
      /1 to 1000 messages/,
    ],
    [
      'an assistant’s message without content alone',
      { messages: [{ role: 'assistant', content: '' }] },
      /messages must have a message that the model can read/,
    ],
    [
      'a tool result without its call',
      {
        messages: [
          {
            role: 'tool',
            content: [{ ...toolIds, type: 'tool-result', output: { type: 'text', value: '42' } }],
          },
          { role: 'assistant', content: [] },
        ],
      },
      /messages must have a message that the model can read: a tool result needs its call/,
    ],
    [
      'a message without a role',
      { messages: [{ content: 'Hi' }] },
      /messages\[0\]\.role is required/,
    ],
    [
      'an unknown role',
      { messages: [...hello, { role: 'developer', content: 'Hi' }] },
      /messages\[1\]\.role must be one of system, user, assistant, tool/,
    ],
    [
      'a role in capitals',
      { messages: [{ role: 'User', content: 'Hi' }] },
      /messages\[0\]\.role must be one of/,
    ],
    [
      'a message without content',
      { messages: [{ role: 'user' }] },
      /messages\[0\]\.content is required/,
    ],
    [
      'content that is a number',
      { messages: [{ role: 'user', content: 3 }] },
      /messages\[0\]\.content must be a string, .+, not a number/,
    ],
    [
      'content that is null',
      { messages: [{ role: 'assistant', content: null }] },
      /messages\[0\]\.content must be a string, .+, not null/,
    ],
    [
      'a part of an unknown type',
      { messages: [{ role: 'user', content: [{ type: 'image', url: 'x' }] }] },
      /messages\[0\]\.content\[0\] is not a part that a message of the role \w+ can have/,
    ],
    [
      'a tool call in a user message',
      {
        messages: [
          {
            role: 'user',
            content: [{ type: 'tool-call', toolCallId: '1', toolName: 'x', input: {} }],
          },
        ],
      },
      /messages\[0\]\.content\[0\] is not a part that a message of the role \w+ can have/,
    ],
    [
      'a text part in a tool message',
      { messages: [{ role: 'tool', content: [{ type: 'text', text: 'x' }] }] },
      /messages\[0\]\.content\[0\] is not a part that a message of the role \w+ can have/,
    ],
    [
      'a null in the list',
      { messages: [null] },
      /messages\[0\] must be a message \{role, content\}, not null/,
    ],
    [
      'more text than a run may have',
      { messages: [{ role: 'user', content: '\u0001'.repeat(170_000) }] },
      /longer than 1000000 characters/,
    ],
  ];

  it.each(invalidBodies)(
    'A body with %s is answered with 400 and a message that names the fault',
    async (_, body, message) => {
      provider.now(() => ({ text: 'Hello.' }));
      const answer = await run(body);
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual(refusalBody('BAD_INPUT', expect.stringMatching(message)));
      expect(provider.requests).toHaveLength(0);
    },
  );

  it('A body that is too large is answered with 413', async () => {
    expect(
      (await run({ messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] })).status,
    ).toBe(413);
  });

  it('An unknown assistant, one of another organization and one without access get the same 403', async () => {
    const otherOrganization = await app.organization();
    const outsider = await personIn(app, otherOrganization);
    const colleague = await personIn(app, organization);
    const answers = await Promise.all([
      run(undefined, { id: 'unknown' }),
      run(undefined, { id: 'no%20such%20thing' }),
      run(undefined, { id: 'x'.repeat(5_000) }),
      run(undefined, { person: outsider }),
      run(undefined, { person: colleague }),
    ]);
    for (const { status, body } of answers) {
      expect(status).toBe(403);
      expect(body).toEqual(refusalBody('FORBIDDEN', 'Assistant not available'));
    }
  });

  it('An id that cannot exist is answered like an unknown one (D3)', async () => {
    for (const id of ['%00', 'a%00b', '%zz']) {
      const { status, body } = await run(undefined, { id });
      expect(status).toBe(403);
      expect(body).toEqual(refusalBody('FORBIDDEN', 'Assistant not available'));
    }
  });

  it('A person without access gets 403 and no error of the body', async () => {
    const colleague = await personIn(app, organization);
    expect((await run({ messages: 'nonsense' }, { person: colleague })).status).toBe(403);
    expect(
      (
        await run(
          { messages: [{ role: 'user', content: 'x'.repeat(1_100_000) }] },
          { person: colleague },
        )
      ).status,
    ).toBe(403);
    expect(
      (await colleague.call('POST', path(), undefined, { 'content-type': 'application/xml' }))
        .status,
    ).toBe(403);
  });

  it('Everybody with a share can run the assistant, whatever its kind and level', async () => {
    provider.now(() => ({ text: 'Hello.' }));
    const [viewer, editor, member] = await Promise.all([
      personIn(app, organization),
      personIn(app, organization),
      personIn(app, organization),
    ]);
    const id = await assistantOf(owner);
    await share(owner, id, 'VIEW', { userId: viewer.id });
    await share(owner, id, 'EDIT', { userId: editor.id });
    expect((await run(undefined, { id, person: member })).status).toBe(403);
    for (const person of [viewer, editor])
      expect((await run(undefined, { id, person })).status).toBe(200);
    await share(owner, id, 'VIEW');
    expect((await run(undefined, { id, person: member })).status).toBe(200);
  });

  it('An organization whose sponsorship has ended gets 403 until it is extended', async () => {
    provider.now(() => ({ text: 'Hello.' }));
    const sponsored = await app.organization();
    const person = await personIn(app, sponsored);
    const id = await assistantOf(person);
    const setSponsoredUntil = (sponsoredUntil: Date) =>
      app.database.prisma.organization.update({
        where: { id: sponsored.id },
        data: { sponsoredUntil },
      });
    await setSponsoredUntil(new Date(Date.now() - 1000));
    expect(await run(undefined, { id, person })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('sponsorship of this organization ended') },
    });
    await setSponsoredUntil(new Date(Date.now() + 60_000));
    expect((await run(undefined, { id, person })).status).toBe(200);
  });

  it('A run gets 503 if the vault cannot be reached, and no answer without the files', async () => {
    searchThenAnswer();
    await vault.stop();
    const answer = await run();
    await vault.start();
    expect(answer.status).toBe(503);
    expect(provider.requests).toHaveLength(1);
  });

  it.each([
    [502, 500],
    [502, 401],
  ])(
    'A failing provider is answered with %i (provider status %i), without its error text',
    async (status, providerStatus) => {
      provider.now(
        () => (response) =>
          response
            .writeHead(providerStatus, { 'retry-after': '0' })
            .end('{"error":{"message":"sk-secret of the provider"}}'),
      );
      const answer = await run();
      expect(answer.status).toBe(status);
      expect(answer.text).not.toContain('sk-secret');
      expect(app.logLines.join('')).not.toContain('sk-secret');
    },
  );

  it('A provider that does not answer in time gets 504', async () => {
    provider.now(() => () => {});
    expect(await run()).toMatchObject({
      status: 504,
      body: { message: 'The model provider did not answer in time' },
    });
  });
});

describe('Files that are sent with a run', () => {
  const messages: FormPart = { name: 'messages', content: JSON.stringify(hello) };
  const file = (fileName: string, content: string | Uint8Array): FormPart => ({
    name: 'files',
    fileName,
    type: 'text/plain',
    content,
  });
  const send = (parts: FormPart[], headers: Record<string, string> = {}) =>
    app.request('POST', path(), {
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': formType, ...headers },
      body: formOf(parts),
    });

  it('A run asks once for the assistant; a form asks before it is read too', async () => {
    const watch = watchStatements();
    // A run of half a second or more asks again whether its caller may still run the assistant, so
    // only runs that ask the model sooner are counted. The first ones load the packages of models.
    const countReads = async (start: () => Promise<{ status: number }>) => {
      for (;;) {
        let reads = 0;
        let waitedMs = 0;
        const startedAt = performance.now();
        const { result } = await watch.during((sent) => {
          provider.now(() => {
            reads = sent.filter((text) => text.includes('from assistants a')).length;
            waitedMs = performance.now() - startedAt;
            return { text: 'Hello.' };
          });
          return start();
        });
        expect(result.status).toBe(200);
        if (waitedMs < 400) return reads;
      }
    };
    try {
      expect(await countReads(() => run())).toBe(1);
      expect(await countReads(() => send([messages]))).toBe(2);
    } finally {
      watch.stop();
    }
  });

  it('Sent files are used in one run only, in any order of the form, and can be cited', async () => {
    provider.now(() => ({ text: 'The ticket costs 12 euros [1], and the bus 3 euros [2].' }));
    const answer = await send([
      file('ticket.txt', 'The ticket costs 12 euros.'),
      { name: 'other', content: 'x' },
      messages,
      file('bus.txt', 'The bus costs 3 euros.'),
    ]);
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({
      citations: ['ticket.txt', 'bus.txt'],
      citationDetails: [
        {
          marker: 1,
          documentId: null,
          originalName: 'ticket.txt',
          page: null,
          quote: 'The ticket costs 12 euros.',
        },
        { marker: 2, documentId: null, originalName: 'bus.txt', start: 0, end: 22 },
      ],
    });
    const lastMessage = JSON.stringify(provider.requests[0]?.messages.at(-1));
    expect(lastMessage).toContain('How many days');
    expect(lastMessage).toContain('The bus costs 3 euros.');
    provider.now(() => ({ text: 'Hello.' }));
    await send([messages]);
    expect(JSON.stringify(provider.requests)).not.toContain('ticket');
  });

  it.each<[string, () => FormPart[], number, RegExp]>([
    ['no messages', () => [file('a.txt', 'x')], 400, /messages is required/],
    [
      'messages that are no JSON',
      () => [{ name: 'messages', content: '[{' }],
      400,
      /messages is not valid JSON/,
    ],
    ['messages twice', () => [messages, messages], 400, /one part "messages"/],
    [
      'files that are fields',
      () => [messages, { name: 'files', content: 'x' }],
      400,
      /files must be files/,
    ],
    [
      'a file that cannot be read',
      () => [messages, file('good.txt', 'x'), file('bad.pdf', 'unreadable')],
      400,
      /^bad\.pdf: The file is damaged/,
    ],
    [
      'a file in a part "file"',
      () => [messages, { ...file('a.txt', 'x'), name: 'file' }],
      400,
      /a part "file"; files must be parts "files"/,
    ],
    [
      'a file in a part "files[]"',
      () => [messages, { ...file('a.txt', 'x'), name: 'files[]' }],
      400,
      /a part "files\[\]"; files must be parts "files"/,
    ],
    [
      'messages as a file that is no JSON',
      () => [{ ...file('messages.json', '[{'), name: 'messages' }],
      400,
      /messages is not valid JSON/,
    ],
    [
      'messages as a file, twice',
      () => [{ ...file('a.json', '[]'), name: 'messages' }, messages],
      400,
      /one part "messages"/,
    ],
    [
      'messages as a file that is too large',
      () => [{ ...file('a.json', ' '.repeat(1_100_000)), name: 'messages' }],
      413,
      /messages is larger/,
    ],
    ['an empty file', () => [messages, file('empty.txt', '')], 400, /empty/],
    [
      'more files than a run may have',
      () => [messages, ...Array.from({ length: 101 }, (_, index) => file(`${index}.txt`, 'x'))],
      400,
      /files must be at most 100/,
    ],
    [
      'more text than a run may have',
      () => [
        messages,
        file('a.txt', 'word '.repeat(30_000)),
        file('b.txt', 'word '.repeat(30_000)),
      ],
      400,
      /^b\.txt: together/,
    ],
    [
      'more bytes than a run may have',
      () => [messages, file('large.txt', new Uint8Array(30_000_000))],
      413,
      /larger/,
    ],
  ])(
    'A form with %s is refused with a message that names the fault',
    async (_, parts, status, message) => {
      provider.now(() => ({ text: 'Hello.' }));
      const answer = await send(parts());
      expect(answer.body).toEqual(
        refusalBody(
          status === 413 ? 'PAYLOAD_TOO_LARGE' : 'BAD_INPUT',
          expect.stringMatching(message),
        ),
      );
      expect(answer.status).toBe(status);
      expect(provider.requests).toHaveLength(0);
    },
  );

  it.each(['variables.files.0', 'variables.files'])(
    'A GraphQL request can send one file as %s',
    async (variablePath) => {
      provider.now(() => ({ text: 'The ticket costs 12 euros [1].' }));
      const query =
        'mutation ($id: ID!, $messages: [RunMessageInput!]!, $files: [Upload!]) { runAssistant(input: { assistantId: $id, messages: $messages, files: $files }) { run { citations } } }';
      const files = variablePath.endsWith('0') ? [null] : null;
      const body = formOf([
        {
          name: 'operations',
          content: JSON.stringify({
            query,
            variables: { id: assistantId, messages: graphHello, files },
          }),
        },
        { name: 'map', content: JSON.stringify({ file: [variablePath] }) },
        { name: 'file', fileName: 'ticket.txt', content: 'The ticket costs 12 euros.' },
      ]);
      const answer = await app.request('POST', '/graphql', {
        headers: { authorization: `Bearer ${owner.key}`, 'content-type': formType },
        body,
      });
      expect(answer.body).toEqual({
        data: { runAssistant: { run: { citations: ['ticket.txt'] } } },
      });
    },
  );

  const severalFiles = (
    order: readonly string[],
    map: Record<string, string[]>,
    contentOf = (name: string) => `This is ${name}.`,
  ) => {
    const query =
      'mutation ($id: ID!, $messages: [RunMessageInput!]!, $files: [Upload!]) { runAssistant(input: { assistantId: $id, messages: $messages, files: $files }) { run { citations } } }';
    const variables = { id: assistantId, messages: graphHello, files: order.map(() => null) };
    const body = formOf([
      { name: 'operations', content: JSON.stringify({ query, variables }) },
      { name: 'map', content: JSON.stringify(map) },
      ...order.map((name) => ({ name, fileName: `${name}.txt`, content: contentOf(name) })),
    ]);
    return {
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': formType },
      body,
    };
  };
  const sendFiles = (...files: Parameters<typeof severalFiles>) =>
    app.request('POST', '/graphql', severalFiles(...files));

  it('A GraphQL request can send up to 20 files in the order of the variables', async () => {
    provider.now(() => ({ text: 'Read [1] and [2].' }));
    const names = Array.from({ length: 20 }, (_, at) => `file${at}`);
    const mapOf = (sent: readonly string[]) =>
      Object.fromEntries(sent.map((name, at) => [name, [`variables.files.${at}`]]));
    expect((await sendFiles(names, mapOf(names))).body).toMatchObject({
      data: { runAssistant: { run: { citations: expect.any(Array) } } },
    });
    const prompt = JSON.stringify(provider.requests);
    for (const name of names) expect(prompt).toContain(`This is ${name}.`);
    const tooMany = [...names, 'file20'];
    expect((await sendFiles(tooMany, mapOf(tooMany))).text).toContain('at most 20 files');
  });

  it('A GraphQL request whose files come in another order than the variables is refused', async () => {
    const names = ['one', 'two', 'three'];
    const reversed = Object.fromEntries(
      names.map((name, at) => [name, [`variables.files.${names.length - 1 - at}`]]),
    );
    // Over a socket, a file of this size does not arrive completely before it is read.
    const server = await serveApp(app);
    const { headers, body } = severalFiles(names, reversed, () => '€'.repeat(300_000));
    const answer = await fetch(`${server.url}/graphql`, { method: 'POST', headers, body });
    const text = await answer.text();
    server.close();
    expect(text).toContain('must come in the order of the variables');
  });

  it('A run whose form ends too early is refused', async () => {
    const body = formOf([messages, file('a.txt', 'x')], { end: '' });
    const answer = await app.request('POST', path(), {
      headers: { authorization: `Bearer ${owner.key}`, 'content-type': formType },
      body,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { message: 'The form is malformed or ends too early' },
    });
  });

  it('The same Idempotency-Key repeats the answer for the same file and is refused for another file', async () => {
    provider.now(() => ({ text: 'Hello.' }));
    const headers = { 'idempotency-key': 'with-a-file' };
    const first = await send([messages, file('a.txt', 'one')], headers);
    expect((await send([messages, file('a.txt', 'one')], headers)).text).toBe(first.text);
    expect((await send([messages, file('a.txt', 'two')], headers)).status).toBe(422);
    expect(provider.requests).toHaveLength(1);
  });
});
