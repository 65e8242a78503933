import { ask, createAssistant, runPath } from '../assistant.ts';
import { idOf } from '../check-list.ts';
import { checkFaultyBodies } from '../check-refusals.ts';
import { filledText, hasItem, listOf, matching, oneOf } from '../matchers.ts';
import { checkShape } from '../report.ts';
import { assistant as assistantShape, runResult } from '../shapes.ts';
import type { Suite } from '../suite.ts';

/** Assistants: parts 2 and 4.1, decisions D3, D14, D15, D17, D18, D46. */
export async function checkAssistants(suite: Suite): Promise<void> {
  const { check, prefix } = suite;
  const api = suite.api('user-key', 'assistants');
  if (!api) return;
  const id = await createAssistant(suite, api);
  const list = await api.get('/api/assistants/v1/');
  check('D1 GET assistants answers 200', list, list.status, 200);
  for (const [field, matcher] of Object.entries(assistantShape))
    check(
      `Part 2, GET assistants: each has ${field}, ${matcher.words}`,
      list,
      list.listAt('assistants').map((item) => Object(item)[field]),
      listOf(matcher),
    );
  check(
    '4.1 GET assistants lists an assistant of the caller',
    list,
    list.at('assistants'),
    hasItem({ id, name: prefix }),
  );
  check('D7 GET assistants: newest first', list, idOf(list.listAt('assistants')[0]), id);
  const plain = await api.get('/api/assistants/v1?unknown=1');
  check(
    'D8 GET assistants: a trailing slash and unknown parameters change nothing',
    plain,
    plain.body,
    list.body,
  );

  const run = await api.post(runPath(id), { ...ask('What is the weather like?'), unknown: true });
  check('D1 POST /:assistantId/run answers 200', run, run.status, 200);
  checkShape(check, 'Part 2, POST /:assistantId/run: the answer', run, run.body, runResult);
  check('4.1 POST /:assistantId/run returns a reply', run, run.at('text'), filledText);
  for (const field of ['promptTokens', 'completionTokens'])
    check(
      `D18 POST /:assistantId/run: usage.${field} is an integer`,
      run,
      Number.isInteger(run.at(`usage.${field}`)),
      true,
    );
  const last = run.listAt('messages').at(-1);
  check(
    'D15 POST /:assistantId/run: the last message has the role assistant',
    run,
    Object(last).role,
    'assistant',
  );
  check(
    'D15 POST /:assistantId/run: the last message has a text part',
    run,
    Object(Object(last).content?.find((part: unknown) => Object(part).type === 'text')).text,
    filledText,
  );
  const parts = run.listAt('messages').flatMap((message) => Object(message).content);
  check(
    'D15 POST /:assistantId/run: each part has a type of the contract',
    run,
    parts.map((part) => Object(part).type),
    listOf(oneOf('reasoning', 'text', 'tool-call', 'tool-result')),
  );
  for (const [type, field] of [
    ['tool-call', 'toolCallId'],
    ['tool-call', 'toolName'],
    ['tool-result', 'toolCallId'],
    ['tool-result', 'toolName'],
    ['reasoning', 'text'],
    ['text', 'text'],
  ] as const) {
    const matching = parts.filter((part) => Object(part).type === type);
    check(
      `D15 POST /:assistantId/run: each ${type} has ${field}`,
      run,
      matching.map((part) => Object(part)[field]),
      listOf(filledText),
    );
  }
  const calls = parts
    .filter((part) => Object(part).type === 'tool-call')
    .map((part) => Object(part).toolCallId);
  const results = parts
    .filter((part) => Object(part).type === 'tool-result')
    .map((part) => Object(part).toolCallId);
  check(
    'D15 POST /:assistantId/run: each tool call has its result',
    run,
    results.toSorted(),
    calls.toSorted(),
  );
  const outputs = parts
    .filter((part) => Object(part).type === 'tool-result')
    .map((part) => Object(Object(part).output).type);
  check(
    'D15 POST /:assistantId/run: each tool result has an output with a type',
    run,
    outputs,
    listOf(filledText),
  );

  const history = [...ask('What is the weather like?').messages, ...run.listAt('messages')];
  const continued = await api.post(runPath(id), {
    messages: [...history, { role: 'user', content: 'And tomorrow?' }],
  });
  check('D14 a run accepts [...messages, ...response.messages]', continued, continued.status, 200);
  for (const role of ['system', 'user', 'assistant', 'tool']) {
    const content =
      role === 'tool'
        ? [
            {
              type: 'tool-result',
              toolCallId: 'a',
              toolName: 'search_knowledge',
              output: { type: 'text', value: 'x' },
            },
          ]
        : 'Hello';
    const messages = [
      { role: 'user', content: 'Hi' },
      ...(role === 'tool'
        ? [
            {
              role: 'assistant',
              content: [
                { type: 'tool-call', toolCallId: 'a', toolName: 'search_knowledge', input: {} },
              ],
            },
          ]
        : []),
      { role, content },
      { role: 'user', content: 'Hello?' },
    ];
    const accepted = await api.post(runPath(id), { messages });
    check(`D14 a run accepts a message of the role ${role}`, accepted, accepted.status, 200);
  }
  await checkFaultyBodies(
    check,
    { name: 'POST /:assistantId/run', api, method: 'POST', path: runPath(id) },
    [
      ['no messages', {}, 'messages'],
      ['messages null', { messages: null }, 'messages'],
      ['no message', { messages: [] }, 'messages'],
      ['messages that is a string', { messages: 'Hello' }, 'messages'],
      ['messages that is an object', { messages: { role: 'user', content: 'Hi' } }, 'messages'],
      ['a message that is a string', { messages: ['Hello'] }, 'messages'],
      ['a message without a role', { messages: [{ content: 'Hi' }] }, 'role'],
      ['a message without content', { messages: [{ role: 'user' }] }, 'content'],
      ['an unknown role', { messages: [{ role: 'developer', content: 'Hi' }] }, 'role'],
      ['a role in capitals', { messages: [{ role: 'USER', content: 'Hi' }] }, 'role'],
      ['content that is a number', { messages: [{ role: 'user', content: 3 }] }, 'content'],
      ['content that is null', { messages: [{ role: 'user', content: null }] }, 'content'],
      [
        'a part of an unknown type',
        { messages: [{ role: 'user', content: [{ type: 'video', url: 'x' }] }] },
        'content',
      ],
    ],
  );
  for (const [description, json] of [
    ['with a valid body', ask('Hi')],
    ['also with a faulty body', {}],
  ] as const) {
    const unknown = await api.post(runPath('unknown'), json);
    check(
      `D3 POST /:assistantId/run: an unknown assistant is 403 ${description}`,
      unknown,
      unknown.status,
      403,
    );
    check(
      `D3 POST /:assistantId/run: the 403 says that the assistant is not available ${description}`,
      unknown,
      String(unknown.at('message')).toLowerCase(),
      matching(/not available/),
    );
  }
  await checkForms(suite, id);
  await checkEvents(suite, id);
  await checkForeign(suite, id);
}

/** A run as a form: messages as JSON, files in parts with the name `files`. */
async function checkForms(suite: Suite, id: string): Promise<void> {
  const { check } = suite;
  const api = suite.api('user-key', 'runs with files');
  if (!api) return;
  const send = (fillForm: (form: FormData) => void) => {
    const body = new FormData();
    fillForm(body);
    return api.send('POST', runPath(id), { body });
  };
  const messages = JSON.stringify(ask('Which colour does the boat have?').messages);
  const plain = await send((form) => form.set('messages', messages));
  check(
    '4.1 POST /:assistantId/run accepts a form with messages as a JSON string',
    plain,
    plain.status,
    200,
  );
  const withFiles = await send((form) => {
    form.set('messages', messages);
    form.append(
      'files',
      new File(['The boat has the colour turquoise.'], 'boat.txt', { type: 'text/plain' }),
    );
    form.append(
      'files',
      new File(['The car has the colour grey.'], 'car.txt', { type: 'text/plain' }),
    );
  });
  check(
    '4.1 POST /:assistantId/run accepts files in parts named files',
    withFiles,
    withFiles.status,
    200,
  );
  checkShape(
    check,
    'Part 2, POST /:assistantId/run with files: the answer',
    withFiles,
    withFiles.body,
    runResult,
  );
  if (withFiles.at('model') === 'atrium-extractive') {
    check(
      '4.1 POST /:assistantId/run answers from the files that were sent',
      withFiles,
      withFiles.at('text'),
      matching(/turquoise/),
    );
    check(
      'D16 POST /:assistantId/run cites a file that was sent',
      withFiles,
      withFiles.at('citations.0'),
      matching(/^boat\.txt/),
    );
  }
  for (const [description, fillForm] of [
    ['without messages', (form: FormData) => form.set('other', 'x')],
    ['with messages that are not JSON', (form: FormData) => form.set('messages', 'Hello')],
    ['with an empty list of messages', (form: FormData) => form.set('messages', '[]')],
    [
      'with an unknown role',
      (form: FormData) => form.set('messages', '[{"role":"nobody","content":"x"}]'),
    ],
  ] as const) {
    const refused = await send(fillForm);
    check(`4.1 POST /:assistantId/run: a form ${description} is 400`, refused, refused.status, 400);
    check(
      `D6 POST /:assistantId/run: the 400 for a form ${description} names messages`,
      refused,
      String(refused.at('message')).includes('messages'),
      true,
    );
  }
  const typed = await send((form) =>
    form.set('messages', new Blob([messages], { type: 'application/json' }), 'messages.json'),
  );
  check(
    '4.1 POST /:assistantId/run accepts messages as a part of the type application/json',
    typed,
    typed.status,
    200,
  );
  for (const name of ['file', 'files[]', 'attachments']) {
    const refused = await send((form) => {
      form.set('messages', messages);
      form.append(name, new File(['x'], 'x.txt', { type: 'text/plain' }));
    });
    check(
      `4.1 POST /:assistantId/run: a file in a part named ${name} is 400`,
      refused,
      refused.status,
      400,
    );
    check(
      `4.1 POST /:assistantId/run: the 400 for a file in ${name} names files`,
      refused,
      String(refused.at('message')),
      matching(/\bfiles\b/),
    );
  }
}

/** Rule D46: a client that prefers an event stream gets one. */
async function checkEvents(suite: Suite, id: string): Promise<void> {
  const { check } = suite;
  const api = suite.api('user-key', 'event streams');
  if (!api) return;
  const runAccepting = (accept: string) =>
    api.post(runPath(id), ask('What is the weather like?'), { headers: { accept } });
  const streamed = await runAccepting('text/event-stream');
  check(
    'D46 POST /:assistantId/run returns events for Accept: text/event-stream',
    streamed,
    streamed.headers.get('content-type'),
    matching(/^text\/event-stream/),
  );
  const events = [...streamed.text.matchAll(/^event: (.+)\ndata: (.+)$/gm)].map(
    ([, name, data = '']) => ({ name, data: JSON.parse(data) }),
  );
  check(
    'Streaming guide: the events have names that are documented',
    streamed,
    events.map(({ name }) => name),
    listOf(oneOf('text', 'reasoning', 'tool-call', 'tool-result', 'done')),
  );
  check('Streaming guide: the last event is done', streamed, events.at(-1)?.name, 'done');
  checkShape(check, 'Part 2, the event done', streamed, events.at(-1)?.data, runResult);
  const streamedTexts = events.filter(({ name }) => name === 'text').map(({ data }) => data.text);
  check(
    'Streaming guide: the text events are the text of the answer',
    streamed,
    streamedTexts.join('').endsWith(String(events.at(-1)?.data.text)),
    true,
  );
  for (const accept of [
    'application/json',
    '*/*',
    'application/json, text/event-stream;q=0.1',
    'text/event-stream;q=0',
    'text/event-stream;q=0, */*',
  ]) {
    const json = await runAccepting(accept);
    check(
      `D46 POST /:assistantId/run returns JSON for Accept: ${accept}`,
      json,
      json.headers.get('content-type'),
      'application/json; charset=utf-8',
    );
  }
  const preferred = await runAccepting('application/json;q=0.5, text/event-stream');
  check(
    'D46 POST /:assistantId/run returns events if they have the higher q',
    preferred,
    preferred.headers.get('content-type'),
    matching(/^text\/event-stream/),
  );
}

/** Rules D3 and D17: an assistant that is not shared with a person looks like an unknown one. */
async function checkForeign(suite: Suite, id: string): Promise<void> {
  const { check } = suite;
  for (const [flag, description] of [
    ['other-user-key', 'a person of another organization'],
    ['member-key', 'a member with whom it is not shared'],
  ] as const) {
    const api = suite.api(flag, `assistants for ${description}`);
    if (!api) continue;
    const list = await api.get('/api/assistants/v1/');
    check(
      `D17 GET assistants does not list an assistant to ${description}`,
      list,
      list.listAt('assistants').map(idOf).includes(id),
      false,
    );
    const refused = await api.post(runPath(id), ask('Hi'));
    const unknown = await api.post(runPath('unknown'), ask('Hi'));
    check(`D3 POST /:assistantId/run is 403 for ${description}`, refused, refused.status, 403);
    check(
      `D3 POST /:assistantId/run: ${description} gets the same message as for an unknown assistant`,
      refused,
      refused.at('message'),
      unknown.at('message'),
    );
  }
}
