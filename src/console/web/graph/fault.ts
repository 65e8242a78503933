import type { CombinedError } from '@urql/core';
import type { GraphQLError } from 'graphql';
import { language } from '../texts/language.ts';
import { t } from '../texts/text.ts';
import { budgetText, codeText, rateLimitText, valueText } from './code-text.ts';
import { codeTexts } from './fault-codes.ts';

/**
 * An error as a page shows it: `message` is for people, `code` and `reason` are for the program.
 * `paths` are those of invalid values.
 */
export type ApiFault = {
  code: string;
  message: string;
  reason?: string;
  paths?: readonly (readonly (string | number)[])[];
};

export const unreachable = (): ApiFault => ({
  code: 'UNREACHABLE',
  message: t('ui.unreachable'),
});

/** Faults after which the same request can succeed. */
const passingCodes = ['UNREACHABLE', 'BROKEN_OFF', 'RATE_LIMITED', 'UNAVAILABLE', 'INTERNAL'];
export const isPassing = ({ code }: ApiFault): boolean => passingCodes.includes(code);

export function faultOf({ networkError, graphQLErrors }: CombinedError): ApiFault {
  const [first] = graphQLErrors;
  if (!first || networkError) return unreachable();
  const { code, reason } = first.extensions;
  if (code === 'UNAUTHENTICATED') return { code, message: t('ui.sessionExpired') };
  if (reason === 'DOCUMENT_NOT_TRUSTED')
    return { code: 'FORBIDDEN', reason, message: t('ui.atriumUpdated') };
  const paths = graphQLErrors.flatMap((error) => invalidValuesOf(error).map(({ path }) => path));
  return {
    code: typeof code === 'string' ? code : 'INTERNAL',
    message:
      code === 'BAD_INPUT'
        ? inputMessage(graphQLErrors)
        : messageOf(first.message, first.extensions),
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(paths.length > 0 ? { paths } : {}),
  };
}

function messageOf(
  message: string,
  { code, reason, retryAfterSeconds }: GraphQLError['extensions'],
): string {
  if (reason === undefined && typeof retryAfterSeconds === 'number') {
    if (code === 'RATE_LIMITED') return rateLimitText(message, retryAfterSeconds);
    if (code === 'BUDGET_EXHAUSTED') return budgetText(message, retryAfterSeconds);
  }
  return codeText(message, reason, code);
}

type InvalidValue = Parameters<typeof valueText>[0];

const invalidValuesOf = ({ extensions }: GraphQLError): readonly InvalidValue[] =>
  Array.isArray(extensions['errors']) ? extensions['errors'] : [];

/** The text of a reason says what is wrong; without one, the code and the name of each value do. */
function inputMessage(errors: readonly GraphQLError[]): string {
  if (language() === 'en') return errors.map((error) => withReadableName(error.message)).join('; ');
  const texts = errors.flatMap((error) => {
    const { reason } = error.extensions;
    const values = invalidValuesOf(error);
    return values.length === 0 || codeTexts[String(reason)] !== undefined
      ? [codeText(error.message, reason, 'BAD_INPUT')]
      : values.map(valueText);
  });
  return [...new Set(texts)].join('; ');
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
