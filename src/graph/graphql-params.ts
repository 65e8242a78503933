import { z } from 'zod';
import { readJsonObject } from '../http/body.ts';
import { requireShallow } from '../http/json-depth.ts';
import { type FieldError, InputError } from '../platform/errors.ts';
import { parseJson } from '../platform/parse-json.ts';
import { graphLimits } from './document/limits.ts';

export type GraphQLParams = {
  query: string;
  operationName?: string;
  variables: Record<string, unknown>;
};

const required = 'is required';

const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

const paramsForm = z.object({
  query: z
    .string({
      error: ({ input }) => (input === undefined || input === null ? required : 'must be a string'),
    })
    .min(1, required)
    .max(
      graphLimits.documentCharacters,
      `is longer than ${graphLimits.documentCharacters} characters`,
    ),
  operationName: z.string('must be a string').nullish(),
  variables: jsonObject.nullish(),
  extensions: jsonObject.nullish(),
});

/**
 * Reads the GraphQL parameters from the body of a POST or the query string of a GET. An array of
 * operations is rejected.
 */
export const readParams = async (request: Request, url: URL): Promise<GraphQLParams> =>
  // The nesting depth of a JSON body was already checked when it was read.
  request.method === 'POST'
    ? parseParams(await readJsonObject(request))
    : checkParams(readSearchParams(url.searchParams));

export function checkParams(input: Record<string, unknown>): GraphQLParams {
  requireShallow(input['variables'], 'variables');
  return parseParams(input);
}

function parseParams(input: Record<string, unknown>): GraphQLParams {
  const parsed = paramsForm.safeParse(input);
  if (!parsed.success) throw new InputError(parsed.error.issues.map(faultOf));
  const { query, operationName, variables } = parsed.data;
  return { query, ...(operationName ? { operationName } : {}), variables: variables ?? {} };
}

function faultOf({ path, code, message }: z.core.$ZodIssue): FieldError {
  const field = path.join('.');
  return {
    field,
    code: message === required ? 'REQUIRED' : code === 'too_big' ? 'TOO_LONG' : 'WRONG_TYPE',
    message: `${field} ${message}`,
  };
}

function readSearchParams(search: URLSearchParams): Record<string, unknown> {
  const texts = Object.fromEntries(
    ['query', 'operationName'].flatMap((name) =>
      search.get(name) ? [[name, search.get(name)]] : [],
    ),
  );
  const objects = Object.fromEntries(
    ['variables', 'extensions'].flatMap((name) =>
      search.get(name) ? [[name, parseJson(search.get(name) ?? '', name)]] : [],
    ),
  );
  return { ...texts, ...objects };
}
