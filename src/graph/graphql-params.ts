import { z } from 'zod';
import { readJsonObject } from '../http/body.ts';
import { requireShallow } from '../http/json-depth.ts';
import {
  type FieldError,
  type FieldErrorCode,
  InputError,
  inputError,
} from '../platform/errors.ts';
import { parseJson } from '../platform/parse-json.ts';
import { graphLimits } from './document/limits.ts';
import { hashOfId } from './trusted/read-manifests.ts';

type OperationParams = { operationName?: string; variables: Record<string, unknown> };

/** What a request executes. */
export type GraphQLParams = OperationParams & { query: string };

/** What a request asks for: the text of a document, its hash, or both. */
export type DocumentRequest = OperationParams & {
  text: string | undefined;
  /** The hash; empty for an id of another form, which no trusted document has. */
  hash: string | undefined;
  /** Whether the hash has the place that the clients of Apollo give it. */
  isApollo: boolean;
};

const required = 'is required';

const jsonObject = z.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  'must be an object',
);

const idForm = 'must be sha256: and 64 hexadecimal digits in lower case';

// GraphQL over HTTP, appendix A: "Document identifier syntax".
const documentId = z
  .string('must be a string')
  .regex(/^(?:sha256:[0-9a-f]{64}|x-[\w.~-]+:[\w.~-]+|[\w.~-]+)$/, idForm);

const persistedQuery = z.object(
  {
    version: z.literal(1, 'must be 1'),
    sha256Hash: z
      .string('must be a string')
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in lower case'),
  },
  'must be an object',
);

const paramsForm = z
  .object({
    query: z
      .string('must be a string')
      .max(
        graphLimits.documentCharacters,
        `is longer than ${graphLimits.documentCharacters} characters`,
      )
      .nullish(),
    documentId: documentId.nullish(),
    operationName: z.string('must be a string').nullish(),
    variables: jsonObject.nullish(),
    extensions: jsonObject
      .pipe(z.looseObject({ persistedQuery: persistedQuery.nullish() }))
      .nullish(),
  })
  .refine(({ query, documentId: id, extensions }) => query || id || extensions?.persistedQuery, {
    path: ['query'],
    error: required,
  });

/**
 * Reads the GraphQL parameters from the body of a POST or the query string of a GET. An array of
 * operations is rejected.
 */
export const readParams = async (request: Request, url: URL): Promise<DocumentRequest> =>
  // The nesting depth of a JSON body was already checked when it was read.
  request.method === 'POST'
    ? parseParams(await readJsonObject(request))
    : checkParams(readSearchParams(url.searchParams));

export function checkParams(input: Record<string, unknown>): DocumentRequest {
  requireShallow(input['variables'], 'variables');
  return parseParams(input);
}

function parseParams(input: Record<string, unknown>): DocumentRequest {
  const parsed = paramsForm.safeParse(input);
  if (!parsed.success) throw new InputError(parsed.error.issues.map(faultOf));
  const { query, documentId: id, operationName, variables, extensions } = parsed.data;
  const apolloHash = extensions?.persistedQuery?.sha256Hash;
  const idHash = id == null ? undefined : (hashOfId(id) ?? '');
  if (apolloHash !== undefined && idHash !== undefined && apolloHash !== idHash)
    throw inputError('documentId', 'INVALID', 'documentId and extensions.persistedQuery differ');
  return {
    text: query || undefined,
    hash: apolloHash ?? idHash,
    isApollo: apolloHash !== undefined,
    ...(operationName ? { operationName } : {}),
    variables: variables ?? {},
  };
}

const issueCodes: Partial<Record<z.core.$ZodIssue['code'], FieldErrorCode>> = {
  too_big: 'TOO_LONG',
  invalid_format: 'INVALID_FORMAT',
  invalid_value: 'UNKNOWN_VALUE',
};

function faultOf({ path, code, message }: z.core.$ZodIssue): FieldError {
  const field = path.join('.');
  return {
    field,
    code: message === required ? 'REQUIRED' : (issueCodes[code] ?? 'WRONG_TYPE'),
    message: `${field} ${message}`,
  };
}

function readSearchParams(search: URLSearchParams): Record<string, unknown> {
  const texts = Object.fromEntries(
    ['query', 'documentId', 'operationName'].flatMap((name) =>
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
