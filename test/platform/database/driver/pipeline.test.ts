import { type ClientBase, DatabaseError } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executeOn, Pipeline } from '../../../../src/platform/database/driver/pipeline.ts';
import type {
  Statement,
  StatementResult,
} from '../../../../src/platform/database/driver/statement.ts';
import type { DatabaseServer } from '../../../../src/platform/database/pooled-client.ts';
import { emptyServer } from '../../../support/database.ts';
import { faultOf } from '../../../support/fault-of.ts';

// What the driver relies on, on both databases: the messages of `pg` and the protocol of Postgres.
let server: DatabaseServer;
let pool: ReturnType<DatabaseServer['openPool']>;
let client: ClientBase & { release(): void };
beforeAll(async () => {
  server = await emptyServer();
  pool = server.openPool(1);
  client = await pool.connect();
  await client.query('create table numbers (n int primary key)');
});
afterAll(async () => {
  client.release();
  await pool.end();
  await server.close();
});

const statement = (text: string, ...values: Statement['values']): Statement => ({
  name: `test_${text}`.slice(0, 60),
  text,
  values,
});
const send = (...statements: Statement[]) =>
  Promise.allSettled(
    ((): Promise<StatementResult>[] => {
      const results = statements.map(() => Promise.withResolvers<StatementResult>());
      const pending = statements.map((sent, at) => ({
        statement: sent,
        done: (result: StatementResult) => results[at]?.resolve(result),
        failed: (fault: Error) => results[at]?.reject(fault),
      }));
      const onEnd = (fault: Error | null, unexecuted: readonly { failed(f: Error): void }[]) => {
        for (const { failed } of unexecuted) failed(fault ?? new Error('not executed'));
      };
      client.query(new Pipeline(pending, onEnd));
      return results.map(({ promise }) => promise);
    })(),
  );
const count = async () => {
  const { rows } = await executeOn(client, statement('select count(*)::int as n from numbers'));
  return rows[0]?.['n'];
};

describe('a pipeline', () => {
  it('Each statement gets its rows and the tag of the server', async () => {
    const results = await send(
      statement('select $1::int as n', 7),
      statement('insert into numbers values ($1)', 1),
      statement('delete from numbers returning n'),
    );
    expect(results.map((result) => result.status === 'fulfilled' && result.value)).toEqual([
      { rows: [{ n: 7 }], command: 'SELECT 1' },
      { rows: [], command: 'INSERT 0 1' },
      { rows: [{ n: 1 }], command: 'DELETE 1' },
    ]);
  });

  it('A statement is described once, and later executions still return rows', async () => {
    for (let n = 0; n < 3; n += 1)
      expect((await executeOn(client, statement('select $1::int as again', n))).rows).toEqual([
        { again: n },
      ]);
  });

  it('A statement without a name is planned each time and returns rows', async () => {
    for (const text of ['a', 'b'])
      expect(
        (
          await executeOn(client, {
            name: undefined,
            text: "select $1::text like '%a%' as matches",
            values: [text],
          })
        ).rows,
      ).toEqual([{ matches: text === 'a' }]);
  });

  it('Statements outside of BEGIN and COMMIT are stored together or not at all', async () => {
    const insert = (n: number) => statement('insert into numbers values ($1)', n);
    const results = await send(insert(1), insert(1), insert(2));
    expect(results.at(-1)).toMatchObject({ status: 'rejected', reason: { code: '23505' } });
    expect(await count()).toBe(0);
  });

  it('COMMIT of an aborted transaction is answered with ROLLBACK', async () => {
    await send(statement('begin'), statement('select 1 / $1::int', 0));
    const [end] = await send(statement('commit'));
    expect(end).toMatchObject({ status: 'fulfilled', value: { command: 'ROLLBACK' } });
  });

  it('A fault arrives when the connection can take the next statement', async () => {
    await faultOf(executeOn(client, statement('select 1 / $1::int as quotient', 0)));
    expect(Reflect.get(client, 'readyForQuery')).toBe(true);
    expect(Reflect.get(client, '_txStatus')).toBe('I');
  });

  it('A fault is an error of the server with its SQLSTATE and constraint', async () => {
    await send(statement('insert into numbers values ($1)', 3));
    const fault = await faultOf(executeOn(client, statement('insert into numbers values ($1)', 3)));
    expect(fault).toMatchObject({
      code: '23505',
      severity: 'ERROR',
      constraint: 'numbers_pkey',
    });
    if (server.kind === 'postgres') expect(fault).toBeInstanceOf(DatabaseError);
  });
});
