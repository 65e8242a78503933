import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../src/platform/database/database.ts';
import type { ListOrder } from '../../../../src/platform/database/lists/order.ts';
import type { PageRequest } from '../../../../src/platform/database/lists/page.ts';
import { type List, readPage } from '../../../../src/platform/database/lists/read-pages.ts';
import { fragment } from '../../../../src/platform/database/sql.ts';
import { embeddedDatabase, serverUrl, testDatabase } from '../../../support/database.ts';

const schedules = 1_000;

/** A row of the list. Few values, so that many rows have the same one. */
type Row = { id: string; name: string; at: number; number: number };
type Change = { kind: 'insert'; row: Row } | { kind: 'delete'; victim: number };

const row = fc.record({
  id: fc.uuid(),
  name: fc.constantFrom('a', 'b', 'Ä', 'ß', 'zz', 'it’s'),
  at: fc.integer({ min: 0, max: 3 }),
  number: fc.integer({ min: -2, max: 2 }),
});
const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ kind: fc.constant('insert' as const), row }),
  fc.record({ kind: fc.constant('delete' as const), victim: fc.nat() }),
);
const schedule = fc.record({
  rows: fc.array(row, { maxLength: 12 }),
  /** The changes before the second page, before the third and so on. */
  changes: fc.array(fc.array(change, { maxLength: 3 }), { minLength: 1, maxLength: 6 }),
  size: fc.integer({ min: 1, max: 4 }),
  order: fc.constantFrom('name', 'at', 'number', 'id'),
  direction: fc.constantFrom('ASC' as const, 'DESC' as const),
  isBackward: fc.boolean(),
});

const keys = {
  name: [{ column: fragment`r.name`, type: 'text' }],
  at: [{ column: fragment`r.at`, type: 'time' }],
  number: [
    { column: fragment`r.number`, type: 'integer' },
    { column: fragment`r.name`, type: 'text' },
  ],
  id: [],
} as const;

const listOf = (order: ListOrder): List => ({
  name: 'rows',
  table: fragment`listed_rows r`,
  alias: fragment`r`,
  condition: fragment`true`,
  order,
  id: { column: fragment`r.id`, type: 'text' },
  total: fragment`(select count(*)::int from listed_rows)`,
});

const columns = fragment`r.id`;

async function walk(
  database: Database,
  {
    rows,
    changes,
    size,
    order,
    direction,
    isBackward,
  }: typeof schedule extends fc.Arbitrary<infer T> ? T : never,
): Promise<void> {
  await database.sql`delete from listed_rows`;
  const stored = new Map<string, Row>();
  const used = new Set<string>();
  const insert = async (inserted: Row) => {
    if (used.has(inserted.id)) return;
    used.add(inserted.id);
    stored.set(inserted.id, inserted);
    await database.sql`insert into listed_rows (id, name, at, number) values (${inserted.id}, ${inserted.name}, ${new Date(inserted.at)}, ${inserted.number})`;
  };
  for (const inserted of rows) await insert(inserted);
  const list = listOf({ name: order, direction, keys: keys[order] });
  const complete = async () =>
    (
      await readPage<Row>(list, { columns }, { page: 1, size: undefined, needs: {} }, database)
    ).nodes.map(({ id }) => id);
  /** The rows that were in the list from the first page to the last. */
  let lasting = new Set(stored.keys());
  const listed: string[] = [];
  let cursor: string | undefined;
  for (let pageNumber = 0; ; pageNumber += 1) {
    const request: PageRequest = {
      page: 1,
      size,
      isByCursor: true,
      isBackward,
      ...(isBackward ? { before: cursor } : { after: cursor }),
      needs: { cursors: true, hasNextPage: true, hasPreviousPage: true },
    };
    const page = await readPage<Row>(list, { columns }, request, database);
    const ids = page.nodes.map(({ id }) => id);
    const now = await complete();
    // A page is a range of the list as it is now.
    const start = now.indexOf(ids[0] ?? '');
    if (ids.length > 0) expect(now.slice(start, start + ids.length)).toEqual(ids);
    listed.push(...(isBackward ? ids.toReversed() : ids));
    if (!(isBackward ? page.hasPreviousPage : page.hasNextPage)) {
      expect(
        ids.length === 0 ||
          (isBackward ? now[0] : now.at(-1)) === (isBackward ? ids[0] : ids.at(-1)),
      ).toBe(true);
      break;
    }
    expect(ids).toHaveLength(size);
    cursor = page.cursorAt?.(isBackward ? 0 : ids.length - 1);
    for (const step of changes[pageNumber % changes.length]?.slice(
      0,
      pageNumber < changes.length ? 3 : 0,
    ) ?? []) {
      if (step.kind === 'insert') await insert(step.row);
      else {
        const victim = [...stored.keys()][step.victim % Math.max(1, stored.size)];
        if (victim === undefined) continue;
        stored.delete(victim);
        lasting = new Set([...lasting].filter((id) => id !== victim));
        await database.sql`delete from listed_rows where id = ${victim}`;
      }
    }
  }
  expect(new Set(listed).size).toBe(listed.length);
  expect([...lasting].filter((id) => !listed.includes(id))).toEqual([]);
}

describe.each([
  ['Postgres', serverUrl === undefined ? undefined : () => testDatabase()],
  ['the embedded database', () => embeddedDatabase()],
])('Reading page by page on %s', (name, open) => {
  const opened = open?.();
  afterAll(async () => (await opened)?.close());

  it.skipIf(open === undefined)(
    `lists no row twice and misses none while others insert and delete rows, in ${schedules} schedules${open ? '' : ' (TEST_DATABASE_URL is not set)'}`,
    async () => {
      const database = await opened;
      if (!database) throw new Error(`${name} was not opened`);
      await database.sql`create table listed_rows (id text primary key, name text not null, at timestamptz(3) not null, number int not null)`;
      const seed = Date.now() % 2 ** 31;
      process.stdout.write(`${schedules} schedules on ${name}, seed ${seed}\n`);
      await fc.assert(
        fc.asyncProperty(schedule, (input) => walk(database, input)),
        { seed, numRuns: schedules },
      );
    },
    300_000,
  );
});
