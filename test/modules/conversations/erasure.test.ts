import { afterAll, beforeAll, expect, it } from 'vitest';
import { answerOf } from '../../support/answers.ts';
import { conversationsOf, conversationsPath } from '../../support/conversations.ts';
import { formOf, formType } from '../../support/files.ts';
import { type RunApp, runApp } from '../../support/run-app.ts';

// The word stands in every text and every name: the question, the answer, the title, the file.
const word = 'xylophonist';

let setting: RunApp;

beforeAll(async () => {
  setting = await runApp({ MODEL_TIME_SECONDS: '20' });
  setting.app.startProcessing();
});
afterAll(() => setting.close());

/** The tables that have a text in any row. */
async function tablesWith(text: string): Promise<string[]> {
  const { sql, prisma } = setting.app.database;
  const tables = await sql<{ name: string }>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by table_name`;
  const found: string[] = [];
  for (const { name } of tables) {
    const rows = await prisma.$queryRawUnsafe<unknown[]>(
      `select 1 from "${name}" t where t::text like '%${text}%' limit 1`,
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

it('Once a person has erased their conversations, no table and no stored file has anything of them, and the audit log has their number', async () => {
  // The vault of this test refuses to store documents, so sent files leave nothing there.
  const { app, owner, provider, assistantId, organization } = setting;
  const mine = conversationsOf(owner);
  provider.now(({ messages }) =>
    messages.some(({ role }) => role === 'tool')
      ? { text: `The ${word} answers [1].`, reasoning: `A ${word}?` }
      : { toolCalls: [{ name: 'search_knowledge', input: { query: word } }] },
  );
  const conversationId = await mine.create(assistantId);
  const form = (prefer: Record<string, string>, key: string) =>
    app.request('POST', `/api/assistants/v1/${assistantId}/run`, {
      headers: {
        ...{ authorization: `Bearer ${owner.key}`, 'content-type': formType },
        ...{ 'idempotency-key': key, ...prefer },
      },
      body: formOf([
        {
          name: 'messages',
          content: JSON.stringify([{ role: 'user', content: `Who is the ${word}?` }]),
        },
        { name: 'conversationId', content: JSON.stringify(conversationId) },
        { name: 'files', fileName: `${word}.txt`, type: 'text/plain', content: `A ${word}.` },
      ]),
    });
  expect((await form({}, 'plain')).status).toBe(200);
  const durable = await form({ prefer: 'respond-async' }, 'durable');
  expect(durable.status).toBe(202);
  await owner.call('GET', `/api/assistants/v1/runs/${durable.body['runId']}?wait=25`);
  const renamed = await owner.call(
    'PATCH',
    mine.at(conversationId),
    { title: `My ${word}` },
    { 'idempotency-key': 'rename' },
  );
  expect(renamed.status).toBe(200);
  await owner.call('POST', mine.at(conversationId, '/share'), {}, { 'idempotency-key': 'share' });
  expect(await tablesWith(word)).toEqual(
    expect.arrayContaining([
      ...['conversations', 'conversation_messages', 'conversation_attachments', 'run_contents'],
      ...['idempotent_requests', 'run_events', 'run_step_contents'],
    ]),
  );
  const stored = await app.database.sql<{ key: string }>`
    select storage_key as key from conversation_attachments where conversation_id = ${conversationId}`;
  expect(stored).toHaveLength(2);

  const erased = await owner.call('POST', `${conversationsPath}/erase`, {});
  const counts = { conversations: 1, messages: 4, attachments: 2 };
  expect(answerOf('eraseMyConversations', erased)).toEqual({ erased: counts });
  await expect.poll(() => app.database.sql`select id from file_removals`).toEqual([]);
  expect(await tablesWith(word)).toEqual([]);
  const { storage } = app.contextParts.files;
  for (const { key } of stored) await expect(storage.get(key)).rejects.toThrow();
  const entries = await app.database.sql<{ changes: object; actorUserId: string }>`
    select changes, actor_user_id as "actorUserId" from audit_entries
    where organization_id = ${organization.id} and action = 'erase-conversations'`;
  expect(entries).toEqual([{ changes: counts, actorUserId: owner.id }]);
  // A repetition finds no answer that was kept, and no conversation.
  expect((await form({}, 'plain')).status).toBe(404);
});
