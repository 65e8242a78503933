import { expect } from 'vitest';
import type { ErrorCode } from '../../src/platform/errors.ts';

/** The body of an error response. Only BAD_INPUT lists invalid values. */
export const refusalBody = (code: ErrorCode, message: unknown = expect.any(String)) => ({
  ...{ status: 'error', message, code, requestId: expect.any(String) },
  ...(code === 'BAD_INPUT'
    ? {
        errors: expect.arrayContaining([
          { field: expect.any(String), code: expect.any(String), message: expect.any(String) },
        ]),
      }
    : {}),
});

/** The text of a response without its request id. */
export const textWithoutRequestId = ({
  text,
  headers,
}: {
  text: string;
  headers: Headers;
}): string => text.replaceAll(headers.get('x-request-id') ?? 'no request id', 'the request id');
