import {
  type AnyVariables,
  CombinedError,
  type DocumentInput,
  stringifyDocument,
} from '@urql/core';
import type { GraphQLError } from 'graphql';
import { type ApiFault, faultOf } from '../graph/fault.ts';
import { chosenOrganization } from '../graph/organization.ts';

// GraphQL requests that the urql client does not support: streamed answers, and uploads with
// progress.

export type GraphResponse = { data?: unknown; errors?: readonly GraphQLError[] };

/**
 * The headers of every request: the organization, and a header that proves that a page of Atrium
 * sent it, because forms of other sites cannot set headers.
 */
export function graphHeaders(): Record<string, string> {
  const organization = chosenOrganization();
  return {
    'x-requested-with': 'atrium',
    ...(organization === null ? {} : { 'x-atrium-organization': organization }),
  };
}

export const jsonBody = (
  document: DocumentInput<unknown, never>,
  variables: AnyVariables,
): string => JSON.stringify({ query: stringifyDocument(document), variables });

/**
 * The body of a request with a file, by the GraphQL multipart request specification. `path` is the
 * path of the file in the variables.
 */
export function multipartBody(
  document: DocumentInput<unknown, never>,
  variables: AnyVariables,
  { path, file }: { path: string; file: File },
): FormData {
  const form = new FormData();
  form.set('operations', jsonBody(document, variables));
  form.set('map', JSON.stringify({ file: [`variables.${path}`] }));
  form.set('file', file, file.name);
  return form;
}

export function faultFromErrors(errors: readonly GraphQLError[]): ApiFault {
  const fault = faultOf(new CombinedError({ graphQLErrors: [...errors] }));
  // The API's message is about keys, so people see another one.
  return fault.code === 'UNAUTHENTICATED'
    ? { ...fault, message: 'Your session has expired. Reload the page to sign in.' }
    : fault;
}

/** Parses a response. Undefined when it is not JSON, for example an error page of a proxy. */
export function parseGraphResponse(text: string): GraphResponse | undefined {
  try {
    const response: GraphResponse = JSON.parse(text);
    return response;
  } catch {
    return undefined;
  }
}
