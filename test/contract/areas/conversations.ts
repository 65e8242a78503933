import { ask, createAssistant, runPath } from '../assistant.ts';
import { idOf } from '../check-list.ts';
import { checkFaultyBodies, checkSameRefusal } from '../check-refusals.ts';
import type { Api } from '../client.ts';
import { boolean, filledText, integer, matching, orNull, text, time } from '../matchers.ts';
import { checkShape } from '../report.ts';
import type { Suite } from '../suite.ts';

const conversation = {
  id: filledText,
  assistantId: orNull(filledText),
  title: orNull(text),
  isPinned: boolean,
  activeMessageId: orNull(filledText),
  messageCount: integer,
  sharedAt: orNull(time),
  createdAt: time,
  updatedAt: time,
};

/** Conversations of a person with an assistant: the guide of conversations. */
export async function checkConversations(suite: Suite): Promise<void> {
  const { check, prefix } = suite;
  const api = suite.api('user-key', 'conversations');
  if (!api) return;
  const assistantId = await createAssistant(suite, api, `${prefix} conversations`);
  const calls = api.under('/api/conversations/v1');
  const created = await calls.post('/conversations', { assistantId });
  check('Conversations: POST answers 200', created, created.status, 200);
  checkShape(
    check,
    'Conversations: a conversation',
    created,
    created.at('conversation'),
    conversation,
  );
  const id = created.textAt('conversation.id');
  const path = `/conversations/${id}`;
  suite.addCleanup(() => calls.delete(path));
  await checkFaultyBodies(
    check,
    { name: 'POST /conversations', api: calls, method: 'POST', path: '/conversations' },
    [
      ['no assistantId', {}, 'assistantId'],
      ['assistantId that is a number', { assistantId: 3 }, 'assistantId'],
    ],
  );
  const unknown = await calls.post('/conversations', { assistantId: 'unknown' });
  check('Conversations: an unknown assistant is 403', unknown, unknown.status, 403);

  const word = `w${prefix.replaceAll('-', '')}`;
  const first = await api.post(runPath(assistantId), {
    ...ask(`What is ${word}?`),
    conversationId: id,
  });
  check('Conversations: a run with conversationId answers 200', first, first.status, 200);
  const read = await calls.get(path);
  const firstId = read.textAt('messages.1.id');
  check(
    'Conversations: GET has the question and the answer',
    read,
    roles(read.listAt('messages')),
    ['user', 'assistant'],
  );
  check('Conversations: the last answer is active', read, read.at('activeMessageId'), firstId);
  check(
    'Conversations: the stored answer is the answer of the run',
    read,
    read.at('messages.1.text'),
    first.at('text'),
  );
  const edited = await api.post(runPath(assistantId), {
    ...ask('What is something else?'),
    conversationId: id,
    parentMessageId: null,
  });
  check('Conversations: parentMessageId null begins a new branch', edited, edited.status, 200);
  const all = await calls.get(`${path}?scope=all`);
  check('Conversations: scope=all has every branch', all, all.listAt('messages').length, 4);
  const active = await calls.get(path);
  check('Conversations: the new branch is active', active, active.listAt('messages').length, 2);
  const earlier = await calls.get(`${path}?messageId=${firstId}`);
  check(
    'Conversations: messageId selects its branch',
    earlier,
    Object(earlier.listAt('messages').at(-1)).id,
    firstId,
  );
  const unknownParent = await api.post(runPath(assistantId), {
    ...ask('Hi'),
    conversationId: id,
    parentMessageId: 'unknown',
  });
  check(
    'Conversations: an unknown parentMessageId is 404',
    unknownParent,
    unknownParent.status,
    404,
  );

  const found = await calls.get(`/conversations?search=${word}`);
  check(
    'Conversations: the search reads messages',
    found,
    found.listAt('conversations').map(idOf),
    [id],
  );
  const notFound = await calls.get(`/conversations?search=${word}x`);
  check(
    'Conversations: a search without a match is empty',
    notFound,
    notFound.at('conversations'),
    [],
  );
  const renamed = await calls.patch(path, { title: 'Renamed', isPinned: true });
  check('Conversations: PATCH renames', renamed, renamed.at('conversation.title'), 'Renamed');
  check('Conversations: PATCH pins', renamed, renamed.at('conversation.isPinned'), true);
  const pinned = await calls.get(`/conversations?isPinned=true&assistantId=${assistantId}`);
  check('Conversations: isPinned filters', pinned, pinned.listAt('conversations').map(idOf), [id]);
  const unpinned = await calls.get(`/conversations?isPinned=false&assistantId=${assistantId}`);
  check('Conversations: isPinned=false leaves it out', unpinned, unpinned.at('conversations'), []);
  const markdown = await calls.get(`${path}/export?format=markdown`);
  check('Conversations: the export is Markdown', markdown, markdown.text, matching(/Renamed/));
  const json = await calls.get(`${path}/export?format=json`);
  check(
    'Conversations: the export as JSON has all messages',
    json,
    json.listAt('messages').length,
    4,
  );

  await checkSharing(suite, calls, path);
  await checkOthers(suite, calls, path);
  const deleted = await calls.delete(path);
  check('Conversations: DELETE answers 200', deleted, deleted.status, 200);
  const gone = await calls.get(path);
  check('Conversations: a deleted conversation is 404', gone, gone.status, 404);
}

const roles = (messages: readonly unknown[]) => messages.map((message) => Object(message).role);

async function checkSharing(suite: Suite, calls: Api, path: string): Promise<void> {
  const { check } = suite;
  const shared = await calls.post(`${path}/share`);
  check('Conversations: share answers 200', shared, shared.status, 200);
  const token = shared.textAt('token');
  const again = await calls.get(path);
  check('Conversations: the token is shown once', again, again.text.includes(token), false);
  const member = suite.api('member-key', 'shared conversations for a member');
  const read = await member?.under('/api/conversations/v1').get(`/shared/${token}`);
  if (read) {
    check('Conversations: a member reads it by the link', read, read.status, 200);
    check('Conversations: a member sees one branch', read, read.listAt('messages').length, 2);
  }
  const other = suite.api('other-user-key', 'shared conversations for another organization');
  const foreign = await other?.under('/api/conversations/v1').get(`/shared/${token}`);
  if (foreign) {
    const unknown = await calls.get('/shared/unknown');
    checkSameRefusal(check, 'Conversations: the link for another organization', foreign, unknown);
  }
  const ended = await calls.delete(`${path}/share`);
  check('Conversations: the link can be ended', ended, ended.at('conversation.sharedAt'), null);
  const dead = await calls.get(`/shared/${token}`);
  check('Conversations: an ended link is 404', dead, dead.status, 404);
}

async function checkOthers(suite: Suite, owner: Api, path: string): Promise<void> {
  for (const [flag, description] of [
    ['member-key', 'another member'],
    ['other-user-key', 'another organization'],
  ] as const) {
    const calls = suite
      .api(flag, `conversations for ${description}`)
      ?.under('/api/conversations/v1');
    if (!calls) continue;
    for (const [method, suffix] of [
      ['GET', ''],
      ['GET', '/export'],
      ['PATCH', ''],
      ['POST', '/share'],
      ['DELETE', '/share'],
      ['DELETE', ''],
    ] as const) {
      const options = method === 'PATCH' ? { json: { title: 'Mine' } } : {};
      checkSameRefusal(
        suite.check,
        `Conversations: ${method} /conversations/:conversationId${suffix} for ${description}`,
        await calls.send(method, path + suffix, options),
        await owner.send(method, `/conversations/unknown${suffix}`, options),
      );
    }
  }
}
