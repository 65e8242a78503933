import { z } from 'zod';
import type { Calls, ErrorBody } from '../../src/client/documented-calls.ts';
import { committedDocument, faultsOf, resolve } from './openapi.ts';

type Answer = { status: number; body: unknown };

/**
 * The body of a successful answer of a documented call, with the type that the document gives it.
 * Throws if the document describes another body.
 */
export function answerOf<Name extends keyof Calls>(
  call: Name,
  { status, body }: Answer,
): Calls[Name]['answer'] {
  requireDocumented(call, { status, body });
  return body as Calls[Name]['answer'];
}

/** The body of an error, with the type that the document gives it. */
export function errorOf({ status, body }: Answer): ErrorBody {
  const faults = faultsOf({ $ref: '#/components/schemas/ErrorBody' }, body);
  if (status < 400 || faults.length > 0)
    throw new Error(`The answer ${status} is no error: ${JSON.stringify(body)}`);
  return body as ErrorBody;
}

function requireDocumented(call: string, { status, body }: Answer): void {
  const operationId = call.charAt(0).toUpperCase() + call.slice(1);
  const operation = Object.values(committedDocument.paths)
    .flatMap((path) => Object.values(path))
    .find((candidate) => candidate.operationId === operationId);
  const success = operation?.responses[200];
  if (!success) throw new Error(`The document has no answer of ${call}`);
  const { content } = resolve(success, committedDocument.components.responses);
  const schema = content?.['application/json']?.schema;
  const faults = status === 200 && schema ? faultsOf(schema, body) : [`the status is ${status}`];
  if (faults.length > 0)
    throw new Error(`${call}: ${faults.join('; ')}: ${JSON.stringify(body)?.slice(0, 500)}`);
}

const graphFault = z.looseObject({
  message: z.string(),
  locations: z.array(z.object({ line: z.int(), column: z.int() })).optional(),
  extensions: z
    .looseObject({
      code: z.string().optional(),
      reason: z.string().optional(),
      requestId: z.string().optional(),
      errors: z
        .array(
          z.object({
            path: z.array(z.union([z.string(), z.int()])),
            code: z.string(),
            message: z.string(),
          }),
        )
        .optional(),
    })
    .optional(),
});
const graphBody = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(graphFault).optional(),
});

export type GraphFault = z.output<typeof graphFault>;

/** The data and the errors of an answer of /graphql. */
export function graphAnswerOf({ body }: Pick<Answer, 'body'>): {
  data: Record<string, unknown> | null;
  errors: GraphFault[];
} {
  const { data, errors = [] } = graphBody.parse(body);
  return { data: data ?? null, errors };
}

/** The data of a successful GraphQL answer. Throws if it does not have this form. */
export function dataOf<Form extends z.ZodType>(
  form: Form,
  { data, errors }: { data: unknown; errors: readonly unknown[] },
): z.output<Form> {
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return form.parse(data);
}
