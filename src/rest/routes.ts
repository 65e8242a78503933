import type { Viewer } from '../graph/context.ts';

/** A part of the API: what all its calls have in common, and its calls. */
export type Area = {
  prefix: string;
  name: string;
  description: string;
  /** The only kind of key that opens these calls. */
  key: Viewer['kind'];
  /** Fields that every success of the area carries. */
  envelope: Readonly<Record<string, string>>;
  rows: readonly Row[];
};

/** A call: `METHOD /path` and the file under schema/operations that it runs. */
export type Row = { method: string; path: string; operation: string };

const route = (call: string, operation: string): Row => {
  const [method = '', path = ''] = call.split(' ');
  return { method, path, operation };
};

export const areas: readonly Area[] = [
  {
    prefix: '/api/user-management/v1',
    name: 'User Management',
    description: 'Users and teams of the organization that the key belongs to.',
    key: 'ORGANIZATION_KEY',
    envelope: { status: 'success' },
    rows: [
      route('GET /users', 'user-management/list-users'),
      route('POST /users', 'user-management/create-user'),
      route('POST /users/add', 'user-management/add-user'),
      route('GET /users/:userId', 'user-management/get-user'),
      route('DELETE /users/:userId', 'user-management/remove-user'),
      route('GET /teams', 'user-management/list-teams'),
      route('POST /teams', 'user-management/create-team'),
      route('DELETE /teams/:teamId', 'user-management/delete-team'),
      route('POST /teams/:teamId/users', 'user-management/add-team-user'),
      route('DELETE /teams/:teamId/users/:userId', 'user-management/remove-team-user'),
    ],
  },
];
