import {
  type AnyVariables,
  Client,
  type ClientOptions,
  cacheExchange,
  type DocumentInput,
  fetchExchange,
} from '@urql/core';
import { watchOperations } from '../developers/watch-operations.ts';
import { type Fault, faultOf } from './fault.ts';
import { chosenOrganization } from './organization.ts';

/** The session is in a cookie; the organization is named with every question. */
const options: Omit<ClientOptions, 'exchanges'> = {
  url: '/graphql',
  preferGetMethod: false,
  fetchOptions: () => {
    const organization = chosenOrganization();
    return {
      credentials: 'same-origin',
      headers: organization === null ? {} : { 'x-atrium-organization': organization },
    };
  },
};

/** One client for the page. */
export const client = new Client({
  ...options,
  exchanges: [cacheExchange, watchOperations, fetchExchange],
});

/** Remembers nothing: a walk through ten thousand pages would fill the browser's memory. */
const forgetful = new Client({ ...options, exchanges: [watchOperations, fetchExchange] });

/** Asks once, past what is remembered, for walks through many pages. */
export async function askOnce<Data, Variables extends AnyVariables>(
  document: DocumentInput<Data, Variables>,
  variables: Variables,
): Promise<{ data: Data; fault?: undefined } | { data?: undefined; fault: Fault }> {
  const { data, error } = await forgetful
    .query(document, variables, { requestPolicy: 'network-only' })
    .toPromise();
  if (error) return { fault: faultOf(error) };
  if (data === undefined) throw new Error('The graph answered neither data nor an error');
  return { data };
}
