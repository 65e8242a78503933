import type { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { executeOn } from '../../../../src/platform/database/driver/pipeline.ts';
import { PooledClient } from '../../../../src/platform/database/pooled-client.ts';
import { serverUrl } from '../../../support/database.ts';

const limitMs = 600;
const message = 'Query read timeout';
const sleep = (seconds: number) => `select pg_sleep(${seconds}) is not null as slept`;

describe.skipIf(!serverUrl)('the time limit of queries', () => {
  const clients: Client[] = [];
  afterEach(async () => {
    for (const client of clients.splice(0)) await client.end();
  });
  const open = async () => {
    const client = new PooledClient({
      ...(serverUrl !== undefined && { connectionString: serverUrl }),
      query_timeout: limitMs,
    });
    clients.push(client);
    await client.connect();
    return client;
  };

  it('fails a query that takes longer, and the connection', async () => {
    const client = await open();
    const startedAtMs = performance.now();
    await expect(client.query(sleep(30))).rejects.toThrow(message);
    expect(performance.now() - startedAtMs).toBeGreaterThanOrEqual(limitMs - 1);
    await expect(client.query('select 1')).rejects.toThrow('not queryable');
  });

  it('fails a pipeline that takes longer', async () => {
    const client = await open();
    await expect(
      executeOn(client, { name: 'sleeping', text: sleep(30), values: [] }),
    ).rejects.toThrow(message);
  });

  it('fails the queries that wait behind one', async () => {
    const client = await open();
    const results = await Promise.allSettled([client.query(sleep(30)), client.query('select 1')]);
    expect(
      results.map((result) => (result.status === 'rejected' ? result.reason.message : 'answered')),
    ).toEqual([message, message]);
  });

  it('begins again with each query, also with those that waited, and after an error', async () => {
    const client = await open();
    const quarters = [1, 2, 3, 4].map(() => client.query(sleep(limitMs / 2_000)));
    for (const { rows } of await Promise.all(quarters)) expect(rows).toEqual([{ slept: true }]);
    await expect(client.query('select 1 / 0')).rejects.toThrow('division by zero');
    const { rows } = await executeOn(client, {
      name: 'sleeping',
      text: sleep(limitMs / 2_000),
      values: [],
    });
    expect(rows).toEqual([{ slept: true }]);
    await expect(client.query(sleep(30))).rejects.toThrow(message);
  });

  it('does not end an idle connection', async () => {
    const client = await open();
    await client.query('select 1');
    await new Promise((resolve) => setTimeout(resolve, 2.5 * limitMs));
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  });
});
