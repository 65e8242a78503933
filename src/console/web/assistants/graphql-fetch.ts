import {
  type AnyVariables,
  CombinedError,
  type DocumentInput,
  stringifyDocument,
} from '@urql/core';
import type { GraphQLError } from 'graphql';
import { type ApiFault, faultOf } from '../graph/fault.ts';
import { requestHeaders } from '../graph/organization.ts';
import { reportExpiry } from '../graph/session-expiry.ts';

// GraphQL requests that the urql client does not support: streamed answers, and uploads with
// progress.

export type GraphResponse<Data = unknown> = {
  data?: Data | null;
  errors?: readonly GraphQLError[];
};

/**
 * The headers of every request: the organization, and a header that proves that a page of Atrium
 * sent it, because forms of other sites cannot set headers.
 */
export const graphHeaders = (): Record<string, string> => ({
  'x-requested-with': 'atrium',
  ...requestHeaders(),
});

export const jsonBody = (
  document: DocumentInput<unknown, never>,
  variables: AnyVariables,
): string => JSON.stringify({ query: stringifyDocument(document), variables });

type SentFile = { path: string; file: File };

/**
 * The body of a request with files, by the GraphQL multipart request specification. `path` is the
 * path of a file in the variables, in whose order the files must be.
 */
export function multipartBody(
  document: DocumentInput<unknown, never>,
  variables: AnyVariables,
  files: readonly SentFile[],
): FormData {
  const form = new FormData();
  form.set('operations', jsonBody(document, variables));
  const paths = files.map(({ path }, index) => [index, [`variables.${path}`]]);
  form.set('map', JSON.stringify(Object.fromEntries(paths)));
  for (const [index, { file }] of files.entries()) form.set(String(index), file, file.name);
  return form;
}

export function faultFromErrors(errors: readonly GraphQLError[]): ApiFault {
  const fault = faultOf(new CombinedError({ graphQLErrors: [...errors] }));
  if (fault.code === 'UNAUTHENTICATED') reportExpiry();
  return fault;
}

/** Parses a response. Undefined when it is not JSON, for example an error page of a proxy. */
export function parseGraphResponse<Data = unknown>(text: string): GraphResponse<Data> | undefined {
  try {
    const response: GraphResponse<Data> = JSON.parse(text);
    return response;
  } catch {
    return undefined;
  }
}
