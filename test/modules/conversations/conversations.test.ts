import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerOf, errorOf } from '../../support/answers.ts';
import { type TestApp, type TestOrganization, testApp } from '../../support/app.ts';
import { assistantOf, personIn, share, type TestPerson } from '../../support/assistants.ts';
import { conversationsOf, conversationsPath } from '../../support/conversations.ts';
import { searchVaultStub } from '../../support/search-vault-stub.ts';
import { signIn, type TestSession } from '../../support/sign-in.ts';

let app: TestApp;
let vault: Awaited<ReturnType<typeof searchVaultStub>>;
let organization: TestOrganization;
let ada: TestPerson;
let emil: TestPerson;
let stranger: TestPerson;
let administrator: TestSession;
let assistantId: string;
let mine: ReturnType<typeof conversationsOf>;
let now = new Date('2026-05-05T10:00:00.000Z');

beforeAll(async () => {
  vault = await searchVaultStub();
  app = await testApp({ USER_KEY_LIMIT: '100000' }, { clock: () => now, vault: vault.client });
  organization = await app.organization();
  [ada, emil, stranger] = [
    await personIn(app, organization),
    await personIn(app, organization),
    await personIn(app, await app.organization()),
  ];
  administrator = await signIn(app, organization.administratorId);
  assistantId = await assistantOf(ada);
  await share(ada, assistantId, 'VIEW');
  mine = conversationsOf(ada);
});
afterAll(async () => {
  await app.close();
  vault.client.close();
  await vault.stop();
});

const wait = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};
/** A conversation with one question and its answer. */
async function asked(question: string, person: TestPerson = ada): Promise<string> {
  wait(1);
  const own = conversationsOf(person);
  const conversationId = await own.create(assistantId);
  const { status } = await own.ask({ assistantId, conversationId }, question);
  expect(status).toBe(200);
  return conversationId;
}
const settle = (settings: string) =>
  administrator.graph(
    `mutation { setRetentionSettings(input: { ${settings} }) { retention { keepsConversations retentionDays keepsRunContent redactsContent } } }`,
  );
const entriesOf = (action: string) =>
  app.database.sql<{ actorKind: string; actorUserId: string | null; changes: object }>`
    select actor_kind as "actorKind", actor_user_id as "actorUserId", changes from audit_entries
    where action = ${action} and organization_id = ${organization.id} order by at desc, id desc`;

describe('The list of conversations', () => {
  it('has those of the caller, the one with the newest question first, page by page', async () => {
    const person = await personIn(app, organization);
    const own = conversationsOf(person);
    const ids = [
      await asked('One?', person),
      await asked('Two?', person),
      await asked('Three?', person),
    ];
    wait(1);
    await own.ask({ assistantId, conversationId: ids[0] ?? '' }, 'Again?');
    expect((await own.list()).map(({ title }) => title)).toEqual(['One?', 'Three?', 'Two?']);
    const page = await person.call('GET', `${conversationsPath}?pageSize=2`);
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    const { pathname, search } = new URL(next);
    const rest = answerOf('listConversations', await person.call('GET', pathname + search));
    expect(rest.conversations.map(({ title }) => title)).toEqual(['Two?']);
  });

  it('can be restricted to an assistant, to pinned ones, and to a text', async () => {
    const person = await personIn(app, organization);
    const own = conversationsOf(person);
    const other = await assistantOf(person);
    const first = await asked('How much is 100%_?', person);
    await own.create(other, 'Other');
    await person.call('PATCH', own.at(first), { isPinned: true });
    const titles = async (query: string) => (await own.list(query)).map(({ title }) => title);
    expect(await titles(`?assistantId=${other}`)).toEqual(['Other']);
    expect(await titles('?isPinned=true')).toEqual(['How much is 100%_?']);
    expect(await titles('?isPinned=false')).toEqual(['Other']);
    expect(await titles('?search=OTHER')).toEqual(['Other']);
    expect(await titles(`?search=${encodeURIComponent('100%_')}`)).toEqual(['How much is 100%_?']);
    expect(await titles(`?search=${encodeURIComponent('%')}`)).toEqual(['How much is 100%_?']);
    await person.call('PATCH', own.at(first), { title: 'Renamed' });
    expect(await titles('?search=how%20much')).toEqual(['Renamed']);
  });
});

describe('A conversation', () => {
  it('is started with an assistant that the caller may run', async () => {
    const refused = await stranger.call('POST', conversationsPath, { assistantId });
    expect(errorOf(refused)).toMatchObject({ code: 'FORBIDDEN' });
    const answer = await ada.call('POST', conversationsPath, { assistantId, title: '  Plans ' });
    expect(answerOf('createConversation', answer).conversation).toMatchObject({
      ...{ assistantId, title: 'Plans', isPinned: false, messageCount: 0 },
      ...{ activeMessageId: null, sharedAt: null },
    });
  });

  it('keeps what a PATCH leaves out, and refuses null', async () => {
    const id = await asked('What is left?');
    await ada.call('PATCH', mine.at(id), { isPinned: true });
    const renamed = await ada.call('PATCH', mine.at(id), { title: 'New' });
    expect(answerOf('updateConversation', renamed).conversation).toMatchObject({
      ...{ title: 'New', isPinned: true },
    });
    expect((await ada.call('PATCH', mine.at(id), {})).status).toBe(200);
    expect((await ada.call('PATCH', mine.at(id), { title: null })).status).toBe(400);
  });

  it('is unknown to another member, an administrator and another organization, in every call', async () => {
    const id = await asked('Is this private?');
    const adminKey = await organization.userKey(organization.administratorId);
    for (const call of [emil.call, stranger.call, app.callerWith(adminKey.key)]) {
      const answers = [
        await call('GET', mine.at(id)),
        await call('GET', mine.at(id, '/export')),
        await call('PATCH', mine.at(id), { title: 'Mine now' }),
        await call('POST', mine.at(id, '/share')),
        await call('DELETE', mine.at(id, '/share')),
        await call('DELETE', mine.at(id)),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
      const unknown = await call('GET', mine.at('unknown'));
      expect(errorOf(answers[0] ?? unknown).message).toBe(errorOf(unknown).message);
      expect((await conversationsOf({ call }).list()).map((one) => one.id)).not.toContain(id);
    }
    const { data } = await administrator.graph(`{ node(id: "${id}") { id } }`);
    expect(data).toEqual({ node: null });
    expect((await mine.get(id)).title).toBe('Is this private?');
  });

  it('is exported as Markdown and as JSON', async () => {
    const id = await asked('What do I export?');
    const markdown = await ada.call('GET', mine.at(id, '/export'));
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(markdown.headers.get('content-disposition')).toContain('What do I export.md');
    expect(markdown.text).toMatch(/^# What do I export\?\n\nStarted 2026-05-05T/);
    expect(markdown.text).toMatch(/## You, .*\n\nWhat do I export\?\n\n## Helper, /);
    const json = await ada.call('GET', mine.at(id, '/export?format=json'));
    expect(json.body).toMatchObject({
      ...{ id, title: 'What do I export?', assistantName: 'Helper' },
      messages: [
        { role: 'user', text: 'What do I export?' },
        { role: 'assistant', parentId: expect.any(String) },
      ],
    });
    expect((await ada.call('GET', mine.at(id, '/export?format=pdf'))).status).toBe(400);
  });

  it('stays readable when its assistant is deleted, and takes no more questions', async () => {
    const passing = await assistantOf(ada);
    const conversationId = await mine.create(passing, 'Passing');
    await mine.ask({ assistantId: passing, conversationId }, 'Hello?');
    await ada.graph(
      'mutation ($id: ID!) { deleteAssistant(input: { assistantId: $id }) { deletedAssistantId } }',
      { id: passing },
    );
    expect((await mine.get(conversationId)).messages).toHaveLength(2);
    expect((await mine.ask({ assistantId: passing, conversationId }, 'Still?')).status).toBe(403);
  });
});

describe('A link to a conversation', () => {
  const shareIt = async (id: string) =>
    answerOf('shareConversation', await ada.call('POST', mine.at(id, '/share')));
  const read = (person: TestPerson, token: string) =>
    person.call('GET', `/api/conversations/v1/shared/${token}`);

  it('shows members of the organization the branch as it was, and others nothing', async () => {
    const id = await asked('What is shared?');
    const { token, url, conversation } = await shareIt(id);
    expect(url).toBe(`http://atrium.test/conversations/shared/${token}`);
    expect(conversation.sharedAt).not.toBeNull();
    await mine.ask({ assistantId, conversationId: id }, 'What is added later?');
    const shared = answerOf('getSharedConversation', await read(emil, token));
    expect(shared.title).toBe('What is shared?');
    expect(shared.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(Object.keys(shared.messages[1] ?? {})).toEqual([
      ...['role', 'text', 'state', 'citations', 'createdAt'],
    ]);
    expect((await read(stranger, token)).status).toBe(404);
    expect((await read(emil, 'unknown')).status).toBe(404);
    expect((await emil.call('GET', mine.at(id))).status).toBe(404);
  });

  it('ends when it is revoked or replaced', async () => {
    const id = await asked('What is revoked?');
    const [first, second] = [await shareIt(id), await shareIt(id)];
    expect((await read(emil, first.token)).status).toBe(404);
    expect((await read(emil, second.token)).status).toBe(200);
    const ended = await ada.call('DELETE', mine.at(id, '/share'));
    expect(answerOf('unshareConversation', ended).conversation.sharedAt).toBeNull();
    expect((await read(emil, second.token)).status).toBe(404);
    expect((await ada.call('DELETE', mine.at(id, '/share'))).status).toBe(200);
  });

  it('is refused while there are no messages', async () => {
    const answer = await ada.call('POST', mine.at(await mine.create(assistantId), '/share'));
    expect(errorOf(answer).code).toBe('CONFLICT');
  });
});

describe('The settings of an organization', () => {
  it('are changed by administrators, and the audit log has what changed', async () => {
    const { data } = await settle('retentionDays: 30');
    expect(data).toEqual({
      setRetentionSettings: {
        retention: {
          ...{ keepsConversations: true, retentionDays: 30 },
          ...{ keepsRunContent: false, redactsContent: false },
        },
      },
    });
    expect(await entriesOf('set-retention-settings')).toMatchObject([
      { changes: { retentionDays: 30, before: { retentionDays: 365 } } },
    ]);
    expect((await settle('retentionDays: 30')).errors).toEqual([]);
    expect(await entriesOf('set-retention-settings')).toHaveLength(1);
    const member = await signIn(app, ada.id);
    const refused = await member.graph(
      'mutation { setRetentionSettings(input: { retentionDays: 1 }) { retention { retentionDays } } }',
    );
    expect(refused.code).toBe('FORBIDDEN');
    expect((await settle('retentionDays: 0')).code).toBe('BAD_INPUT');
    await settle('retentionDays: 365');
  });

  it('Where conversations are not kept, new ones and questions are refused with 403', async () => {
    const id = await asked('Was this before?');
    await settle('keepsConversations: false');
    const answers = [
      await ada.call('POST', conversationsPath, { assistantId }),
      await mine.ask({ assistantId, conversationId: id }, 'And now?'),
    ];
    expect(answers.map(errorOf)).toMatchObject([
      { code: 'FORBIDDEN', message: expect.stringContaining('does not keep conversations') },
      { code: 'FORBIDDEN', message: expect.stringContaining('does not keep conversations') },
    ]);
    expect((await mine.get(id)).messages).toHaveLength(2);
    await settle('keepsConversations: true');
  });

  it('Redaction replaces addresses and numbers in everything that is stored', async () => {
    await settle('redactsContent: true');
    const id = await asked('Who is ada@mail.example, telephone 030 1234567?');
    await settle('redactsContent: false');
    const rows = await app.database.sql<{ row: string }>`
      select m::text || c::text as row from conversation_messages m join conversations c on c.id = m.conversation_id where c.id = ${id}`;
    expect(rows.map(({ row }) => row).join()).not.toMatch(/ada@mail|1234567/);
    expect((await mine.get(id)).title).toBe('Who is [e-mail], telephone [number]?');
  });
});

describe('Erasure', () => {
  it('A person erases all their conversations, and the audit log has only how many', async () => {
    const person = await personIn(app, organization);
    await asked('First secret?', person);
    await asked('Second secret?', person);
    const others = await asked('Of somebody else?');
    const erased = await person.call('POST', `${conversationsPath}/erase`, {});
    const counts = { conversations: 2, messages: 4, attachments: 0 };
    expect(answerOf('eraseMyConversations', erased)).toEqual({ erased: counts });
    expect(await conversationsOf(person).list()).toEqual([]);
    const left = await app.database
      .sql`select id from conversation_messages where text like '%secret%'`;
    expect(left).toEqual([]);
    expect(await entriesOf('erase-conversations')).toMatchObject([
      { actorKind: 'USER_KEY', actorUserId: person.id, changes: counts },
    ]);
    expect((await mine.get(others)).messages).toHaveLength(2);
  });

  it('The audit log has no title and no text of any conversation', async () => {
    const person = await personIn(app, organization);
    const id = await asked('Is xyzzy in the log?', person);
    await person.call('POST', conversationsOf(person).at(id, '/share'));
    await person.call('DELETE', conversationsOf(person).at(id));
    const entries = await app.database
      .sql`select id from audit_entries e where e::text like '%xyzzy%'`;
    expect(entries).toEqual([]);
    expect(await entriesOf('delete-conversation')).toMatchObject([
      { changes: { conversations: 1, messages: 2, attachments: 0 } },
    ]);
  });

  it('A removed member leaves no conversation, and the entry of the removal counts them', async () => {
    const person = await personIn(app, organization);
    await asked('What stays of me?', person);
    await organization.manage('DELETE', `/users/${person.id}`);
    expect(
      await app.database.sql`select id from conversations where user_id = ${person.id}`,
    ).toEqual([]);
    const [entry] = await entriesOf('remove-user');
    expect(entry?.changes).toMatchObject({
      deletedConversations: { conversations: 1, messages: 2, attachments: 0 },
    });
  });

  it('A deleted account leaves no conversation, and its export has had them', async () => {
    const person = await personIn(app, organization);
    await asked('What was exported?', person);
    const session = await signIn(app, person.id);
    const { data } = await session.graph<{ exportAccount: { data: { conversations: object[] } } }>(
      'mutation { exportAccount(input: {}) { data } }',
    );
    expect(data?.exportAccount.data.conversations).toMatchObject([
      {
        title: 'What was exported?',
        messages: [{ text: 'What was exported?' }, { role: 'ASSISTANT' }],
      },
    ]);
    const { errors } = await session.graph(
      'mutation ($email: String!) { deleteAccount(input: { email: $email }) { success } }',
      { email: person.email },
    );
    expect(errors).toEqual([]);
    expect(
      await app.database.sql`select id from conversations where user_id = ${person.id}`,
    ).toEqual([]);
    expect((await entriesOf('erase-conversations'))[0]).toMatchObject({
      ...{ actorUserId: person.id, changes: { conversations: 1, messages: 2, attachments: 0 } },
    });
  });
});
