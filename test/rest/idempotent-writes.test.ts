import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { embeddedDatabase, serverUrl, testDatabase } from '../support/database.ts';
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
    send: () => Promise<{ outcome: Outcome; replayed: string | null }>,
  ): Promise<{ outcome: unknown; replayed: string | null; rows: string[] }> {
    const [before, countersBefore] = [await rowsIn(app.database), await countersIn(app.database)];
    const { outcome, replayed } = await send();
    const [after, countersAfter] = [await rowsIn(app.database), await countersIn(app.database)];
    const changes = [
      ...[...before].filter((row) => !after.has(row)).map((row) => `- ${row}`),
      ...[...after].filter((row) => !before.has(row)).map((row) => `+ ${row}`),
      ...[...new Set([...countersBefore.keys(), ...countersAfter.keys()])]
        .map((name) => ({
          name,
          change: (countersAfter.get(name) ?? 0) - (countersBefore.get(name) ?? 0),
        }))
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
