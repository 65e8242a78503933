import type { CombinedError } from '@urql/core';

/** A refusal as a page shows it: the message is for people, code and reason are for the page. */
export type Fault = { code: string; message: string; reason?: string };

export function faultOf({ networkError, graphQLErrors }: CombinedError): Fault {
  const [first] = graphQLErrors;
  if (!first || networkError) return { code: 'UNREACHABLE', message: 'Atrium can not be reached. Check the connection and try again.' };
  const { code, reason } = first.extensions;
  return { code: typeof code === 'string' ? code : 'INTERNAL', message: first.message, ...(typeof reason === 'string' ? { reason } : {}) };
}
