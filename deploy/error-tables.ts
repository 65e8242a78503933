import { errorCatalogue, fieldErrorCatalogue } from '../src/platform/errors.ts';
import { replaceSection } from './marked-section.ts';

/** The page of errors with its two tables computed from the catalogues of error codes. */
export function withErrorTables(page: string): string {
  const codes = Object.entries(errorCatalogue).map(
    ([code, { status, meaning }]) => `| ${status} | \`${code}\` | ${meaning} |`,
  );
  const fieldCodes = Object.entries(fieldErrorCatalogue).map(
    ([code, meaning]) => `| \`${code}\` | ${meaning} |`,
  );
  const withCodes = replaceSection(
    page,
    'error codes',
    ['| status | code | meaning |', '|---|---|---|', ...codes].join('\n'),
  );
  return replaceSection(
    withCodes,
    'field error codes',
    ['| code | meaning |', '|---|---|', ...fieldCodes].join('\n'),
  );
}
