import type { Viewer } from '../access/context.ts';
import type { ErrorCode } from '../platform/errors.ts';

/** An area of the API: the properties that its calls have in common, and its calls. */
export type ApiArea = {
  prefix: string;
  name: string;
  description: string;
  /** The only kind of API key that these calls accept. */
  key: Exclude<Viewer['kind'], 'SESSION'>;
  /** The fields that every success response of the area has. */
  envelope: Readonly<Record<string, string>>;
  routes: readonly RouteDefinition[];
};

/**
 * The errors of a rule and their causes, for OpenAPI. OpenAPI computes all other errors of a call.
 */
type RouteErrors = Readonly<Partial<Record<ErrorCode, string>>>;

/**
 * A call: `METHOD /path`, the file under schema/operations that it executes, and the errors of its
 * rule. If the body can be a form, the operation `check` asks for the access before it is read.
 * `answersSecret` says that the answer has a secret, so that a stored one is encrypted. `stream` is
 * the subscription for clients that accept an event stream, and `rows` the one for
 * clients that want the whole list as rows of text. `rowsName` names the file with the rows, by
 * default after the last segment of the path; it can contain parameters, such as `:month`.
 */
export type RouteDefinition = {
  method: string;
  path: string;
  operation: string;
  errors: RouteErrors;
  check?: string;
  stream?: string;
  rows?: string;
  rowsName?: string;
  durable?: DurableDefinition;
  answersSecret?: true;
};

/** For clients that prefer `respond-async`: what starts the run, and the stream of its events. */
type DurableDefinition = { operation: string; events: string };

/** Defines a call, such as `GET /campaigns`. */
export const route = (
  call: string,
  operation: string,
  errors: RouteErrors = {},
  more: Omit<RouteDefinition, 'method' | 'path' | 'operation' | 'errors'> = {},
): RouteDefinition => {
  const [method = '', path = ''] = call.split(' ');
  return { method, path, operation, errors, ...more };
};
