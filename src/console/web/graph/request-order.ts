import { type Exchange, makeOperation, type Operation } from '@urql/core';
import { filter, pipe, tap } from 'wonka';

let latestRequest = 0;
const requestOfOperation = new WeakMap<Operation, number>();
const requestOfData = new WeakMap<object, number>();

/** The number of the request that was sent last. */
export const lastRequest = (): number => latestRequest;

/** The number of the request that fetched the data; later requests have higher numbers. */
export const requestOf = (data: unknown): number =>
  (typeof data === 'object' && data && requestOfData.get(data)) || 0;

/**
 * An urql exchange that numbers the requests, so that a page ends with the newest answer:
 *
 * - Two answers to the same query can arrive in the other order. The older one is dropped.
 * - The cache sends queries again after a mutation, but not those whose answers are on their way.
 *   Such an answer can be from before the mutation, so the query is sent once more.
 *
 * It stands directly before the exchange that sends the requests.
 */
export const requestOrder: Exchange = ({ forward, client }) => {
  const sent = new Map<number, number>();
  const arrived = new Map<number, number>();
  let lastBeforeMutation = 0;

  const send = (operation: Operation) => {
    latestRequest += 1;
    requestOfOperation.set(operation, latestRequest);
    if (operation.kind === 'query') sent.set(operation.key, latestRequest);
    if (operation.kind !== 'teardown') return;
    sent.delete(operation.key);
    arrived.delete(operation.key);
  };
  const sendAgain = async (operation: Operation) => {
    // The cache stores the answer first.
    await Promise.resolve();
    const context = { ...operation.context, requestPolicy: 'network-only' as const };
    client.reexecuteOperation(makeOperation(operation.kind, operation, context));
  };

  return (operations) =>
    pipe(
      operations,
      tap(send),
      forward,
      filter(({ operation, data }) => {
        const { kind, key } = operation;
        if (kind === 'mutation') lastBeforeMutation = latestRequest;
        if (kind !== 'query') return true;
        const request = requestOfOperation.get(operation) ?? 0;
        if (request < (arrived.get(key) ?? 0)) return false;
        arrived.set(key, request);
        if (typeof data === 'object' && data) requestOfData.set(data, request);
        if (request <= lastBeforeMutation && request === sent.get(key)) void sendAgain(operation);
        return true;
      }),
    );
};
