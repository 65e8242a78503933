import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findWrongCounters } from '../../../src/modules/sponsorship/campaigns/find-wrong-counters.ts';
import { AppError } from '../../../src/platform/errors.ts';
import { answerOf, errorOf } from '../../support/answers.ts';
import { assistantOf, personIn } from '../../support/assistants.ts';
import { conversationsOf } from '../../support/conversations.ts';
import { formOf, formType } from '../../support/files.ts';
import { withLostResponse } from '../../support/lost-response.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';
import { signIn } from '../../support/sign-in.ts';
import { withTrigger } from '../../support/trigger.ts';

let setting: RunApp;
let mine: ReturnType<typeof conversationsOf>;
let conversationId: string;

beforeAll(async () => {
  setting = await runApp({ MODEL_TIME_SECONDS: '20' });
  mine = conversationsOf(setting.owner);
});
afterAll(() => setting.close());

const refuseAll = "raise exception 'refused';";

/** With a title, so that the model is not asked for one. */
const start = async (title: string | undefined = 'A title') => {
  conversationId = await mine.create(setting.assistantId, title);
  return { assistantId: setting.assistantId, conversationId };
};
const texts = (messages: readonly { text: string }[]) => messages.map(({ text }) => text);
const sentTexts = (index: number) =>
  setting.provider.requests[index]?.messages
    .filter(({ role }) => role !== 'system')
    .map(({ content }) =>
      Array.isArray(content) ? content.map(({ text }) => text).join('') : content,
    );

describe('A run with a conversation', () => {
  it('adds the question and the answer, with what the run returned', async () => {
    const place = await start();
    setting.searchThenAnswer('You get 30 days of vacation [1].');
    const run = await mine.ask(place, 'How many days of vacation do I get?');
    expect(run.status).toBe(200);
    const { messages, ...conversation } = await mine.get(conversationId);
    expect(conversation).toMatchObject({
      title: 'A title',
      messageCount: 2,
      activeMessageId: messages[1]?.id,
    });
    expect(messages).toMatchObject([
      { role: 'user', text: 'How many days of vacation do I get?', parentId: null, messages: [] },
      {
        ...{ role: 'assistant', state: 'COMPLETED', errorCode: null, parentId: messages[0]?.id },
        ...{ text: 'You get 30 days of vacation [1].', model: 'large' },
        messages: run.body['messages'],
        usage: run.body['usage'],
        citations: ['handbook.pdf#page=3'],
        citationDetails: run.body['citationDetails'],
      },
    ]);
    const runs = await setting.app.database.sql<{ conversationId: string }>`
      select conversation_id as "conversationId" from runs where id = ${messages[1]?.runId ?? ''}`;
    expect(runs).toEqual([{ conversationId }]);
  });

  it('sends the model the branch before the question', async () => {
    const place = await start();
    setting.provider.now((_, call) => ({ text: `Answer ${call}.` }));
    await mine.ask(place, 'First?');
    await mine.ask(place, 'Second?');
    expect(sentTexts(1)).toEqual(['First?', 'Answer 1.', 'Second?']);
    expect(texts((await mine.get(conversationId)).messages)).toEqual([
      ...['First?', 'Answer 1.', 'Second?', 'Answer 2.'],
    ]);
  });

  it('makes a branch where a question is asked again, and the newest branch is the active one', async () => {
    const place = await start();
    setting.provider.now((_, call) => ({ text: `Answer ${call}.` }));
    await mine.ask(place, 'First?');
    const [, firstAnswer] = (await mine.get(conversationId)).messages;
    await mine.ask(place, 'Second?');
    await mine.ask(place, 'Second, edited?', { parentMessageId: firstAnswer?.id ?? '' });
    await mine.ask(place, 'Another beginning?', { parentMessageId: null });
    expect(sentTexts(2)).toEqual(['First?', 'Answer 1.', 'Second, edited?']);
    expect(sentTexts(3)).toEqual(['Another beginning?']);
    expect(texts((await mine.get(conversationId)).messages)).toEqual([
      ...['Another beginning?', 'Answer 4.'],
    ]);
    const all = (await mine.get(conversationId, '?scope=all')).messages;
    expect(texts(all)).toEqual([
      ...['First?', 'Answer 1.', 'Second?', 'Answer 2.', 'Second, edited?', 'Answer 3.'],
      ...['Another beginning?', 'Answer 4.'],
    ]);
    const branch = await mine.get(conversationId, `?messageId=${all[2]?.id}`);
    expect(texts(branch.messages)).toEqual(['First?', 'Answer 1.', 'Second?', 'Answer 2.']);
    const newest = await mine.get(conversationId, `?messageId=${all[0]?.id}`);
    expect(texts(newest.messages)).toEqual([
      ...['First?', 'Answer 1.', 'Second, edited?', 'Answer 3.'],
    ]);
  });

  it('keeps every question of runs at the same time, as branches', async () => {
    const place = await start();
    setting.provider.now(() => ({ text: 'Hello.', afterMs: 50 }));
    const questions = Array.from({ length: 8 }, (_, index) => `Question ${index}?`);
    const answers = await Promise.all(questions.map((question) => mine.ask(place, question)));
    expect(answers.map(({ status }) => status)).toEqual(questions.map(() => 200));
    const { messages } = await mine.get(conversationId, '?scope=all');
    expect(texts(messages.filter(({ role }) => role === 'user')).toSorted()).toEqual(questions);
    expect(
      messages.filter(({ role, state }) => role === 'assistant' && state === 'COMPLETED'),
    ).toHaveLength(8);
  });

  it('keeps the question of a failed run, and its steps before', async () => {
    const place = await start();
    setting.provider.now((_, call) =>
      call === 1
        ? {
            text: 'I search first.',
            toolCalls: [{ name: 'search_knowledge', input: { query: 'vacation' } }],
          }
        : (response) => void response.writeHead(400).end('{}'),
    );
    expect((await mine.ask(place, 'Does this fail?')).status).toBe(502);
    expect((await mine.get(conversationId)).messages).toMatchObject([
      { role: 'user', text: 'Does this fail?' },
      {
        ...{ role: 'assistant', state: 'FAILED', errorCode: 'PROVIDER_FAILED', usage: null },
        text: 'I search first.',
        messages: [{ role: 'assistant' }, { role: 'tool' }],
      },
    ]);
    setting.provider.now(() => ({ text: 'Now it works.' }));
    expect((await mine.ask(place, 'And now?')).status).toBe(200);
    expect(sentTexts(0)?.[0]).toBe('Does this fail?');
  });

  it('fails with a sentence if a filter of the provider holds back the whole answer', async () => {
    const place = await start();
    setting.provider.now(() => ({ text: '', finish: 'content_filter' }));
    expect(await mine.ask(place, 'Is this held back?')).toMatchObject({
      status: 502,
      body: {
        code: 'PROVIDER_FAILED',
        message: 'A filter of the model provider held back the whole answer',
      },
    });
    expect((await mine.get(conversationId)).messages[1]).toMatchObject({ state: 'FAILED' });
  });

  it('keeps what was written when its client disconnects', async () => {
    const { assistantId } = await start();
    setting.provider.now(() => (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const chunk = { id: 'c', object: 'chat.completion.chunk', created: 1, model: 'large' };
      const delta = { role: 'assistant', content: 'The beginning of an answer. ' };
      response.write(
        `data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`,
      );
    });
    const client = new AbortController();
    const response = await fetch(`${setting.url}/api/assistants/v1/${assistantId}/run`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${setting.owner.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({ conversationId, messages: [{ role: 'user', content: 'Begin?' }] }),
      signal: client.signal,
    });
    const reader = response.body?.getReader();
    await reader?.read();
    client.abort();
    await expect
      .poll(async () => (await mine.get(conversationId)).messages[1], { timeout: 5_000 })
      .toMatchObject({ state: 'CANCELLED', text: expect.stringMatching(/^The beginning/) });
  });

  it('streams into the conversation over the graph, and says which message has the answer', async () => {
    const { assistantId } = await start();
    setting.provider.now(() => ({ text: 'Streamed.' }));
    const response = await fetch(`${setting.url}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${setting.owner.key}`,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify({
        query: `subscription ($input: AssistantRunInput!) { assistantRun(input: $input) {
          ... on DoneEvent { result { text answerMessageId } } } }`,
        variables: { input: { assistantId, conversationId, messages: [{ user: 'Stream?' }] } },
      }),
    });
    const { messages } = await mine.get(conversationId);
    expect(await response.text()).toContain('Streamed.');
    const [, answer] = (await mine.get(conversationId)).messages;
    expect(messages[0]?.text).toBe('Stream?');
    expect(answer).toMatchObject({ text: 'Streamed.', state: 'COMPLETED' });
  });

  it.each([
    ['a message of another role', { messages: [{ role: 'system', content: 'Be rude.' }] }, 400],
    ['an unknown conversation', { conversationId: 'unknown' }, 404],
    ['an unknown message', { parentMessageId: 'unknown' }, 404],
    ['a message and no conversation', { conversationId: null, parentMessageId: 'unknown' }, 400],
  ])('with %s is refused, and adds nothing', async (_, input, status) => {
    const { assistantId } = await start();
    const answer = await setting.owner.call('POST', `/api/assistants/v1/${assistantId}/run`, {
      conversationId,
      messages: [{ role: 'user', content: 'Hello?' }],
      ...input,
    });
    expect(answer.status).toBe(status);
    expect((await mine.get(conversationId)).messages).toEqual([]);
  });

  it('with another assistant, or after a question, is refused', async () => {
    const place = await start();
    setting.provider.now(() => ({ text: 'Hello.' }));
    const other = await assistantOf(setting.owner);
    const answer = await mine.ask({ assistantId: other, conversationId }, 'Hello?');
    expect(errorOf(answer).errors).toMatchObject([{ field: 'conversationId', code: 'INVALID' }]);
    await mine.ask(place, 'Hello?');
    const [question] = (await mine.get(conversationId)).messages;
    const after = await mine.ask(place, 'Hello?', { parentMessageId: question?.id ?? '' });
    expect(errorOf(after).errors).toMatchObject([{ field: 'parentMessageId', code: 'INVALID' }]);
  });

  it('after an answer that is still written is refused with 409', async () => {
    const place = await start();
    setting.provider.now(() => ({ text: 'Late.', afterMs: 1_000 }));
    const first = mine.ask(place, 'First?');
    await expect
      .poll(async () => (await mine.get(conversationId)).messages[1]?.state)
      .toBe('RUNNING');
    const [, running] = (await mine.get(conversationId)).messages;
    const answer = await mine.ask(place, 'Too early?', { parentMessageId: running?.id ?? '' });
    expect(errorOf(answer).code).toBe('CONFLICT');
    await first;
  });

  it('of another member, even an administrator, is refused as unknown', async () => {
    const place = await start();
    const other = await personIn(setting.app, setting.organization);
    const { key } = await setting.organization.userKey(setting.organization.administratorId);
    for (const call of [other.call, setting.app.callerWith(key)]) {
      const own = await assistantOf({
        graph: (query, variables) => setting.app.graph(key, query, variables),
      });
      const answer = await conversationsOf({ call }).ask({ ...place, assistantId: own }, 'Hello?');
      expect([403, 404]).toContain(answer.status);
    }
    expect((await mine.get(conversationId)).messages).toEqual([]);
  });

  it('stores its question together with its record, or neither', async () => {
    const place = await start();
    const answer = await withTrigger(
      ...([setting.app.database, 'before insert on runs', refuseAll] as const),
      () => mine.ask(place, 'Never asked?'),
    );
    expect(answer.status).toBe(500);
    expect((await mine.get(conversationId)).messages).toEqual([]);
  });

  it('leaves nothing behind if its conversation is deleted meanwhile', async () => {
    const place = await start();
    setting.provider.now(() => ({ text: 'Too late.', afterMs: 500 }));
    const running = mine.ask(place, 'Delete me?');
    await expect.poll(async () => (await mine.get(conversationId)).messageCount).toBe(2);
    await setting.owner.call('DELETE', mine.at(conversationId));
    expect((await running).status).toBe(200);
    expect(
      await setting.app.database
        .sql`select id from conversation_messages where conversation_id = ${conversationId}`,
    ).toEqual([]);
  });
});

describe('The title of a conversation', () => {
  const titled = (title: string) => {
    setting.provider.now(({ messages }) =>
      JSON.stringify(messages).includes('Write a title')
        ? { text: title, afterMs: 100 }
        : { text: 'Hello.' },
    );
    return mine.create(setting.assistantId);
  };
  const ask = (id: string, question: string) =>
    mine.ask({ assistantId: setting.assistantId, conversationId: id }, question);

  it('comes from the first question, and then from the model in the background', async () => {
    const id = await titled('“Days of vacation”');
    await ask(id, 'How many days of vacation do I get?\nPlease be brief.');
    expect((await mine.get(id)).title).toBe('How many days of vacation do I get?');
    await expect.poll(async () => (await mine.get(id)).title).toBe('Days of vacation');
    await ask(id, 'And sick notes?');
    expect((await mine.get(id)).title).toBe('Days of vacation');
    const runs = await setting.app.database.sql`select id from runs where conversation_id = ${id}`;
    expect(runs).toHaveLength(2);
  });

  it('comes from the model after a durable run as well, and the result names the message', async () => {
    const id = await titled('Of a durable run');
    setting.app.startProcessing();
    const { data } = await setting.owner.graph(
      'mutation ($input: StartRunInput!) { startRun(input: $input) { run { id } } }',
      {
        input: {
          ...{ assistantId: setting.assistantId, conversationId: id },
          messages: [{ user: 'What lasts?' }],
        },
      },
    );
    await expect.poll(async () => (await mine.get(id)).title).toBe('Of a durable run');
    const run = await setting.owner.graph(
      'query ($id: ID!) { run(id: $id, wait: 5) { result { answerMessageId } } }',
      { id: Object(data?.['startRun']).run.id },
    );
    const [, answer] = (await mine.get(id)).messages;
    expect(run.data?.['run']).toEqual({ result: { answerMessageId: answer?.id } });
  });

  it('counts as usage of the run that caused it', async () => {
    const id = await titled('Counted');
    const { body } = await ask(id, 'What is counted?');
    const entries = () => setting.app.database.sql<{ tokens: number }>`
      select prompt_tokens + completion_tokens as tokens from usage_entries where run_id = ${String(body['runId'])} order by step`;
    await expect.poll(async () => (await entries()).length).toBe(2);
    const [answer, title] = await entries();
    expect(answer?.tokens).toBeGreaterThan(0);
    expect(title?.tokens).toBeGreaterThan(0);
    // The record and the result of the run have the answer only.
    const run = await setting.app.database.prisma.run.findUniqueOrThrow({
      where: { id: String(body['runId']) },
      include: { steps: true },
    });
    expect(run.promptTokens + run.completionTokens).toBe(answer?.tokens);
    expect(run.steps).toHaveLength(1);
  });

  it('is not written by a model whose budget is used up', async () => {
    const administrator = await signIn(setting.app, setting.organization.administratorId);
    const { data } = await administrator.graph<{ createBudget: { budget: { id: string } } }>(
      'mutation ($input: CreateBudgetInput!) { createBudget(input: $input) { budget { id } } }',
      {
        input: {
          scope: 'ORGANIZATION',
          metric: 'TOKENS',
          period: 'TOTAL',
          limit: 1,
          mode: 'BLOCK',
        },
      },
    );
    const budgetId = data?.createBudget.budget.id;
    const id = await titled('Too much');
    expect((await ask(id, 'What is left?')).status).toBe(200);
    // The model would be called at once after the answer.
    await pause(300);
    expect(setting.provider.requests).toHaveLength(1);
    expect(await setting.app.database.sql`select from budget_reservations`).toHaveLength(0);
    expect((await mine.get(id)).title).toBe('What is left?');
    await administrator.graph(
      'mutation ($input: DeleteBudgetInput!) { deleteBudget(input: $input) { deletedBudgetId } }',
      { input: { budgetId } },
    );
  });

  it('that the person has given stays', async () => {
    const id = await titled('Of the model');
    await ask(id, 'What is new?');
    await setting.owner.call('PATCH', mine.at(id), { title: 'Mine' });
    await expect.poll(() => setting.provider.requests.length).toBe(2);
    await ask(id, 'And now?');
    expect((await mine.get(id)).title).toBe('Mine');
  });
});

describe('A run without a conversation', () => {
  it('leaves its record and none of its content', async () => {
    setting.provider.now(() => ({ text: 'A passing answer.' }));
    await setting.owner.call('POST', `/api/assistants/v1/${setting.assistantId}/run`, {
      messages: [{ role: 'user', content: 'A passing question?' }],
    });
    expect(
      await setting.app.database
        .sql`select id from conversation_messages where text like '%passing%'`,
    ).toEqual([]);
  });
});

describe('A question that is repeated after its response was lost', () => {
  const charactersOf = async () => {
    const [row] = await setting.app.database.sql<{ counted: number; stored: number }>`
      select c.characters as counted,
        (select sum(length(m.text) + case when m.role = 'ASSISTANT' then length(m.content::text) else 0 end)::int
          from conversation_messages m where m.conversation_id = c.id) as stored
      from conversations c where c.id = ${conversationId}`;
    return row;
  };
  const askWith = (key: string, message: string) =>
    setting.owner.call(
      'POST',
      `/api/assistants/v1/${setting.assistantId}/run`,
      { conversationId, messages: [{ role: 'user', content: message }] },
      { 'idempotency-key': key },
    );

  it('is answered once more in its place, from the same messages', async () => {
    const place = await start();
    setting.provider.now((_, call) => ({ text: `Answer ${call}.` }));
    await mine.ask(place, 'First?');
    const ask = () => askWith('repeated-question', 'Second?');
    const lost = await withLostResponse(setting.app.database, ask);
    const repeated = await ask();
    expect([lost.status, repeated.status, repeated.body['text']]).toEqual([200, 200, 'Answer 3.']);
    expect(sentTexts(2)).toEqual(sentTexts(1));
    const { messages } = await mine.get(conversationId);
    expect(texts(messages)).toEqual(['First?', 'Answer 1.', 'Second?', 'Answer 3.']);
    expect(messages[3]).toMatchObject({
      ...{ state: 'COMPLETED', runId: repeated.headers.get('x-run-id') },
    });
    const counts = await charactersOf();
    expect(counts?.counted).toBe(counts?.stored);
  });

  it('is answered if the process of its run ended during the answer', async () => {
    await start();
    const { database } = setting.app;
    let refuse: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      setting.provider.now((_, call) =>
        call > 1
          ? { text: 'The second attempt.' }
          : (response) => {
              refuse = () => void response.writeHead(400).end('{}');
              resolve();
            },
      );
    });
    const ask = () => askWith('interrupted-question', 'Question?');
    const first = ask();
    await asked;
    // What other processes find of a process that was killed.
    await database.sql`
      update runs set state = 'FAILED', error_code = 'RUN_INTERRUPTED', ended_at = now(), lease_until = null
      where conversation_id = ${conversationId}`;
    await database.sql`
      update idempotent_requests set alive_until = to_timestamp(0) where key = 'interrupted-question'`;
    const repeated = await ask();
    expect([repeated.status, repeated.body['text']]).toEqual([200, 'The second attempt.']);
    // The first attempt changes nothing any more.
    refuse();
    await first;
    const { messages } = await mine.get(conversationId);
    expect(texts(messages)).toEqual(['Question?', 'The second attempt.']);
    expect(messages[1]).toMatchObject({ state: 'COMPLETED', errorCode: null });
  });

  it('is answered from the files that were stored with it', async () => {
    await start();
    setting.provider.now(() => ({ text: 'It costs 12 euros [1].' }));
    const send = () =>
      sendWithFiles('What does it cost?', [['ticket.txt', 'It costs 12 euros.']], {
        'idempotency-key': 'with-files',
      });
    await withLostResponse(setting.app.database, send);
    const repeated = await send();
    expect([repeated.status, repeated.body['citations']]).toEqual([200, ['ticket.txt']]);
    expect(sentTexts(1)?.at(-1)).toContain('It costs 12 euros.');
    const { messages } = await mine.get(conversationId);
    expect(messages.map(({ attachments }) => attachments.length)).toEqual([1, 0]);
  });
});

const sendWithFiles = (
  message: string,
  files: [string, string][],
  headers: Record<string, string> = {},
) =>
  setting.app.request('POST', `/api/assistants/v1/${setting.assistantId}/run`, {
    headers: { authorization: `Bearer ${setting.owner.key}`, 'content-type': formType, ...headers },
    body: formOf([
      { name: 'messages', content: JSON.stringify([{ role: 'user', content: message }]) },
      { name: 'conversationId', content: JSON.stringify(conversationId) },
      ...files.map(([fileName, content]) => ({
        ...{ name: 'files', fileName, type: 'text/plain', content },
      })),
    ]),
  });

describe('The files of a question', () => {
  const send = sendWithFiles;
  const attachment = async () => {
    const [question] = (await mine.get(conversationId)).messages;
    return question?.attachments[0]?.id ?? '';
  };

  it('stay with it, can be downloaded by its owner only, and are read again for later questions', async () => {
    await start();
    setting.provider.now(() => ({ text: 'The ticket costs 12 euros [1].' }));
    const content = 'The ticket costs 12 euros.';
    const answer = await send('What does the ticket cost?', [['ticket.txt', content]]);
    expect(answer.body['citations']).toEqual(['ticket.txt']);
    const [question] = (await mine.get(conversationId)).messages;
    expect(question?.attachments).toEqual([
      { id: expect.any(String), originalName: 'ticket.txt', mimeType: 'text/plain', size: 26 },
    ]);
    const path = `/api/conversations/v1/attachments/${await attachment()}/content`;
    expect((await setting.owner.call('GET', path)).text).toBe(content);
    const other = await personIn(setting.app, setting.organization);
    expect((await other.call('GET', path)).status).toBe(404);

    await mine.ask({ assistantId: setting.assistantId, conversationId }, 'And for two?');
    expect(sentTexts(1)?.at(-1)).toContain(content);
  });

  it('are refused with 503 if the storage is full, and nothing is added', async () => {
    await start();
    setting.provider.now(() => ({ text: 'Hello.' }));
    const put = vi
      .spyOn(setting.app.contextParts.files.storage, 'put')
      .mockImplementation(async () => {
        throw new AppError('STORAGE_FULL', 'There is no space left');
      });
    try {
      expect(await send('What is it?', [['a.txt', 'A text.']])).toMatchObject({
        status: 503,
        body: { code: 'UNAVAILABLE', message: 'There is no space left for the files of this run' },
      });
    } finally {
      put.mockRestore();
    }
    expect((await mine.get(conversationId)).messages).toEqual([]);
  });

  it('are deleted from the storage with the conversation', async () => {
    await start();
    setting.provider.now(() => ({ text: 'Hello.' }));
    await send('What is it?', [
      ['a.txt', 'A text.'],
      ['b.txt', 'Another text.'],
    ]);
    const { storage } = setting.app.contextParts.files;
    const [stored] = await setting.app.database.sql<{ key: string }>`
      select storage_key as key from conversation_attachments where conversation_id = ${conversationId} limit 1`;
    const path = `/api/conversations/v1/attachments/${await attachment()}/content`;
    setting.app.startProcessing();
    const deleted = await setting.owner.call('DELETE', mine.at(conversationId));
    expect(answerOf('deleteConversation', deleted)).toEqual({ conversationId });
    expect((await setting.owner.call('GET', path)).status).toBe(404);
    await expect
      .poll(() =>
        storage.get(stored?.key ?? '').then(
          async (content) => {
            // Reading it to its end closes the file.
            for await (const _ of content);
            return 'stored';
          },
          () => 'gone',
        ),
      )
      .toBe('gone');
    await expect.poll(() => setting.app.database.sql`select id from file_removals`).toEqual([]);
  });

  it('count in the quota of files and bytes until they are deleted, and are refused beyond it', async () => {
    await start();
    setting.provider.now(() => ({ text: 'Hello.' }));
    const { organization, owner, app } = setting;
    const used = async () => {
      const { data } = await owner.graph('{ organization { quotas { name used } } }');
      const quotas: { name: string; used: number }[] = Object(data?.['organization']).quotas;
      const usedOf = (quota: string) => quotas.find(({ name }) => name === quota)?.used ?? 0;
      return { files: usedOf('FILES'), bytes: usedOf('BYTES') };
    };
    const before = await used();
    await app.database.sql`
      update organizations set bytes_max = ${before.bytes + 20} where id = ${organization.id}`;
    try {
      const files: [string, string][] = [
        ['a.txt', 'Ten bytes!'],
        ['b.txt', 'Ten bytes?'],
      ];
      expect((await send('Do they fit?', files)).status).toBe(200);
      expect(await used()).toEqual({ files: before.files + 2, bytes: before.bytes + 20 });
      const refused = await send('And one byte more?', [['c.txt', 'x']]);
      expect(refused.body).toMatchObject({ status: 'error', code: 'QUOTA_EXCEEDED' });
      expect((await mine.get(conversationId)).messageCount).toBe(2);
      expect(await findWrongCounters({ database: app.database })).toEqual([]);
      await owner.call('DELETE', mine.at(conversationId));
      expect(await used()).toEqual(before);
    } finally {
      await app.database.sql`
        update organizations set bytes_max = null where id = ${organization.id}`;
    }
  });

  it('are not stored if the run is refused', async () => {
    await start();
    const answer = await send('What is it?', [['empty.txt', '']]);
    expect(answer.status).toBe(400);
    expect((await mine.get(conversationId)).messages).toEqual([]);
  });
});

describe('A durable run with a conversation', () => {
  it('takes the conversation, the place and the files over REST', async () => {
    const place = await start();
    setting.app.startProcessing();
    setting.provider.now((_, call) => ({ text: `Answer ${call}.` }));
    await mine.ask(place, 'First?');
    const [, firstAnswer] = (await mine.get(conversationId)).messages;
    await mine.ask(place, 'Second?');
    const fields = {
      ...{ messages: [{ role: 'user', content: 'Second, edited?' }], conversationId },
      parentMessageId: firstAnswer?.id,
    };
    const accepted = await setting.app.request(
      'POST',
      `/api/assistants/v1/${setting.assistantId}/run`,
      {
        headers: {
          ...{ authorization: `Bearer ${setting.owner.key}`, 'content-type': formType },
          prefer: 'respond-async',
        },
        body: formOf([
          ...Object.entries(fields).map(([name, value]) => ({
            ...{ name, content: JSON.stringify(value) },
          })),
          { name: 'files', fileName: 'a.txt', type: 'text/plain', content: 'A text.' },
        ]),
      },
    );
    expect(accepted.status).toBe(202);
    await setting.owner.call('GET', `/api/assistants/v1/runs/${accepted.body['runId']}?wait=25`);
    const { messages } = await mine.get(conversationId);
    expect(texts(messages)).toEqual(['First?', 'Answer 1.', 'Second, edited?', 'Answer 3.']);
    expect(messages[2]?.attachments).toMatchObject([{ originalName: 'a.txt', size: 7 }]);
    expect(sentTexts(2)?.join()).toContain('A text.');
  });

  it('that cannot be stored leaves no question', async () => {
    const { assistantId } = await start();
    const refused = await withTrigger(
      ...([setting.app.database, 'before insert on run_contents', refuseAll] as const),
      () =>
        setting.owner.graph(
          'mutation ($input: StartRunInput!) { startRun(input: $input) { run { id } } }',
          { input: { assistantId, conversationId, messages: [{ user: 'Durable?' }] } },
        ),
    );
    expect(refused.errors).toHaveLength(1);
    expect((await mine.get(conversationId)).messages).toEqual([]);
  });

  it('adds its question at once and its answer at its end, and leaves with the conversation', async () => {
    const { assistantId } = await start();
    setting.provider.now(() => ({ text: 'Durable.' }));
    setting.app.startProcessing();
    const { errors } = await setting.owner.graph(
      'mutation ($input: StartRunInput!) { startRun(input: $input) { run { id } } }',
      { input: { assistantId, conversationId, messages: [{ user: 'Durable?' }] } },
    );
    expect(errors).toEqual([]);
    expect((await mine.get(conversationId)).messages[0]?.text).toBe('Durable?');
    await expect
      .poll(async () => (await mine.get(conversationId)).messages[1], { timeout: 5_000 })
      .toMatchObject({ text: 'Durable.', state: 'COMPLETED' });
    const runs = await setting.app.database.sql<{ id: string }>`
      select id from runs where conversation_id = ${conversationId}`;
    const contents = () => setting.app.database.sql`
      select run_id from run_contents where run_id = any(${runs.map(({ id }) => id)})`;
    expect(await contents()).toHaveLength(1);
    await setting.owner.call('DELETE', mine.at(conversationId));
    expect(await contents()).toEqual([]);
  });
});
