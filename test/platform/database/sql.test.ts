import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  anyOf,
  createStatementBuilder,
  fragment,
  rowLimit,
} from '../../../src/platform/database/sql.ts';
import { testDatabase } from '../../support/database.ts';
import { rowsIn } from '../../support/rows.ts';

let database: Awaited<ReturnType<typeof testDatabase>>;

beforeAll(async () => {
  database = await testDatabase({ poolSize: 1 });
});
afterAll(() => database.close());

describe('bound values', () => {
  it.each(["'; drop table users; --", '$1', '%_\\', 'é\u{1F600}', ''])(
    'the value %j is bound and never inserted into the statement',
    async (text) => {
      expect(await database.sql`select ${text}::text as given`).toEqual([{ given: text }]);
    },
  );

  it('values of every type are returned unchanged', async () => {
    const [row] =
      await database.sql`select ${7}::int as count, ${true}::boolean as flag, ${null}::text as nothing,
      ${new Uint8Array([0, 255])}::bytea as bytes, ${['a', 'b,"c']}::text[] as list, ${12n}::int8 as large`;
    expect(row).toEqual({
      count: 7,
      flag: true,
      nothing: null,
      bytes: Buffer.from([0, 255]),
      list: ['a', 'b,"c'],
      large: 12,
    });
  });
});

it.each([
  [[]],
  [['a']],
  [['text', 'chunks']],
  [['a,b', 'c"d', 'e\\f', ' ', '', 'NULL', 'null', '{}', 'ä\u{1F600}', '\n']],
])('the list %j is returned unchanged', async (list) => {
  expect(await database.sql`select ${list}::text[] as list`).toEqual([{ list }]);
  expect(await database.sql`select ${list}::text[] || null::text as list`).toEqual([
    { list: [...list, null] },
  ]);
});

it('a list with another lower bound than 1 is read', async () => {
  expect(
    await database.sql`select '[2:3]={a,b}'::text[] as list, '{{a},{b}}'::text[] as nested`,
  ).toEqual([{ list: ['a', 'b'], nested: [['a'], ['b']] }]);
});

describe('timestamps', () => {
  it.each([
    ['2024-05-06 07:08:09.1+00', '2024-05-06T07:08:09.100Z'],
    ['2024-05-06 07:08:09+02', '2024-05-06T05:08:09.000Z'],
    ['2024-05-06 07:08:09.123999+00', '2024-05-06T07:08:09.123Z'],
    ['0001-01-01 00:00:00+00', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31 23:59:59.999+00', '9999-12-31T23:59:59.999Z'],
  ])('the timestamp %s is read as %s', async (written, read) => {
    expect(await database.sql`select ${written}::timestamptz as at`).toEqual([{ at: read }]);
  });

  it('a Date is stored as the same instant, and Prisma and SQL read the same value', async () => {
    const at = new Date('2024-07-01T12:34:56.789Z');
    const user = await rowsIn(database).user();
    await database.sql`update users set last_login = ${at} where id = ${user.id}`;
    expect(await database.sql`select last_login as at from users where id = ${user.id}`).toEqual([
      { at: at.toISOString() },
    ]);
    expect(
      (await database.prisma.user.findUniqueOrThrow({ where: { id: user.id } })).lastLogin,
    ).toEqual(at);
  });

  it('a timestamp outside of four-digit years is rejected, not misread', async () => {
    await expect(database.sql`select 'infinity'::timestamptz as at`).rejects.toThrow(RangeError);
    await expect(database.sql`select '10000-01-01'::timestamptz as at`).rejects.toThrow(RangeError);
  });
});

it('a number beyond the safe integers is rejected, not rounded', async () => {
  await expect(database.sql`select 9007199254740993::int8 as n`).rejects.toThrow(RangeError);
  expect(await database.sql`select 9007199254740991::int8 as n`).toEqual([
    { n: Number.MAX_SAFE_INTEGER },
  ]);
});

describe('fragments', () => {
  it('fragments are inserted with their own values, also when nested', async () => {
    const range = (from: number, to: number) => fragment`n between ${from} and ${to}`;
    const either = fragment`(${range(2, 3)} or ${range(7, 7)})`;
    const rows =
      await database.sql`select n from generate_series(1, ${9}::int) n where ${either} and n <> ${3}`;
    expect(rows).toEqual([{ n: 2 }, { n: 7 }]);
  });

  it('a fragment can take the position of a value in the same statement', async () => {
    const either = (right: number | ReturnType<typeof fragment>) =>
      database.sql`select 1 = ${right} as same`;
    expect([await either(1), await either(fragment`2 - ${1}::int`), await either(2)]).toEqual([
      [{ same: true }],
      [{ same: true }],
      [{ same: false }],
    ]);
  });
});

describe('statements', () => {
  const prepared = () =>
    database.prisma.$queryRaw<
      { statement: string }[]
    >`select statement from pg_prepared_statements where statement like ${'%marked%'}`;

  it('each statement text is prepared once, and searches are not prepared', async () => {
    for (let run = 0; run < 3; run += 1) {
      await database.sql`select ${run}::int as marked`;
      await database.searchSql`select ${run}::int as marked_search`;
      await database.sql`select 'marked' like ${'%a%'} as marked_like`;
    }
    expect(await prepared()).toEqual([{ statement: 'select $1::int as marked' }]);
  });

  it('the number of prepared statements is bounded', async () => {
    for (let index = 0; index < 300; index += 1) {
      const column = Object.assign([`select 1 as unbounded_${index} where `, '::boolean'], {
        raw: [],
      });
      await database.sql(column, true);
    }
    const [row] = await database.sql<{
      count: number;
    }>`select count(*) as count from pg_prepared_statements where statement like '%unbounded%'`;
    expect(row?.count).toBeLessThanOrEqual(200);
  });

  it('a failed statement can be executed again', async () => {
    const divide = (by: number) => database.sql`select 6 / ${by}::int as quotient`;
    for (const by of [0, 0]) await expect(divide(by)).rejects.toMatchObject({ code: '22012' });
    expect(await divide(2)).toEqual([{ quotient: 3 }]);
    await expect(divide(0)).rejects.toMatchObject({ code: '22012' });
    expect(await divide(3)).toEqual([{ quotient: 2 }]);
  });

  it('a statement with invalid values or unreadable rows leaves the connection usable', async () => {
    await expect(database.sql`select ${'x'}::text::int as number`).rejects.toMatchObject({
      code: '22P02',
    });
    await expect(
      database.sql`select n, case when n = 2 then 'infinity' else '2024-01-01' end::timestamptz as at from generate_series(1, 3) n`,
    ).rejects.toThrow(RangeError);
    expect(await database.sql`select ${1}::int as one`).toEqual([{ one: 1 }]);
  });

  it('a statement whose columns have changed is prepared again', async () => {
    const read = () => database.sql`select * from changing where ${true}`;
    await database.prisma.$executeRaw`create table changing (a int)`;
    await database.prisma.$executeRaw`insert into changing values (1)`;
    expect(await read()).toEqual([{ a: 1 }]);
    await database.prisma.$executeRaw`alter table changing add b text default 'two'`;
    await read().catch(() => undefined);
    expect(await read()).toEqual([{ a: 1, b: 'two' }]);
  });

  it('a statement without rows returns none, and a repeated column has its last value', async () => {
    expect(await database.sql`select 1 as one where ${false}`).toEqual([]);
    expect(await database.sql`select 1 as one, ${2}::int as one`).toEqual([{ one: 2 }]);
  });
});

describe('rowLimit', () => {
  it('pages of any size use few statements, and a common size is written into the text', () => {
    const texts = new Set<string>();
    const { prepared } = createStatementBuilder();
    for (let rows = 1; rows <= 100; rows += 1)
      texts.add(prepared`select n from numbers limit ${rowLimit(rows)}`.text);
    expect(texts.size).toBeLessThan(10);
    expect(texts).toContain('select n from numbers limit 50');
    expect(texts).toContain('select n from numbers limit $1::int');
  });

  it.each([1, 7, 20, 100])('a page of %i rows has that many rows', async (rows) => {
    expect(
      await database.sql`select n from generate_series(1, 200) n limit ${rowLimit(rows)}`,
    ).toHaveLength(rows);
  });
});

it.each([[[]], [['b']], [['a', 'c']]])('anyOf(%j) finds exactly these values', async (values) => {
  const rows = await database.sql<{
    n: string;
  }>`select n from unnest(array['a', 'b', 'c']) n where n ${anyOf(values)} order by n`;
  expect(rows.map(({ n }) => n)).toEqual(values);
});
