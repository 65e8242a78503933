import {
  type AnyVariables,
  CombinedError,
  type DocumentInput,
  stringifyDocument,
} from '@urql/core';
import type { GraphQLError } from 'graphql';
import { type Fault, faultOf } from '../graph/fault.ts';
import { chosenOrganization } from '../graph/organization.ts';

// What the client of the page does not do: streams that are answers, and files with their progress.

export type Told = { data?: unknown; errors?: readonly GraphQLError[] };

/**
 * The organization, as every question names it; and that a page of ours asks, which no form of
 * another site can say.
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
 * A question with a file, by the GraphQL multipart request specification. `path` is where among the
 * variables the file stands.
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

export const unreachable: Fault = {
  code: 'UNREACHABLE',
  message: 'Atrium can not be reached. Check the connection and try again.',
};

export function faultIn(errors: readonly GraphQLError[]): Fault {
  const fault = faultOf(new CombinedError({ graphQLErrors: [...errors] }));
  // What the graph says of it is for programs with keys.
  return fault.code === 'UNAUTHENTICATED'
    ? { ...fault, message: 'You are no longer signed in. Load the page again to sign in.' }
    : fault;
}

/**
 * An answer that is one JSON object, or undefined where it is something else: a proxy between us
 * may answer pages.
 */
export function parseGraphResponse(text: string): Told | undefined {
  try {
    const told: Told = JSON.parse(text);
    return told;
  } catch {
    return undefined;
  }
}
