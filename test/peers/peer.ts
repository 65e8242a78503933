import type { FindKey } from './access.ts';
import { createPeer, listen } from './create-peer.ts';
import { HttpError } from './errors.ts';
import { guard } from './guard.ts';
import { faultsOf, userAnswer, usersAnswer, usersQuery } from './schemas.ts';

export type PageRequest = { page: number; pageSize: number; search?: string | undefined };
export type UserBody = {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  createdAt: string | Date;
  lastLogin: string | Date | null;
  isAdmin: boolean;
  teams: { id: string; name: string }[];
};
type UserReads = {
  findKey: FindKey;
  listUsers(
    organizationId: string,
    page: PageRequest,
  ): Promise<{ users: UserBody[]; total: number }>;
  getUser(organizationId: string, userId: string): Promise<UserBody | undefined>;
};

/**
 * The two reads of User Management, hand-written with Fastify. The peers differ in how they query
 * the database.
 */
export async function servePeer({ findKey, listUsers, getUser }: UserReads): Promise<void> {
  const app = createPeer(faultsOf);
  app.addHook('onRequest', guard(findKey));

  type ListQuery = { page: string; pageSize: string; search?: string };
  app.get<{ Querystring: ListQuery }>(
    '/api/user-management/v1/users',
    { schema: { querystring: usersQuery, response: { 200: usersAnswer } } },
    async ({ organizationId, query: { search, ...numbers } }) => {
      const page = Number(numbers.page);
      const pageSize = Number(numbers.pageSize);
      const { users, total } = await listUsers(organizationId, { page, pageSize, search });
      return {
        status: 'success',
        users,
        total,
        page,
        pageSize,
        totalPages: Math.ceil(total / pageSize),
      };
    },
  );
  app.get<{ Params: { userId: string } }>(
    '/api/user-management/v1/users/:userId',
    { schema: { response: { 200: userAnswer } } },
    async ({ organizationId, params }) => {
      const user = await getUser(organizationId, params.userId);
      if (!user) throw new HttpError(404, 'User not found');
      return { status: 'success', user };
    },
  );

  await listen(app);
}
