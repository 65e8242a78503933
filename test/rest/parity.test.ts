import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { samples, samplesOf } from '../support/parity/all-samples.ts';
import { type Call, type CallStream, calls } from '../support/parity/calls.ts';
import { type ParityApp, parityApp } from '../support/parity/fixtures.ts';
import type { StartSample } from '../support/parity/samples.ts';
import {
  executeCompiled,
  executePlainly,
  normalize,
  type Outcome,
  type SampleRequest,
  sendCall,
  sendOperation,
} from '../support/parity/send.ts';
import {
  type StreamRequest,
  sendStreamedCall,
  sendSubscription,
  subscribePlainly,
} from '../support/parity/streams.ts';

let app: ParityApp;
beforeAll(async () => {
  app = await parityApp();
});
afterAll(() => app.close());

it.each(calls)('$name has a sample and a sample of an error', (call) => {
  if (samplesOf(call).length === 0)
    throw new Error(`${call.name} has no sample: add one to test/support/parity`);
  if (samplesOf(call).every(({ refusals }) => refusals.length === 0))
    throw new Error(`${call.name} has no refusal: add one to its sample in test/support/parity`);
});

it('Every sample belongs to a call', () => {
  const names = new Set(calls.map(({ name }) => name));
  expect(samples.map(({ call }) => call).filter((call) => !names.has(call))).toEqual([]);
});

it('The streamed run, its events and the streamed chat completion are compared', () => {
  expect(calls.filter(({ stream }) => stream).map(({ name }) => name)).toEqual([
    'POST /api/assistants/v1/:assistantId/run',
    'GET /api/assistants/v1/runs/:runId/events',
    'POST /api/openai/v1/chat/completions',
  ]);
});

describe.each(calls)('$name', (call) => {
  for (const { title, start, refusals } of samplesOf(call)) {
    it(`${title} has the same answer as its operation over /graphql, compiled and executed by GraphQL.js`, async () => {
      const rest = await run(start, async (request) => (await sendCall(request)).outcome);
      if (!('body' in rest.outcome)) throw new Error(JSON.stringify(rest.outcome));
      const ways = {
        graph: await run(start, async (request) => (await sendOperation(request)).outcome),
        compiled: await run(start, executeCompiled),
        plain: await run(start, executePlainly),
      };
      for (const [way, { normalized }] of Object.entries(ways))
        expect({ way, normalized }).toEqual({ way, normalized: rest.normalized });
    });

    for (const { code, start: startRefusal } of refusals) {
      it(`${title} has the same error ${code} over /graphql`, async () => {
        const rest = await run(startRefusal, async (request) => (await sendCall(request)).outcome);
        const graph = await run(
          startRefusal,
          async (request) => (await sendOperation(request)).outcome,
        );
        expect(rest.normalized).toMatchObject({ code });
        expect(graph.normalized).toEqual(rest.normalized);
        // A key is checked before an operation is executed.
        if (code === 'UNAUTHENTICATED') return;
        const compiled = await run(startRefusal, executeCompiled);
        const plain = await run(startRefusal, executePlainly);
        expect(compiled.normalized).toEqual(plain.normalized);
      });
    }
  }

  const run = (start: StartSample, way: (request: SampleRequest) => Promise<Outcome>) =>
    runSample(start, (started) => way({ call, ...started }));
});

describe.each(calls.flatMap(streamsOf))('$call.name as events', ({ call, stream }) => {
  for (const { title, start, refusals } of samplesOf(call)) {
    it(`${title} has the same events as its subscription over /graphql and by GraphQL.js`, async () => {
      const rest = await run(start, sendStreamedCall);
      expect(rest.normalized).toContain('data: ');
      const graph = await run(start, sendSubscription);
      const plain = await run(start, subscribePlainly);
      expect(graph.normalized).toEqual(rest.normalized);
      expect(plain.normalized).toEqual(rest.normalized);
    });

    for (const { code, start: startRefusal } of refusals) {
      it(`${title} has the same error ${code} instead of events over /graphql`, async () => {
        const rest = await run(startRefusal, sendStreamedCall);
        const graph = await run(startRefusal, sendSubscription);
        expect(rest.normalized).toMatchObject({ code });
        expect(graph.normalized).toEqual(rest.normalized);
      });
    }
  }

  const run = (start: StartSample, way: (request: StreamRequest) => Promise<Outcome>) =>
    runSample(start, (started) => way({ call, stream, ...started }));
});

function streamsOf(call: Call): { call: Call; stream: CallStream }[] {
  return call.stream ? [{ call, stream: call.stream }] : [];
}

/** Runs the sample on a new fixture. */
async function runSample(
  start: StartSample,
  way: (started: Omit<SampleRequest, 'call'>) => Promise<Outcome>,
) {
  const { sender, variables } = await start(app);
  const outcome = await way({ app, sender, variables });
  return { outcome, normalized: normalize(outcome, sender) };
}
