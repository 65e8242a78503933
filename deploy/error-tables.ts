import { errorReasonCatalogue } from '../src/platform/error-reasons.ts';
import { errorCatalogue, fieldErrorCatalogue } from '../src/platform/errors.ts';
import { replaceSection } from './marked-section.ts';

/** The page of errors with its tables computed from the catalogues. */
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
  const withFieldCodes = replaceSection(
    withCodes,
    'field error codes',
    ['| code | meaning |', '|---|---|', ...fieldCodes].join('\n'),
  );
  const reasons = Object.entries(errorReasonCatalogue).map(
    ([reason, meaning]) => `| \`${reason}\` | ${meaning} |`,
  );
  return replaceSection(
    withFieldCodes,
    'error reasons',
    ['| reason | meaning |', '|---|---|', ...reasons].join('\n'),
  );
}
