import { randomBytes, randomUUID } from 'node:crypto';
import { generateKey } from '../../../src/modules/api-keys/key-format.ts';
import type { Caller } from './caller.ts';
import type { Activity } from './steadily.ts';
import type { Workspace } from './whole-program.ts';

/** What most callers do most of the time: look, change a little, and be refused now and then. */
export function lightTraffic(
  call: Caller,
  { organizationKey: key, users, assistants, teams }: Workspace,
): Activity[] {
  const [admin] = users;
  const userKey = admin?.userKey ?? '';
  const handbook = assistants[0]?.id ?? '';
  const ofUsers = '/api/user-management/v1';
  const ofPartners = '/api/sponsorship/v1';
  const graph = async (kind: string, by: string, query: string) => {
    const { text } = await call({
      kind,
      method: 'POST',
      path: '/graphql',
      key: by,
      json: { query },
    });
    if (text.includes('"errors"')) throw new Error(`${kind} had errors`);
  };
  let turn = 0;

  return [
    {
      everyMs: 200,
      work: () =>
        call({ kind: 'GET users', path: `${ofUsers}/users?pageSize=50`, key }).then(ignore),
    },
    {
      everyMs: 200,
      work: () =>
        call({ kind: 'GET user', path: `${ofUsers}/users/${admin?.id}`, key }).then(ignore),
    },
    {
      everyMs: 1_000,
      work: () =>
        call({ kind: 'GET campaigns', path: `${ofPartners}/campaigns`, key }).then(ignore),
    },
    {
      everyMs: 500,
      work: () =>
        call({ kind: 'GET assistants', path: '/api/assistants/v1/', key: userKey }).then(ignore),
    },
    {
      everyMs: 500,
      work: () =>
        call({
          kind: 'GET files',
          path: `/api/assistant-files/v1/assistants/${handbook}/files`,
          key: userKey,
        }).then(ignore),
    },
    {
      everyMs: 500,
      work: () =>
        graph(
          'graph: assistants',
          userKey,
          '{ assistants { name fileCount myLevel files { originalName processingStatus } } }',
        ),
    },
    {
      everyMs: 500,
      work: () =>
        graph(
          'graph: users',
          key,
          '{ users { total items { email teams { name memberCount } } } }',
        ),
    },
    // Each with a text of its own: what is kept of documents that were compiled must have an end.
    {
      everyMs: 1_000,
      work: () =>
        graph(
          'graph: ad hoc',
          userKey,
          `{ viewer { kind x${randomBytes(4).toString('hex')}: isAdmin organization { name } } }`,
        ),
    },
    {
      everyMs: 2_000,
      async work() {
        turn += 1;
        const email = `soaked-${turn % 50}@soak.example`;
        const made = await call({
          kind: 'POST users',
          method: 'POST',
          path: `${ofUsers}/users`,
          key,
          json: { email, firstName: 'Soaked' },
          expect: [200, 409],
        });
        const id = made.at('user', 'id');
        if (id === '') return;
        const team = teams[1]?.id;
        await call({
          kind: 'POST team users',
          method: 'POST',
          path: `${ofUsers}/teams/${team}/users`,
          key,
          json: { userId: id },
        });
        await call({ kind: 'DELETE user', method: 'DELETE', path: `${ofUsers}/users/${id}`, key });
      },
    },
    {
      everyMs: 4_000,
      async work() {
        const once = {
          key,
          json: { name: `soaked-${randomUUID()}` },
          headers: { 'idempotency-key': randomUUID() },
        };
        const made = await call({
          kind: 'POST teams',
          method: 'POST',
          path: `${ofUsers}/teams`,
          ...once,
        });
        const again = await call({
          kind: 'POST teams again',
          method: 'POST',
          path: `${ofUsers}/teams`,
          ...once,
        });
        if (made.status === 200 && again.status === 200 && made.text !== again.text)
          throw new Error('a repeated request was answered with something else');
        await call({
          kind: 'DELETE team',
          method: 'DELETE',
          path: `${ofUsers}/teams/${made.at('team', 'id')}`,
          key,
        });
      },
    },
    {
      everyMs: 2_000,
      work: () => call({ kind: 'no key', path: `${ofUsers}/users`, expect: [401] }).then(ignore),
    },
    {
      everyMs: 1_000,
      work: () =>
        call({
          kind: 'a made-up key',
          path: `${ofUsers}/users`,
          key: madeUpKey(),
          expect: [401],
        }).then(ignore),
    },
    {
      everyMs: 2_000,
      work: () =>
        call({ kind: 'unknown path', path: `/api/${randomUUID()}`, key, expect: [404] }).then(
          ignore,
        ),
    },
    {
      everyMs: 2_000,
      work: () =>
        call({
          kind: 'unknown id',
          path: `${ofUsers}/users/${randomUUID()}`,
          key,
          expect: [404],
        }).then(ignore),
    },
    {
      everyMs: 2_000,
      work: () =>
        call({
          kind: 'bad input',
          method: 'POST',
          path: `${ofUsers}/users`,
          key,
          json: { email: randomUUID() },
          expect: [400],
        }).then(ignore),
    },
    {
      everyMs: 2_000,
      work: () =>
        call({
          kind: 'no JSON',
          method: 'POST',
          path: '/graphql',
          key,
          body: '{"query":',
          headers: { 'content-type': 'application/json' },
          expect: [400],
        }).then(ignore),
    },
  ];
}

const ignore = () => undefined;
// As a key looks, so that it is looked up.
const madeUpKey = () => generateKey('ORGANIZATION').key;
