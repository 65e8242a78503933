import { Client, cacheExchange, createRequest, fetchExchange, gql } from '@urql/core';
import { afterEach, expect, it } from 'vitest';
import { pipe, subscribe } from 'wonka';
import { requestOrder } from '../../src/console/web/graph/request-order.ts';

const sums = gql<{ sum: number }, Record<string, never>>`query Sums { sum }`;
const change = gql<{ change: number }, Record<string, never>>`mutation Change { change }`;

type Request = { text: string; answer: (data: object) => void };
let requests: Request[] = [];
let shown: unknown[] = [];
afterEach(() => {
  requests = [];
  shown = [];
});

const client = () =>
  new Client({
    url: 'http://atrium.test/graphql',
    exchanges: [cacheExchange, requestOrder, fetchExchange],
    preferGetMethod: false,
    fetch: (_url, init) =>
      new Promise((resolve) =>
        requests.push({
          text: String(init?.body),
          answer: (data) => resolve(Response.json({ data })),
        }),
      ),
  });
const request = async (number: number): Promise<Request> => {
  await expect.poll(() => requests.length).toBeGreaterThanOrEqual(number);
  const found = requests[number - 1];
  if (!found) throw new Error(`There is no request ${number}`);
  return found;
};
const watch = (graph: Client) =>
  pipe(
    graph.query(sums, {}),
    subscribe(({ data, stale }) => {
      if (!stale) shown.push(data);
    }),
  );

it('Of two answers to a query that arrive in the other order, the older one is dropped', async () => {
  const graph = client();
  const query = watch(graph);
  (await request(1)).answer({ sum: 1 });
  await expect.poll(() => shown).toEqual([{ sum: 1 }]);
  const refetch = () =>
    graph.reexecuteOperation(
      graph.createRequestOperation('query', createRequest(sums, {}), {
        requestPolicy: 'network-only',
      }),
    );
  refetch();
  const older = await request(2);
  refetch();
  (await request(3)).answer({ sum: 3 });
  await expect.poll(() => shown.at(-1)).toEqual({ sum: 3 });
  older.answer({ sum: 2 });
  await new Promise((done) => setTimeout(done, 20));
  expect(shown).toEqual([{ sum: 1 }, { sum: 3 }]);
  query.unsubscribe();
});

it('A query whose answer was on its way during a mutation is sent once more', async () => {
  const graph = client();
  const query = watch(graph);
  const mutation = graph.mutation(change, {}).toPromise();
  (await request(2)).answer({ change: 1 });
  await mutation;
  (await request(1)).answer({ sum: 1 });
  const again = await request(3);
  expect(again.text).toContain('Sums');
  again.answer({ sum: 2 });
  await expect.poll(() => shown.at(-1)).toEqual({ sum: 2 });
  await new Promise((done) => setTimeout(done, 20));
  expect(requests).toHaveLength(3);
  query.unsubscribe();
});
