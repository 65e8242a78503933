import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundary, formOf, formType } from '../../support/files.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import type { Caller } from './caller.ts';
import type { Activity } from './steadily.ts';
import type { Workspace } from './whole-program.ts';

type Parts = { call: Caller; origin: string; partner: Workspace; chance: () => number };

/**
 * Runs, files, sign-ins and pages; as much is deleted as is added, and now and then somebody leaves
 * in the middle.
 */
export function heavyTraffic({ call, origin, partner, chance }: Parts): Activity[] {
  const { users, assistants, organizationKey } = partner;
  const key = users[0]?.userKey ?? '';
  const [handbook = '', drafts = ''] = assistants.map(({ id }) => id);
  const files = `/api/assistant-files/v1/assistants/${handbook}/files`;
  const run = (id: string, kind: string, question: string, headers: Record<string, string> = {}) =>
    call({
      kind,
      method: 'POST',
      path: `/api/assistants/v1/${id}/run`,
      key,
      json: { messages: [{ role: 'user', content: question }] },
      headers,
      heavy: true,
    });
  const events = { accept: 'text/event-stream' };
  const whole = (text: string) => {
    if (!text.includes('event: done'))
      throw new Error(`a stream of events did not end well: ${text.slice(-300)}`);
  };
  const form = (name: string, content: string | Uint8Array) => ({
    headers: { 'content-type': formType },
    body: formOf([{ name: 'file', fileName: name, content }]),
  });
  const untilRead = async (id: string) => {
    for (let tries = 0; tries < 240; tries += 1) {
      const status = (await call({ kind: 'GET file', path: `${files}/${id}`, key })).at(
        'processingStatus',
      );
      if (status === 'COMPLETED') return;
      if (status !== 'PENDING' && status !== 'PROCESSING')
        throw new Error(`a file became ${status}`);
      await sleep(500);
    }
    throw new Error('a file was not read in two minutes');
  };
  let page = 0;
  let guest = 0;

  return [
    {
      everyMs: 4_000,
      work: () =>
        run(handbook, 'run', 'How much is the meal allowance in Germany?').then(
          ({ at }) => void at('text'),
        ),
    },
    {
      everyMs: 4_000,
      work: () =>
        run(
          handbook,
          'run, events',
          `How many days of leave are there? ${randomUUID()}`,
          events,
        ).then(({ text }) => whole(text)),
    },
    {
      everyMs: 4_000,
      work: () =>
        run(drafts, 'run by the provider, events', 'Write a letter.', events).then(({ text }) =>
          whole(text),
        ),
    },
    {
      everyMs: 8_000,
      work: () =>
        run(drafts, 'run by the provider', 'Write a letter.').then(({ at }) => void at('text')),
    },
    {
      everyMs: 5_000,
      work: () => leaveInTheMiddle(origin, `/api/assistants/v1/${drafts}/run`, key),
    },
    {
      everyMs: 5_000,
      atOnceMax: 4,
      async work() {
        const added = await call({
          kind: 'upload',
          method: 'POST',
          path: files,
          key,
          ...form(...document(chance)),
          heavy: true,
        });
        let id = added.at('file', 'id');
        if (id === '') return;
        try {
          await untilRead(id);
          const replaced = await call({
            kind: 'replace',
            method: 'PUT',
            path: `${files}/${id}`,
            key,
            ...form(...document(chance)),
            heavy: true,
          });
          id = replaced.at('file', 'id') || id;
          await call({ kind: 'download', path: `${files}/${id}/content`, key, heavy: true });
          // Every third is deleted while it is still being read.
          if (chance() < 0.67) await untilRead(id);
        } finally {
          await call({
            kind: 'delete',
            method: 'DELETE',
            path: `${files}/${id}`,
            key,
            heavy: true,
          });
        }
      },
    },
    { everyMs: 10_000, work: () => cutOff(origin, files, key) },
    {
      everyMs: 6_000,
      atOnceMax: 2,
      async work() {
        guest += 1;
        const { email = '', password = '' } = users[guest % users.length] ?? {};
        await signInAndOut(call, origin, { email, password });
        const wrong = { email: `${randomUUID()}@soak.example`, password };
        await call({
          kind: 'wrong sign-in',
          method: 'POST',
          path: '/auth/sign-in/email',
          json: wrong,
          headers: { origin },
          expect: [401],
          heavy: true,
        });
      },
    },
    {
      everyMs: 2_000,
      async work() {
        page += 1;
        const { text } = await call({
          kind: 'console page',
          path: ['/', '/auth', '/assistants', '/settings'][page % 4] ?? '/',
        });
        const [asset = ''] = /\/console\/assets\/[\w.-]+\.js/.exec(text) ?? [];
        await call({ kind: 'console script', path: asset });
      },
    },
    {
      everyMs: 10_000,
      work: () =>
        call({
          kind: 'OpenAPI',
          path: '/api/openapi.json',
          key: organizationKey,
          heavy: true,
        }).then(() => undefined),
    },
  ];
}

async function signInAndOut(
  call: Caller,
  origin: string,
  person: { email: string; password: string },
): Promise<void> {
  const signedIn = await call({
    kind: 'sign-in',
    method: 'POST',
    path: '/auth/sign-in/email',
    json: person,
    headers: { origin },
    heavy: true,
  });
  if (signedIn.status !== 200) return;
  const cookie = signedIn.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const ask = (kind: string, query: string, variables: object = {}) =>
    call({
      kind,
      method: 'POST',
      path: '/graphql',
      json: { query, variables },
      headers: { cookie },
    });
  await ask('graph: home', '{ viewer { kind organization { name } memberships { role } } }');
  await ask(
    'graph: audit',
    '{ auditEntries(pageSize: 20) { items { action actorName targetName at } } }',
  );
  const made = await ask(
    'graph: key',
    'mutation($name: ApiKeyName!) { createUserKey(name: $name) { apiKey { id } } }',
    { name: 'soaked' },
  );
  await ask('graph: revoke key', 'mutation($id: ResourceId!) { revokeApiKey(id: $id) { id } }', {
    id: made.at('data', 'createUserKey', 'apiKey', 'id'),
  });
  await call({
    kind: 'sign-out',
    method: 'POST',
    path: '/auth/sign-out',
    json: {},
    headers: { cookie, origin },
  });
}

/** Reads the first of a stream of events and is gone. */
async function leaveInTheMiddle(origin: string, path: string, key: string): Promise<void> {
  const leaving = new AbortController();
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'text/event-stream',
  };
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Write a long letter.' }] });
  const { body: events } = await fetch(origin + path, {
    method: 'POST',
    headers,
    body,
    signal: leaving.signal,
  });
  await events?.getReader().read();
  leaving.abort();
}

/** An upload whose sender hangs up in the middle of it. */
function cutOff(origin: string, path: string, key: string): Promise<void> {
  const sending = request(origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': formType,
      'content-length': 10_000_000,
    },
  });
  sending.write(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="cut.txt"\r\n\r\n${'cut off '.repeat(100_000)}`,
  );
  return new Promise((resolve) => {
    sending.on('error', () => resolve());
    setTimeout(() => sending.destroy(), 300);
    sending.on('close', () => resolve());
  });
}

/** The names of the documents below: no file of the demo has one of them. */
export const sentNames = new Set(['notes.txt', 'notes.md', 'table.csv', 'letter.pdf']);

const words =
  'soak steady load memory slope table figure file answer question search page letter handbook travel leave price server'.split(
    ' ',
  );

/** A document of 5 to 60 kB that nobody has sent before, of one of four kinds. */
function document(chance: () => number): [name: string, content: string | Uint8Array] {
  const line = () =>
    `${Array.from({ length: 12 }, () => words[Math.floor(chance() * words.length)]).join(' ')} ${Math.floor(chance() * 1e9)}.`;
  const lines = Array.from({ length: 60 + Math.floor(chance() * 600) }, line);
  const kinds: [string, () => string | Uint8Array][] = [
    ['notes.txt', () => lines.join('\n')],
    [
      'notes.md',
      () =>
        lines.map((text, at) => (at % 20 === 0 ? `## Part ${at}\n\n${text}` : text)).join('\n\n'),
    ],
    [
      'table.csv',
      () =>
        ['what,number,remark', ...lines.map((text, at) => `${at},${at * 7},"${text}"`)].join('\n'),
    ],
    ['letter.pdf', () => pdfFile([lines.slice(0, 40), lines.slice(40, 80)])],
  ];
  const [name, make] = kinds[Math.floor(chance() * kinds.length)] ?? [
    'notes.txt',
    () => lines.join('\n'),
  ];
  return [name, make()];
}
