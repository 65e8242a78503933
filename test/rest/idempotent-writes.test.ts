import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../src/platform/database/database.ts';
import { embeddedDatabase, serverUrl, testDatabase } from '../support/database.ts';
import { samplesOf } from '../support/parity/all-samples.ts';
import { calls, filesIn } from '../support/parity/calls.ts';
import { type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import {
  normalize,
  normalizeText,
  type SampleRequest,
  sendCall,
  sendOperation,
} from '../support/parity/send.ts';

const writes = calls.filter(({ takesKey }) => takesKey);
const withKey = { 'idempotency-key': 'once' };

describe.each([
  { kind: 'embedded', open: embeddedDatabase },
  ...(serverUrl === undefined ? [] : [{ kind: 'postgres', open: testDatabase }]),
])('$kind', ({ open }) => {
  let app: ParityApp;
  beforeAll(async () => {
    app = await parityApp({ database: await open() });
  });
  afterAll(() => app.close());

  describe.each(writes)('$name', (call) => {
    it.each(samplesOf(call))(
      '$title writes the same rows with an Idempotency-Key, and a repetition writes none',
      async ({ start }) => {
        const newRequest = async (): Promise<SampleRequest> => ({
          app,
          call,
          ...(await start(app)),
        });
        const [alone, keyed, graph] = [await newRequest(), await newRequest(), await newRequest()];
        const first = await written(alone, () => sendCall(alone));
        const once = await written(keyed, () => sendCall(keyed, withKey));
        expect(first.outcome).toEqual(expect.any(String));
        expect(once).toEqual(first);
        const { replayed, outcome, rows } = await written(keyed, () => sendCall(keyed, withKey));
        expect({ replayed, outcome, rows }).toEqual({ ...once, replayed: 'true', rows: [] });
        // A form with a file takes no Idempotency-Key over GraphQL.
        if (Object.values(graph.variables).some((value) => filesIn(value).length > 0)) return;
        const overGraph = await written(graph, () => sendOperation(graph, withKey));
        expect(overGraph).toEqual(first);
        const repeated = await written(graph, () => sendOperation(graph, withKey));
        expect(repeated).toEqual({ ...overGraph, replayed: 'true', rows: [] });
      },
    );
  });

  /** What the request answers, and the rows that it adds and removes. */
  async function written(
    { sender }: SampleRequest,
    send: () => ReturnType<typeof sendCall>,
  ): Promise<{ outcome: unknown; replayed: string | null; rows: string[] }> {
    const [before, countersBefore] = [await rowsIn(app.database), await countersIn(app.database)];
    const { outcome, replayed } = await send();
    const [after, countersAfter] = [await rowsIn(app.database), await countersIn(app.database)];
    const changes = [
      ...[...before].filter((row) => !after.has(row)).map((row) => `- ${row}`),
      ...[...after].filter((row) => !before.has(row)).map((row) => `+ ${row}`),
      ...[...countersAfter]
        .map(([name, total]) => ({ name, change: total - (countersBefore.get(name) ?? 0) }))
        .filter(({ change }) => change !== 0)
        .map(({ name, change }) => `counter ${name} ${change}`),
    ];
    return {
      outcome: normalize(outcome, sender),
      replayed,
      rows: changes.map((row) => normalizeText(row, sender)).toSorted(),
    };
  }
});

/** Columns with the time of the database, or with a random value that each fixture makes anew. */
const notCompared = ['last_used_at', 'updated_at', 'slug', 'reservation_id', 'last_reservation_id'];

/** Every row of every table, except the records of idempotent requests and the counters. */
async function rowsIn({ prisma }: Database): Promise<Set<string>> {
  const tables = await prisma.$queryRaw<{ name: string }[]>`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_name not in ('_prisma_migrations', 'idempotent_requests', 'counter_deltas', 'redemption_month_deltas')`;
  const statement = tables
    .map(
      ({ name }) =>
        `select '${name} ' || (to_jsonb(t) - array['${notCompared.join("', '")}']
          - case jsonb_typeof(to_jsonb(t)->'id') when 'number' then 'id' else '' end)::text as row
        from "${name}" t`,
    )
    .join(' union all ');
  const rows = await prisma.$queryRawUnsafe<{ row: string }[]>(statement);
  return new Set(rows.map(({ row }) => row));
}

/** The totals of the counters. Their rows differ, because writers fold them now and then. */
async function countersIn({ prisma }: Database): Promise<Map<string, number>> {
  const totals = await prisma.$queryRaw<{ name: string; total: number }[]>`
    select counter || ' of ' || owner_id as name, sum(delta)::float8 as total
    from counter_deltas group by 1`;
  return new Map(totals.map(({ name, total }) => [name, total]));
}
