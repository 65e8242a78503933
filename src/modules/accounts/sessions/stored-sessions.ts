import type { prismaAdapter } from 'better-auth/adapters/prisma';
import type { Clock } from '../../../platform/clock.ts';
import { hashName } from '../../../platform/hash.ts';

type CreateDatabaseAdapter = ReturnType<typeof prismaAdapter>;
type DatabaseAdapter = ReturnType<CreateDatabaseAdapter>;
type WhereCondition = { field: string; value: unknown };
type SessionRow = Record<string, unknown> & { token?: string; createdAt?: Date; expiresAt?: Date };
type SessionRules = { daysMax: number; clock: Clock };

const dayMs = 86_400_000;

/**
 * The form in which a session's token is stored. The token is long and random, so a plain hash
 * cannot be reversed by guessing.
 */
export const hashSessionToken = hashName;

/**
 * better-auth stores the tokens of sessions in plain text. This adapter replaces them by their
 * hashes on the way to the database, so that nobody who reads the table or a backup can use a
 * session. It also keeps renewals from extending a session beyond its absolute end.
 */
export const storedSessions =
  (createAdapter: CreateDatabaseAdapter, rules: SessionRules): CreateDatabaseAdapter =>
  (options) =>
    withHashedTokens(createAdapter(options), rules);

function withHashedTokens(
  inner: DatabaseAdapter,
  { daysMax, clock }: SessionRules,
): DatabaseAdapter {
  const absoluteEndOf = (createdAt: Date) => new Date(createdAt.getTime() + daysMax * dayMs);
  const earliest = (a: Date, b: Date) => (a < b ? a : b);

  async function findSession(where: WhereCondition[]): Promise<SessionRow | null> {
    const row = await inner.findOne<SessionRow>({
      model: 'session',
      where: hashTokens(where) as [],
    });
    return row?.createdAt && absoluteEndOf(row.createdAt) <= clock() ? null : row;
  }

  const hashingMethods = {
    async create({ data, ...query }: { model: string; data: SessionRow }) {
      if (query.model !== 'session' || data.token === undefined)
        return inner.create({ ...query, data });
      const { token, createdAt = clock(), expiresAt = absoluteEndOf(createdAt) } = data;
      const stored = {
        ...data,
        token: hashSessionToken(token),
        expiresAt: earliest(expiresAt, absoluteEndOf(createdAt)),
      };
      return { ...(await inner.create<SessionRow>({ ...query, data: stored })), token };
    },
    async findOne(query: { model: string; where: WhereCondition[] }) {
      if (query.model !== 'session') return inner.findOne(query as never);
      const row = await inner.findOne<SessionRow>({
        ...query,
        where: hashTokens(query.where) as [],
      });
      if (row?.createdAt && absoluteEndOf(row.createdAt) <= clock()) return null;
      return withRequestedToken(row, query.where);
    },
    async findMany(query: { model: string; where?: WhereCondition[] }) {
      const rows = await inner.findMany<SessionRow>(
        (query.model === 'session' && query.where
          ? { ...query, where: hashTokens(query.where) }
          : query) as never,
      );
      return query.model === 'session' && query.where
        ? rows.map((row) => withRequestedToken(row, query.where ?? []))
        : rows;
    },
    async update(query: { model: string; where: WhereCondition[]; update: SessionRow }) {
      if (query.model !== 'session') return inner.update(query as never);
      const { createdAt } = (await findSession(query.where)) ?? {};
      if (!createdAt) return null;
      const { expiresAt } = query.update;
      const update = expiresAt
        ? { ...query.update, expiresAt: earliest(expiresAt, absoluteEndOf(createdAt)) }
        : query.update;
      return withRequestedToken(
        await inner.update<SessionRow>({ ...query, where: hashTokens(query.where) as [], update }),
        query.where,
      );
    },
    transaction: (run: (adapter: never) => Promise<unknown>) =>
      inner.transaction((adapter) =>
        run(withHashedTokens(adapter as DatabaseAdapter, { daysMax, clock }) as never),
      ),
  };
  const conditionMethods = ['count', 'updateMany', 'delete', 'deleteMany', 'consumeOne'] as const;
  const passThroughMethods = Object.fromEntries(
    conditionMethods.map((name) => [
      name,
      (query: { model: string; where?: WhereCondition[] }) =>
        inner[name](
          (query.model === 'session' && query.where
            ? { ...query, where: hashTokens(query.where) }
            : query) as never,
        ),
    ]),
  );
  return { ...inner, ...hashingMethods, ...passThroughMethods } as DatabaseAdapter;
}

const hashTokenValue = (value: unknown) =>
  typeof value === 'string' ? hashSessionToken(value) : value;

const hashTokens = (where: WhereCondition[]): WhereCondition[] =>
  where.map((condition) => {
    if (condition.field !== 'token') return condition;
    const { value } = condition;
    return {
      ...condition,
      value: Array.isArray(value) ? value.map(hashTokenValue) : hashTokenValue(value),
    };
  });

/** Returns the row as better-auth expects it, with the plain token of the query. */
function withRequestedToken(row: SessionRow | null, where: WhereCondition[]): SessionRow | null {
  const tokens = where.filter(({ field }) => field === 'token').flatMap(({ value }) => value);
  const token = tokens.find(
    (candidate) => typeof candidate === 'string' && hashSessionToken(candidate) === row?.token,
  );
  return row && typeof token === 'string' ? { ...row, token } : row;
}
