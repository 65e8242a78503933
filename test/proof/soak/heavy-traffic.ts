import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { boundary, formOf, formType } from '../../support/files.ts';
import { pdfFile } from '../../support/pdf-file.ts';
import type { SendCall } from './caller.ts';
import type { TrafficActivity } from './repeat-steadily.ts';
import type { Workspace } from './three-servers.ts';

type TrafficDependencies = {
  call: SendCall;
  origin: string;
  partner: Workspace;
  random: () => number;
};

/**
 * Runs, uploads, sign-ins and pages of the console. Every uploaded file is deleted again, and some
 * clients disconnect in the middle.
 */
export function heavyTraffic({
  call,
  origin,
  partner,
  random,
}: TrafficDependencies): TrafficActivity[] {
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
  const streamHeaders = { accept: 'text/event-stream' };
  const requireComplete = (text: string) => {
    if (!text.includes('event: done'))
      throw new Error(`an event stream ended without "done": ${text.slice(-300)}`);
  };
  const uploadForm = (name: string, content: string | Uint8Array) => ({
    headers: { 'content-type': formType },
    body: formOf([{ name: 'file', fileName: name, content }]),
  });
  const waitUntilProcessed = async (id: string) => {
    for (let tries = 0; tries < 240; tries += 1) {
      const status = (await call({ kind: 'GET file', path: `${files}/${id}`, key })).valueAt(
        'processingStatus',
      );
      if (status === 'COMPLETED') return;
      if (status !== 'PENDING' && status !== 'PROCESSING') throw new Error(`a file is ${status}`);
      await sleep(500);
    }
    throw new Error('a file was not processed within two minutes');
  };
  let pageCount = 0;
  let signInCount = 0;

  return [
    {
      everyMs: 4_000,
      work: () =>
        run(handbook, 'run', 'How much is the meal allowance in Germany?').then(
          ({ valueAt }) => void valueAt('text'),
        ),
    },
    {
      everyMs: 4_000,
      work: () =>
        run(
          handbook,
          'run, events',
          `How many days of leave are there? ${randomUUID()}`,
          streamHeaders,
        ).then(({ text }) => requireComplete(text)),
    },
    {
      everyMs: 4_000,
      work: () =>
        run(drafts, 'run by the provider, events', 'Write a letter.', streamHeaders).then(
          ({ text }) => requireComplete(text),
        ),
    },
    {
      everyMs: 8_000,
      work: () =>
        run(drafts, 'run by the provider', 'Write a letter.').then(
          ({ valueAt }) => void valueAt('text'),
        ),
    },
    {
      everyMs: 5_000,
      work: () => abortStream(origin, `/api/assistants/v1/${drafts}/run`, key),
    },
    {
      everyMs: 5_000,
      atOnceMax: 4,
      async work() {
        const uploaded = await call({
          kind: 'upload',
          method: 'POST',
          path: files,
          key,
          ...uploadForm(...document(random)),
          heavy: true,
        });
        let id = uploaded.valueAt('file', 'id');
        if (id === '') return;
        try {
          await waitUntilProcessed(id);
          const replaced = await call({
            kind: 'replace',
            method: 'PUT',
            path: `${files}/${id}`,
            key,
            ...uploadForm(...document(random)),
            heavy: true,
          });
          id = replaced.valueAt('file', 'id') || id;
          await call({ kind: 'download', path: `${files}/${id}/content`, key, heavy: true });
          // A third of the files is deleted while it is being processed.
          if (random() < 0.67) await waitUntilProcessed(id);
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
    { everyMs: 10_000, work: () => abortUpload(origin, files, key) },
    {
      everyMs: 6_000,
      atOnceMax: 2,
      async work() {
        signInCount += 1;
        const { email = '', password = '' } = users[signInCount % users.length] ?? {};
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
        pageCount += 1;
        const { text } = await call({
          kind: 'console page',
          path: ['/', '/auth', '/assistants', '/settings'][pageCount % 4] ?? '/',
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
  call: SendCall,
  origin: string,
  person: { email: string; password: string },
): Promise<void> {
  const signInAnswer = await call({
    kind: 'sign-in',
    method: 'POST',
    path: '/auth/sign-in/email',
    json: person,
    headers: { origin },
    heavy: true,
  });
  if (signInAnswer.status !== 200) return;
  const cookie = signInAnswer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const queryGraph = (kind: string, query: string, variables: object = {}) =>
    call({
      kind,
      method: 'POST',
      path: '/graphql',
      json: { query, variables },
      headers: { cookie },
    });
  await queryGraph('graph: home', '{ viewer { kind organization { name } memberships { role } } }');
  await queryGraph(
    'graph: audit',
    '{ auditEntries(pageSize: 20) { nodes { action actorName targetName at } } }',
  );
  const created = await queryGraph(
    'graph: key',
    'mutation($name: String!) { createUserKey(input: { name: $name }) { apiKey { id } } }',
    { name: 'soaked' },
  );
  await queryGraph(
    'graph: revoke key',
    'mutation($id: ID!) { revokeApiKey(input: { id: $id }) { apiKey { id } } }',
    {
      id: created.valueAt('data', 'createUserKey', 'apiKey', 'id'),
    },
  );
  await call({
    kind: 'sign-out',
    method: 'POST',
    path: '/auth/sign-out',
    json: {},
    headers: { cookie, origin },
  });
}

/** Reads the first event of a stream and disconnects. */
async function abortStream(origin: string, path: string, key: string): Promise<void> {
  const abortController = new AbortController();
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'text/event-stream',
  };
  const body = JSON.stringify({ messages: [{ role: 'user', content: 'Write a long letter.' }] });
  const { body: streamHeaders } = await fetch(origin + path, {
    method: 'POST',
    headers,
    body,
    signal: abortController.signal,
  });
  await streamHeaders?.getReader().read();
  abortController.abort();
}

/** Starts an upload and disconnects in the middle. */
function abortUpload(origin: string, path: string, key: string): Promise<void> {
  const outgoing = request(origin + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': formType,
      'content-length': 10_000_000,
    },
  });
  outgoing.write(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="cut.txt"\r\n\r\n${'cut off '.repeat(100_000)}`,
  );
  return new Promise((resolve) => {
    outgoing.on('error', () => resolve());
    setTimeout(() => outgoing.destroy(), 300);
    outgoing.on('close', () => resolve());
  });
}

/** The names of the uploaded documents. No file of the demo has one of them. */
export const uploadedNames = new Set(['notes.txt', 'notes.md', 'table.csv', 'letter.pdf']);

const words =
  'soak steady load memory slope table figure file answer question search page letter handbook travel leave price server'.split(
    ' ',
  );

/** A new random document of 5 to 60 kB, in one of four formats. */
function document(random: () => number): [name: string, content: string | Uint8Array] {
  const line = () =>
    `${Array.from({ length: 12 }, () => words[Math.floor(random() * words.length)]).join(' ')} ${Math.floor(random() * 1e9)}.`;
  const lines = Array.from({ length: 60 + Math.floor(random() * 600) }, line);
  const kinds: [string, () => string | Uint8Array][] = [
    ['notes.txt', () => lines.join('\n')],
    [
      'notes.md',
      () =>
        lines
          .map((text, index) => (index % 20 === 0 ? `## Part ${index}\n\n${text}` : text))
          .join('\n\n'),
    ],
    [
      'table.csv',
      () =>
        [
          'what,number,remark',
          ...lines.map((text, index) => `${index},${index * 7},"${text}"`),
        ].join('\n'),
    ],
    ['letter.pdf', () => pdfFile([lines.slice(0, 40), lines.slice(40, 80)])],
  ];
  const [name, createContent] = kinds[Math.floor(random() * kinds.length)] ?? [
    'notes.txt',
    () => lines.join('\n'),
  ];
  return [name, createContent()];
}
