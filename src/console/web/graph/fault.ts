import type { CombinedError } from '@urql/core';
import { t } from '../texts/text.ts';
import { codeText } from './code-text.ts';

/**
 * An error as a page shows it: `message` is for people, `code` and `reason` are for the program.
 */
export type ApiFault = { code: string; message: string; reason?: string };

export const unreachable = (): ApiFault => ({
  code: 'UNREACHABLE',
  message: t('ui.unreachable'),
});

export function faultOf({ networkError, graphQLErrors }: CombinedError): ApiFault {
  const [first] = graphQLErrors;
  if (!first || networkError) return unreachable();
  const { code, reason } = first.extensions;
  if (code === 'UNAUTHENTICATED') return { code, message: t('ui.sessionExpired') };
  if (reason === 'DOCUMENT_NOT_TRUSTED')
    return { code: 'FORBIDDEN', reason, message: t('ui.atriumUpdated') };
  const message =
    code === 'BAD_INPUT'
      ? graphQLErrors.map((error) => withReadableName(error.message)).join('; ')
      : codeText(first.message, reason, code);
  return {
    code: typeof code === 'string' ? code : 'INTERNAL',
    message,
    ...(typeof reason === 'string' ? { reason } : {}),
  };
}

/**
 * Replaces a GraphQL variable name at the start of a message with words: `$allowedEmails must be …`
 * becomes `Allowed emails must be …`.
 */
const withReadableName = (message: string): string =>
  message.replace(/^\$(\w+)/, (_, name: string) => {
    const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
    return words.charAt(0).toUpperCase() + words.slice(1);
  });
