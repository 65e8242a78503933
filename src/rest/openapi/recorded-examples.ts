import type { ErrorCode } from '../../platform/errors.ts';
import recorded from './examples.json' with { type: 'json' };

export type RecordedErrors = Record<string, unknown>;

/** A request that a running server answered, its answer, and the errors of changed requests. */
export type RecordedCall = {
  /** The values of the request by the variables of the operation. */
  variables: Record<string, unknown>;
  answer: unknown;
  /** The events of the answer as a stream. */
  events?: { event: string; data: unknown }[];
  errors: RecordedErrors;
};

/** What test/rest/recorded-examples.test.ts has recorded. A new call has no recording yet. */
export type RecordedExamples = {
  /** By method and path with its parameters, such as `GET /users/:userId`. */
  calls: Readonly<Record<string, RecordedCall>>;
  /** Errors that any call can answer, and errors that are hard to cause. */
  errors: Readonly<RecordedErrors>;
};

const examples: RecordedExamples = recorded;

type CallName = { method: string; path: string };

export const recordedCall = ({ method, path }: CallName): RecordedCall | undefined =>
  examples.calls[`${method} ${path}`];

/** The error as this call has answered it, or else as any call has. */
export const recordedError = (code: ErrorCode, call?: CallName): unknown =>
  (call && recordedCall(call)?.errors[code]) ?? examples.errors[code];
