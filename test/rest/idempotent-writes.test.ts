import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databases } from '../support/databases.ts';
import { samplesOf } from '../support/parity/all-samples.ts';
import { calls, filesIn } from '../support/parity/calls.ts';
import { type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import {
  normalize,
  normalizeText,
  type Outcome,
  type SampleRequest,
  sendCall,
  sendOperation,
} from '../support/parity/send.ts';
import { countersIn, rowsIn } from '../support/parity/stored-rows.ts';

const writes = calls.filter(({ takesKey }) => takesKey);
const withKey = { 'idempotency-key': 'once' };

describe.each(databases)('$kind', ({ open }) => {
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
        const written = await observeWrites();
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

  const readState = async () => ({
    rows: await rowsIn(app.database),
    counters: await countersIn(app.database),
  });

  /**
   * Returns a function that sends a request, and returns what it answers and the rows that it adds
   * and removes. Nothing else may write meanwhile.
   */
  async function observeWrites() {
    let before = await readState();
    return async (
      { sender }: SampleRequest,
      send: () => Promise<{ outcome: Outcome; replayed: string | null }>,
    ): Promise<{ outcome: unknown; replayed: string | null; rows: string[] }> => {
      const { outcome, replayed } = await send();
      const after = await readState();
      const { rows, counters } = before;
      before = after;
      const changes = [
        ...[...rows].filter((row) => !after.rows.has(row)).map((row) => `- ${row}`),
        ...[...after.rows].filter((row) => !rows.has(row)).map((row) => `+ ${row}`),
        ...[...new Set([...counters.keys(), ...after.counters.keys()])]
          .map((name) => ({
            name,
            change: (after.counters.get(name) ?? 0) - (counters.get(name) ?? 0),
          }))
          .filter(({ change }) => change !== 0)
          .map(({ name, change }) => `counter ${name} ${change}`),
      ];
      return {
        outcome: normalize(outcome, sender),
        replayed,
        rows: changes.map((row) => normalizeText(row, sender)).toSorted(),
      };
    };
  }
});
