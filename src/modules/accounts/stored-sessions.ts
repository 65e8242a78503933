import type { prismaAdapter } from 'better-auth/adapters/prisma';
import type { Clock } from '../../platform/clock.ts';
import { hashName } from '../../platform/hash.ts';

type CreateAdapter = ReturnType<typeof prismaAdapter>;
type Adapter = ReturnType<CreateAdapter>;
type Condition = { field: string; value: unknown };
type Row = Record<string, unknown> & { token?: string; createdAt?: Date; expiresAt?: Date };
type Rules = { daysMax: number; clock: Clock };

const dayMs = 86_400_000;

/**
 * How a session's token is stored. It is random and long, so a plain hash of it cannot be guessed
 * back.
 */
export const hashSessionToken = hashName;

/**
 * better-auth stores the tokens of sessions as they are. Here they pass as hashes on the way to the
 * database, so that whoever reads the table or a backup of it can open no session; and no renewal
 * goes beyond the absolute end of a session.
 */
export const storedSessions =
  (createAdapter: CreateAdapter, rules: Rules): CreateAdapter =>
  (options) =>
    withHashedTokens(createAdapter(options), rules);

function withHashedTokens(inner: Adapter, { daysMax, clock }: Rules): Adapter {
  const endOf = (createdAt: Date) => new Date(createdAt.getTime() + daysMax * dayMs);
  const earlier = (one: Date, other: Date) => (one < other ? one : other);

  async function findSession(where: Condition[]): Promise<Row | null> {
    const row = await inner.findOne<Row>({ model: 'session', where: hashed(where) as [] });
    return row?.createdAt && endOf(row.createdAt) <= clock() ? null : row;
  }

  const outer = {
    async create({ data, ...asked }: { model: string; data: Row }) {
      if (asked.model !== 'session' || data.token === undefined)
        return inner.create({ ...asked, data });
      const { token, createdAt = clock(), expiresAt = endOf(createdAt) } = data;
      const stored = {
        ...data,
        token: hashSessionToken(token),
        expiresAt: earlier(expiresAt, endOf(createdAt)),
      };
      return { ...(await inner.create<Row>({ ...asked, data: stored })), token };
    },
    async findOne(asked: { model: string; where: Condition[] }) {
      if (asked.model !== 'session') return inner.findOne(asked as never);
      const row = await inner.findOne<Row>({ ...asked, where: hashed(asked.where) as [] });
      if (row?.createdAt && endOf(row.createdAt) <= clock()) return null;
      return named(row, asked.where);
    },
    async findMany(asked: { model: string; where?: Condition[] }) {
      const rows = await inner.findMany<Row>(
        (asked.model === 'session' && asked.where
          ? { ...asked, where: hashed(asked.where) }
          : asked) as never,
      );
      return asked.model === 'session' && asked.where
        ? rows.map((row) => named(row, asked.where ?? []))
        : rows;
    },
    async update(asked: { model: string; where: Condition[]; update: Row }) {
      if (asked.model !== 'session') return inner.update(asked as never);
      const { createdAt } = (await findSession(asked.where)) ?? {};
      if (!createdAt) return null;
      const { expiresAt } = asked.update;
      const update = expiresAt
        ? { ...asked.update, expiresAt: earlier(expiresAt, endOf(createdAt)) }
        : asked.update;
      return named(
        await inner.update<Row>({ ...asked, where: hashed(asked.where) as [], update }),
        asked.where,
      );
    },
    transaction: (run: (adapter: never) => Promise<unknown>) =>
      inner.transaction((adapter) =>
        run(withHashedTokens(adapter as Adapter, { daysMax, clock }) as never),
      ),
  };
  const byCondition = ['count', 'updateMany', 'delete', 'deleteMany', 'consumeOne'] as const;
  const others = Object.fromEntries(
    byCondition.map((name) => [
      name,
      (asked: { model: string; where?: Condition[] }) =>
        inner[name](
          (asked.model === 'session' && asked.where
            ? { ...asked, where: hashed(asked.where) }
            : asked) as never,
        ),
    ]),
  );
  return { ...inner, ...outer, ...others } as Adapter;
}

const hashedValue = (value: unknown) =>
  typeof value === 'string' ? hashSessionToken(value) : value;

const hashed = (where: Condition[]): Condition[] =>
  where.map((condition) => {
    if (condition.field !== 'token') return condition;
    const { value } = condition;
    return {
      ...condition,
      value: Array.isArray(value) ? value.map(hashedValue) : hashedValue(value),
    };
  });

/** A row as better-auth expects it: with the token that it asked for. */
function named(row: Row | null, where: Condition[]): Row | null {
  const tokens = where.filter(({ field }) => field === 'token').flatMap(({ value }) => value);
  const token = tokens.find(
    (one) => typeof one === 'string' && hashSessionToken(one) === row?.token,
  );
  return row && typeof token === 'string' ? { ...row, token } : row;
}
