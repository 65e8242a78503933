import {
  type AnyVariables,
  Client,
  type ClientOptions,
  cacheExchange,
  type DocumentInput,
  fetchExchange,
} from '@urql/core';
import { watchOperations } from '../developers/watch-operations.ts';
import { type ApiFault, faultOf } from './fault.ts';
import { requestHeaders } from './organization.ts';
import { requestOrder } from './request-order.ts';

const options: Omit<ClientOptions, 'exchanges'> = {
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: () => ({ credentials: 'same-origin', headers: requestHeaders() }),
};

/** The shared client, with a cache. */
export const client = new Client({
  ...options,
  exchanges: [cacheExchange, watchOperations, requestOrder, fetchExchange],
});

/** A client without a cache: an export of ten thousand pages would fill the browser's memory. */
const uncachedClient = new Client({ ...options, exchanges: [watchOperations, fetchExchange] });

/** Sends one query without the cache, for exports that read many pages. */
export async function queryUncached<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<{ data: Data; fault?: undefined } | { data?: undefined; fault: ApiFault }> {
  const { data, error } = await uncachedClient
    .query(document, variables, { requestPolicy: 'network-only' })
    .toPromise();
  if (error) return { fault: faultOf(error) };
  if (data === undefined) throw new Error('The GraphQL API returned neither data nor an error');
  return { data };
}
