import type { CombinedError } from '@urql/core';

/** A refusal as a page shows it: the message is for people, code and reason are for the page. */
export type Fault = { code: string; message: string; reason?: string };

export function faultOf({ networkError, graphQLErrors }: CombinedError): Fault {
  const [first] = graphQLErrors;
  if (!first || networkError)
    return {
      code: 'UNREACHABLE',
      message: 'Atrium can not be reached. Check the connection and try again.',
    };
  const { code, reason } = first.extensions;
  if (code === 'UNAUTHENTICATED')
    return { code, message: 'Your session has ended. Please sign in again.' };
  const message =
    code === 'BAD_INPUT'
      ? graphQLErrors.map((error) => inWords(error.message)).join('; ')
      : first.message;
  return {
    code: typeof code === 'string' ? code : 'INTERNAL',
    message,
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}

/** The graph names a wrong variable as programs write it: `$allowedEmails must be …`. */
const inWords = (message: string): string =>
  message.replace(/^\$(\w+)/, (_, name: string) => {
    const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return words.charAt(0).toUpperCase() + words.slice(1);
  });
