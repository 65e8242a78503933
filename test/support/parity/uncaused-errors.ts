import { errorBodyOf } from '../../../src/http/error-response.ts';
import type { ErrorCode } from '../../../src/platform/errors.ts';
import type { RecordedErrors } from '../../../src/rest/openapi/recorded-examples.ts';

type UncausedCode = Extract<
  ErrorCode,
  | 'BUDGET_EXHAUSTED'
  | 'CONCURRENCY_LIMIT_REACHED'
  | 'CURSOR_EXPIRED'
  | 'EXPECTATION_FAILED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL'
  | 'OUTPUT_INVALID'
  | 'PROVIDER_FAILED'
  | 'PROVIDER_LATE'
  | 'QUOTA_EXCEEDED'
  | 'REQUEST_TIMEOUT'
  | 'STILL_RUNNING'
  | 'STORAGE_FULL'
  | 'UNAVAILABLE'
>;
type UncausedError = { template: string; values?: Record<string, string> };

const requestId = '6f1c2a0e-5d3b-4c8e-9f57-2f3a1b0c4d6e';
const remedy = 'delete files that are no longer needed, or ask platform support for a higher quota';

/**
 * The messages of errors that a single request cannot cause, as they are in the sources, where
 * `{name}` is `${name}`. Each has a test of its own elsewhere that causes it.
 */
export const uncausedErrors: Record<UncausedCode, UncausedError> = {
  BUDGET_EXHAUSTED: {
    template: '{subject} is used up; {remedy}',
    values: {
      subject: 'The budget of tokens for your organization',
      remedy:
        'try again after 2026-06-01T00:00:00.000Z, or ask an administrator for a higher budget',
    },
  },
  CONCURRENCY_LIMIT_REACHED: {
    template:
      'Your organization may have {leasesMax} {noun} at the same time; wait until one has ended, and try again',
    values: { leasesMax: '10', noun: 'runs' },
  },
  CURSOR_EXPIRED: {
    template:
      'Events are kept for {eventDays} days, and this cursor is older: read the resources again, and begin without after',
    values: { eventDays: '30' },
  },
  EXPECTATION_FAILED: { template: 'The only expectation that is met is 100-continue' },
  HEADERS_TOO_LARGE: {
    template: 'The request line and the headers are larger than {maxHeaderSize} bytes',
    values: { maxHeaderSize: '16384' },
  },
  INTERNAL: { template: 'Internal error; request id {requestId}', values: { requestId } },
  OUTPUT_INVALID: {
    template: 'The model gave no answer that is valid under the schema: {faults}',
    values: { faults: '#: Instance does not have required property "days".' },
  },
  PROVIDER_FAILED: { template: 'The model provider failed' },
  PROVIDER_LATE: { template: 'The model provider did not answer in time' },
  QUOTA_EXCEEDED: {
    template:
      "Your organization has all of the {limit.toLocaleString('en')} files that it may have; {remedy}",
    values: { "limit.toLocaleString('en')": '10,000', remedy },
  },
  REQUEST_TIMEOUT: { template: 'The body did not arrive in time' },
  STILL_RUNNING: {
    template: 'A request with this Idempotency-Key is still running; send it again in a second',
  },
  STORAGE_FULL: { template: 'There is no space left to store this file' },
  UNAVAILABLE: {
    template: 'Temporarily unavailable; request id {requestId}',
    values: { requestId },
  },
};

/** The bodies of these errors. */
export const uncausedErrorBodies = (): RecordedErrors =>
  Object.fromEntries(
    Object.entries(uncausedErrors).map(([code, { template, values = {} }]) => {
      const message = template.replaceAll(/\{([^}]+)\}/g, (_, name) => values[name] ?? name);
      return [code, errorBodyOf({ code: code as UncausedCode, message, requestId })];
    }),
  );
