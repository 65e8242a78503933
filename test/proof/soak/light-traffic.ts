import { randomBytes, randomUUID } from 'node:crypto';
import { generateKey } from '../../../src/modules/api-keys/key-format.ts';
import type { SendCall } from './caller.ts';
import type { TrafficActivity } from './repeat-steadily.ts';
import type { Workspace } from './three-servers.ts';

/** The usual requests: mostly reads, some writes, and some requests that are refused. */
export function lightTraffic(
  call: SendCall,
  { organizationKey: key, users, assistants, teams }: Workspace,
): TrafficActivity[] {
  const [admin] = users;
  const userKey = admin?.userKey ?? '';
  const handbook = assistants[0]?.id ?? '';
  const userManagementPath = '/api/user-management/v1';
  const sponsorshipPath = '/api/sponsorship/v1';
  const graph = async (kind: string, callerKey: string, query: string) => {
    const { text } = await call({
      kind,
      method: 'POST',
      path: '/graphql',
      key: callerKey,
      json: { query },
    });
    if (text.includes('"errors"')) throw new Error(`${kind} had errors`);
  };
  let userNumber = 0;

  return [
    {
      everyMs: 200,
      work: () =>
        call({ kind: 'GET users', path: `${userManagementPath}/users?pageSize=50`, key }).then(
          ignore,
        ),
    },
    {
      everyMs: 200,
      work: () =>
        call({ kind: 'GET user', path: `${userManagementPath}/users/${admin?.id}`, key }).then(
          ignore,
        ),
    },
    {
      everyMs: 1_000,
      work: () =>
        call({ kind: 'GET campaigns', path: `${sponsorshipPath}/campaigns`, key }).then(ignore),
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
          '{ assistants { nodes { name fileCount myLevel files { nodes { originalName processingStatus } } } } }',
        ),
    },
    {
      everyMs: 500,
      work: () =>
        graph(
          'graph: users',
          key,
          '{ users { totalCount nodes { email teams { name memberCount } } } }',
        ),
    },
    // Each query has another text, so that the cache of compiled queries must stay limited.
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
        userNumber += 1;
        const email = `soaked-${userNumber}@soak.example`;
        const created = await call({
          kind: 'POST users',
          method: 'POST',
          path: `${userManagementPath}/users`,
          key,
          json: { email, firstName: 'Soaked' },
          expect: [200, 409],
        });
        const id = created.valueAt('user', 'id');
        if (id === '') return;
        const team = teams[1]?.id;
        await call({
          kind: 'POST team users',
          method: 'POST',
          path: `${userManagementPath}/teams/${team}/users`,
          key,
          json: { userId: id },
        });
        await call({
          kind: 'DELETE user',
          method: 'DELETE',
          path: `${userManagementPath}/users/${id}`,
          key,
        });
      },
    },
    {
      everyMs: 4_000,
      async work() {
        const request = {
          key,
          json: { name: `soaked-${randomUUID()}` },
          headers: { 'idempotency-key': randomUUID() },
        };
        const created = await call({
          kind: 'POST teams',
          method: 'POST',
          path: `${userManagementPath}/teams`,
          ...request,
        });
        const repeated = await call({
          kind: 'POST teams again',
          method: 'POST',
          path: `${userManagementPath}/teams`,
          ...request,
        });
        if (created.status === 200 && repeated.status === 200 && created.text !== repeated.text)
          throw new Error('a repeated request got another answer');
        await call({
          kind: 'DELETE team',
          method: 'DELETE',
          path: `${userManagementPath}/teams/${created.valueAt('team', 'id')}`,
          key,
        });
      },
    },
    {
      everyMs: 2_000,
      work: () =>
        call({ kind: 'no key', path: `${userManagementPath}/users`, expect: [401] }).then(ignore),
    },
    {
      everyMs: 1_000,
      work: () =>
        call({
          kind: 'unknown key',
          path: `${userManagementPath}/users`,
          key: unknownKey(),
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
          path: `${userManagementPath}/users/${randomUUID()}`,
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
          path: `${userManagementPath}/users`,
          key,
          json: { email: randomUUID() },
          expect: [400],
        }).then(ignore),
    },
    {
      everyMs: 2_000,
      work: () =>
        call({
          kind: 'invalid JSON',
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
// The key is well-formed, so that the server looks it up.
const unknownKey = () => generateKey('ORGANIZATION').key;
