import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sweepConversations } from '../../../src/modules/conversations/sweep-conversations.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { conversationsOf } from '../../support/conversations.ts';
import { type ModelProvider, modelProvider } from '../../support/model-provider.ts';
import { signIn } from '../../support/sign-in.ts';

let app: TestApp;
let provider: ModelProvider;
let organization: TestOrganization;
let ada: TestPerson;
let emil: TestPerson;
let stranger: TestPerson;
let administrator: Graph;
let assistantId: string;
let now = new Date('2026-05-05T10:30:00.000Z');

beforeAll(async () => {
  provider = await modelProvider(() => ({ text: 'Thirty days.' }));
  provider.refuseTitles();
  app = await testApp(
    {
      ...{ USER_KEY_LIMIT: '100000', MODEL_BASE_URL: provider.baseUrl, MODEL_API_KEY: 'k' },
      MODEL_DEFAULT: 'large',
    },
    { clock: () => now },
  );
  organization = await app.organization();
  [ada, emil, stranger] = [
    await personIn(app, organization),
    await personIn(app, organization),
    await personIn(app, await app.organization()),
  ];
  administrator = await signIn(app, organization.administratorId);
  assistantId = await assistantOf(ada, { name: 'Handbook' });
  await share(ada, assistantId, 'VIEW');
});
afterAll(async () => {
  await app.close();
  await provider.close();
});

type Graph = {
  graph(
    query: string,
    variables?: Record<string, unknown>,
  ): Promise<{
    data: Record<string, unknown> | null;
    errors: { message: string; extensions?: { code?: unknown } | undefined }[];
  }>;
};
type Given = { mark?: string; reason?: string; comment?: string; sharesContent?: boolean };

const codeOf = ({ errors }: { errors: { extensions?: { code?: unknown } | undefined }[] }) =>
  errors[0]?.extensions?.code ?? 'done';

/** An answer to a question of this person. */
async function answered(person: TestPerson, assistant = assistantId) {
  const own = conversationsOf(person);
  const conversationId = await own.create(assistant);
  await own.ask({ assistantId: assistant, conversationId }, 'How many days of vacation?');
  const { messages } = await own.get(conversationId);
  return { conversationId, questionId: messages[0]?.id ?? '', id: messages[1]?.id ?? '' };
}

const feedbackFields = 'mark reason comment sharesContent givenOn';
const give = ({ graph }: Graph, messageId: string, { mark = 'BAD', ...rest }: Given = {}) =>
  graph(
    `mutation ($messageId: ID!, $mark: FeedbackMark!, $reason: FeedbackReason, $comment: String, $sharesContent: Boolean) {
      giveFeedback(input: { messageId: $messageId, mark: $mark, reason: $reason, comment: $comment, sharesContent: $sharesContent }) {
        message { id feedback { ${feedbackFields} } } } }`,
    { messageId, mark, ...rest },
  );
const remove = ({ graph }: Graph, messageId: string) =>
  graph(
    `mutation { removeFeedback(input: { messageId: "${messageId}" }) { message { feedback { mark } } } }`,
  );
const ownFeedback = async ({ graph }: Graph, conversationId: string) => {
  const { data } = await graph(
    `{ conversation(conversationId: "${conversationId}") { messages { role feedback { ${feedbackFields} } } } }`,
  );
  const { messages } = Object(data?.['conversation']);
  return messages.map(({ feedback }: { feedback: unknown }) => feedback);
};
const received = ({ graph }: Graph, id: string, args = '') =>
  graph(
    `{ assistantFeedback(assistantId: "${id}", first: 50 ${args}) {
      totalCount nodes { id mark reason comment givenOn question answer user { id } } } }`,
  );
const receivedNodes = async (reader: Graph, id: string, args = '') =>
  Object((await received(reader, id, args)).data?.['assistantFeedback']).nodes;
const auditActions = async () =>
  (
    await app.database.sql<{ action: string; actorUserId: string; changes: object }>`
      select action, actor_user_id as "actorUserId", changes from audit_entries
      where organization_id = ${organization.id} and action like '%share-answer' order by at, id`
  ).map((entry) => ({ ...entry }));

describe('Feedback on an answer', () => {
  it('tells the owners of the assistant only if the person shares the answer and their name, once', async () => {
    const { sql } = app.database;
    const told = () => sql<{ userId: string; assistantId: string }>`
      select user_id as "userId", assistant_id as "assistantId" from notifications
      where kind = 'FEEDBACK_SHARED' and organization_id = ${organization.id}`;
    const { id } = await answered(emil);
    await give(emil, id, { mark: 'BAD', comment: 'Wrong' });
    expect(await told()).toEqual([]);
    await give(emil, id, { sharesContent: true });
    await give(emil, id, { mark: 'GOOD', sharesContent: true });
    expect(await told()).toEqual([{ userId: ada.id, assistantId }]);
    const own = await answered(ada);
    await give(ada, own.id, { sharesContent: true });
    expect(await told()).toHaveLength(1);
    await sql`delete from answer_feedback where user_id = ${ada.id}`;
    await remove(emil, id);
    await sql`delete from notifications`;
  });

  it('is given, replaced and taken back by the person of the conversation', async () => {
    const { id, conversationId } = await answered(emil);
    expect(await ownFeedback(emil, conversationId)).toEqual([null, null]);
    const first = await give(emil, id, { reason: 'WRONG', comment: '  Twenty.\nI looked. ' });
    const wrong = {
      ...{ mark: 'BAD', reason: 'WRONG', comment: 'Twenty.\nI looked.' },
      ...{ sharesContent: false, givenOn: '2026-05-05' },
    };
    expect(first.data?.['giveFeedback']).toEqual({ message: { id, feedback: wrong } });
    expect(await ownFeedback(emil, conversationId)).toEqual([null, wrong]);
    await give(emil, id, { mark: 'GOOD' });
    expect(await ownFeedback(emil, conversationId)).toMatchObject([
      null,
      { mark: 'GOOD', reason: null, comment: '' },
    ]);
    const removed = await remove(emil, id);
    expect(removed.data?.['removeFeedback']).toEqual({ message: { feedback: null } });
    expect(codeOf(await remove(emil, id))).toBe('done');
    expect(await ownFeedback(emil, conversationId)).toEqual([null, null]);
  });

  it('is NOT_FOUND for everybody else, for a question and for an unknown message', async () => {
    const { id, questionId } = await answered(emil);
    for (const other of [ada, stranger, administrator])
      for (const attempt of [give, remove])
        expect(codeOf(await attempt(other, id))).toBe('NOT_FOUND');
    for (const unknown of [questionId, 'unknown'])
      for (const attempt of [give, remove])
        expect(codeOf(await attempt(emil, unknown))).toBe('NOT_FOUND');
    const keyOfNobody = await organization.keyOf('ORGANIZATION_KEY');
    const byKey = {
      graph: (query: string, variables = {}) => app.graph(keyOfNobody, query, variables),
    };
    expect(codeOf(await give(byKey, id))).toBe('FORBIDDEN');
    expect(await app.database.sql`select id from answer_feedback where message_id = ${id}`).toEqual(
      [],
    );
  });

  it('has a reason only if the answer is bad, and a comment of at most 2,000 characters', async () => {
    const { id } = await answered(emil);
    const good = await give(emil, id, { mark: 'GOOD', reason: 'WRONG' });
    expect(codeOf(good)).toBe('BAD_INPUT');
    expect(codeOf(await give(emil, id, { comment: 'a'.repeat(2_001) }))).toBe('BAD_INPUT');
    expect(codeOf(await give(emil, id, { comment: '🙂'.repeat(2_000) }))).toBe('done');
  });

  it('waits until the answer is complete', async () => {
    const opened = Promise.withResolvers<() => void>();
    provider.now(() => (response) => opened.resolve(() => response.writeHead(500).end()));
    const own = conversationsOf(emil);
    const conversationId = await own.create(assistantId);
    const asking = own.ask({ assistantId, conversationId }, 'Slow?');
    const end = await opened.promise;
    const { messages } = await own.get(conversationId);
    const id = messages[1]?.id ?? '';
    expect(codeOf(await give(emil, id))).toBe('CONFLICT');
    provider.now(() => ({ text: 'Thirty days.' }));
    end();
    await asking;
    expect(codeOf(await give(emil, id))).toBe('done');
  });

  it('given at the same time is stored once', async () => {
    const { id } = await answered(emil);
    const marks = ['GOOD', 'BAD', 'GOOD', 'BAD', 'GOOD'];
    const results = await Promise.all(
      marks.map((mark) => give(emil, id, { mark, sharesContent: true })),
    );
    expect(results.map(codeOf)).toEqual(marks.map(() => 'done'));
    expect(
      await app.database.sql`select id from answer_feedback where message_id = ${id}`,
    ).toHaveLength(1);
  });
});

describe('The feedback on an assistant', () => {
  it('is read by those who may change it, newest first, and by nobody else', async () => {
    const id = await assistantOf(ada);
    await share(ada, id, 'VIEW', { userId: emil.id });
    const editor = await personIn(app, organization);
    await share(ada, id, 'EDIT', { userId: editor.id });
    const answers = [await answered(emil, id), await answered(emil, id)];
    await give(emil, answers[0]?.id ?? '', { comment: 'First', reason: 'OUTDATED' });
    now = new Date('2026-05-06T23:59:00.000Z');
    await give(emil, answers[1]?.id ?? '', { mark: 'GOOD', comment: 'Second' });
    const expected = [
      { mark: 'GOOD', reason: null, comment: 'Second', givenOn: '2026-05-06' },
      { mark: 'BAD', reason: 'OUTDATED', comment: 'First', givenOn: '2026-05-05' },
    ];
    for (const reader of [ada, editor]) {
      const nodes = await receivedNodes(reader, id);
      expect(nodes).toMatchObject(expected);
      const [{ id: feedbackId }] = nodes;
      const node = `{ node(id: "${feedbackId}") { ... on AssistantFeedback { comment } } }`;
      expect((await reader.graph(node)).data).toEqual({ node: { comment: 'Second' } });
      for (const other of [emil, stranger])
        expect((await other.graph(node)).data).toEqual({ node: null });
    }
    expect(await receivedNodes(ada, id, ', mark: BAD')).toMatchObject([{ comment: 'First' }]);
    expect(codeOf(await received(emil, id))).toBe('FORBIDDEN');
    expect(codeOf(await received(stranger, id))).toBe('NOT_FOUND');
    const summary = `{ assistantFeedbackSummary(assistantId: "${id}") { good bad } }`;
    expect(codeOf(await emil.graph(summary))).toBe('FORBIDDEN');
    expect(codeOf(await stranger.graph(summary))).toBe('NOT_FOUND');
  });

  it('has neither the name nor the time, the question or the answer, unless the person shares them', async () => {
    const id = await assistantOf(ada);
    await share(ada, id, 'VIEW', { userId: emil.id });
    const answer = await answered(emil, id);
    const before = await auditActions();
    await give(emil, answer.id, { comment: 'Why?' });
    expect(await receivedNodes(ada, id)).toMatchObject([
      { comment: 'Why?', question: null, answer: null, user: null },
    ]);
    expect(await auditActions()).toEqual(before);
    const [row] = await app.database.sql<{ givenOn: string; id: string }>`
      select id, given_on as "givenOn" from answer_feedback where assistant_id = ${id}`;
    expect(row?.givenOn).toMatch(/T00:00:00\.000Z$/);
    // Version 4 is random; version 7 would begin with the time.
    expect(row?.id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4/);

    await give(emil, answer.id, { comment: 'Why?', sharesContent: true });
    expect(await receivedNodes(ada, id)).toMatchObject([
      {
        ...{ question: 'How many days of vacation?', answer: 'Thirty days.' },
        user: { id: emil.id },
      },
    ]);
    now = new Date(now.getTime() + 1_000);
    await give(emil, answer.id, { mark: 'GOOD' });
    expect(await receivedNodes(ada, id)).toMatchObject([
      { mark: 'GOOD', question: null, answer: null, user: null },
    ]);
    const by = { actorUserId: emil.id, changes: {} };
    expect((await auditActions()).slice(before.length)).toEqual([
      { action: 'share-answer', ...by },
      { action: 'unshare-answer', ...by },
    ]);
  });

  it('is counted in total and by week, also the weeks without any', async () => {
    const id = await assistantOf(ada);
    now = new Date('2026-01-01T12:00:00.000Z');
    await give(ada, (await answered(ada, id)).id);
    // A Sunday, and the Monday after it.
    now = new Date('2026-05-03T23:59:59.000Z');
    await give(ada, (await answered(ada, id)).id, { mark: 'GOOD' });
    await give(ada, (await answered(ada, id)).id, { mark: 'GOOD' });
    now = new Date('2026-05-04T00:00:00.000Z');
    await give(ada, (await answered(ada, id)).id);
    now = new Date('2026-05-06T12:00:00.000Z');
    const { data } = await ada.graph(
      `{ assistantFeedbackSummary(assistantId: "${id}") { good bad weeks { from good bad } } }`,
    );
    const { weeks, ...total } = Object(data?.['assistantFeedbackSummary']);
    expect(total).toEqual({ good: 2, bad: 2 });
    expect(weeks).toHaveLength(12);
    expect(weeks[0]).toEqual({ from: '2026-02-16', good: 0, bad: 0 });
    expect(weeks.slice(-3)).toEqual([
      { from: '2026-04-20', good: 0, bad: 0 },
      { from: '2026-04-27', good: 2, bad: 0 },
      { from: '2026-05-04', good: 0, bad: 1 },
    ]);
  });
});

describe('What is kept of feedback', () => {
  const rowsOf = (conversationId: string) =>
    app.database.sql`select id from answer_feedback where conversation_id = ${conversationId}`;

  it('Where content is redacted, the comment is redacted before it is stored', async () => {
    const other = await app.organization();
    const person = await personIn(app, other);
    await app.database.sql`update organizations set redacts_content = true where id = ${other.id}`;
    const { id } = await answered(person, await assistantOf(person));
    const { data } = await give(person, id, { comment: 'Ask ada@example.com or 030 123456.' });
    expect(Object(data?.['giveFeedback']).message.feedback.comment).toBe(
      'Ask [e-mail] or [number].',
    );
  });

  it('It is part of the export, and ends with the conversation, the retention, the membership and the account', async () => {
    const other = await app.organization();
    const [first, second, third] = [
      await personIn(app, other),
      await personIn(app, other),
      await personIn(app, other),
    ];
    const assistant = await assistantOf(first);
    await share(first, assistant, 'VIEW');
    const marked = async (person: TestPerson) => {
      const answer = await answered(person, assistant);
      await give(person, answer.id, { comment: 'Kept?', sharesContent: true });
      expect(await rowsOf(answer.conversationId)).toHaveLength(1);
      return answer.conversationId;
    };
    now = new Date('2026-05-06T12:00:00.000Z');
    const [deleted, swept] = [await marked(first), await marked(first)];
    const [left, closed] = [await marked(second), await marked(third)];
    const session = await signIn(app, third.id);
    const { data } = await session.graph<{ exportAccount: { data: { conversations: object[] } } }>(
      'mutation { exportAccount(input: {}) { data } }',
    );
    expect(data?.exportAccount.data.conversations).toMatchObject([
      {
        messages: [
          { feedback: [] },
          {
            feedback: [
              {
                ...{ mark: 'BAD', comment: 'Kept?', givenOn: '2026-05-06T00:00:00.000Z' },
                ...{ sharedQuestion: 'How many days of vacation?', sharedAnswer: 'Thirty days.' },
              },
            ],
          },
        ],
      },
    ]);
    await session.graph(
      'mutation ($email: String!) { deleteAccount(input: { email: $email }) { success } }',
      { email: third.email },
    );
    expect(await rowsOf(closed)).toEqual([]);
    const { status } = await first.call('DELETE', conversationsOf(first).at(deleted));
    expect(status).toBe(200);
    expect(await rowsOf(deleted)).toEqual([]);
    await other.manage('DELETE', `/users/${second.id}`);
    expect(await rowsOf(left)).toEqual([]);
    expect(await receivedNodes(first, assistant)).toHaveLength(1);
    now = new Date('2030-01-01T00:00:00.000Z');
    await sweepConversations({ database: app.database, clock: () => now, wake: () => undefined });
    expect(await rowsOf(swept)).toEqual([]);
  });

  it('It stays with the person when the assistant is deleted', async () => {
    now = new Date('2026-05-06T12:00:00.000Z');
    const assistant = await assistantOf(ada);
    const { id, conversationId } = await answered(ada, assistant);
    await give(ada, id, { mark: 'GOOD' });
    await ada.graph(
      `mutation { deleteAssistant(input: { assistantId: "${assistant}" }) { deletedAssistantId } }`,
    );
    expect(await ownFeedback(ada, conversationId)).toMatchObject([null, { mark: 'GOOD' }]);
    expect(codeOf(await received(ada, assistant))).toBe('NOT_FOUND');
    expect(codeOf(await remove(ada, id))).toBe('done');
  });
});
