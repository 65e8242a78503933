import { getNamedType, isNonNullType, isScalarType } from 'graphql';
import { toRest } from '../enum-names.ts';
import { filesPartName } from '../form-with-files.ts';
import type { Route } from '../load-routes.ts';
import type { OperationVariable } from '../operation.ts';
import { formatNames } from '../row-export.ts';
import { headerVariables, locationOf } from '../variables.ts';
import type { JsonSchema, OpenApiParameter, OpenApiRequestBody } from './document.ts';
import { type ExampleValues, exampleOf } from './example.ts';
import { inputSchema, presentInputSchema } from './input-schema.ts';
import { recordedCall } from './recorded-examples.ts';

export type DocumentedInputs = {
  parameters: OpenApiParameter[];
  requestBody?: OpenApiRequestBody;
  examples: ExampleValues;
};

/**
 * The inputs of a call, computed from the variables of its operation: parameters of the path, the
 * query and the headers, and the fields of the body.
 */
export function inputsOf(route: Route): DocumentedInputs {
  const recorded = recordedCall(route)?.variables;
  const isSent = (name: string) => recorded === undefined || Object.hasOwn(recorded, name);
  const inputs = route.operation.variables.map((variable) => {
    const { name, type, defaultValue, argument } = variable;
    const { presence, rule, restForm } = argument?.extensions ?? {};
    const location = locationOf({ route }, name);
    const value: JsonSchema =
      restForm?.jsonSchema ??
      (location === 'body' && presence !== 'NEVER_NULL'
        ? inputSchema(type, rule)
        : presentInputSchema(type, rule));
    const itemsMax = argument?.extensions.itemsMax;
    const schema: JsonSchema = {
      ...value,
      ...(itemsMax === undefined ? {} : { minItems: 1, maxItems: itemsMax }),
      ...(defaultValue === undefined ? {} : { default: toRest(type, defaultValue) }),
    };
    return {
      name,
      location,
      required: presence === 'ALWAYS_SENT' || (isNonNullType(type) && defaultValue === undefined),
      description: descriptionOf(variable),
      schema,
      example: recorded && isSent(name) ? recorded[name] : exampleOf(schema, { name }),
      isInExample: isSent(name),
    };
  });
  const parameters = [
    ...inputs.flatMap(({ location, isInExample: _, ...input }): OpenApiParameter[] =>
      location === 'body'
        ? []
        : [{ ...input, name: headerVariables[input.name] ?? input.name, in: location }],
    ),
    ...(route.rowExport ? [formatParameter] : []),
  ];
  const fields = inputs.filter(({ location }) => location === 'body');
  const examples = Object.fromEntries(inputs.map(({ name, example }) => [name, example]));
  if (fields.length === 0) return { parameters, examples };
  return {
    parameters,
    requestBody: {
      required: fields.some((field) => field.required),
      content: contentOf(route, fields),
    },
    examples,
  };
}

const formatParameter: OpenApiParameter = {
  name: 'format',
  in: 'query',
  required: false,
  description:
    'csv and ndjson stream the whole list instead of a page; they take no page, pageSize, after, before and updatedSince. Without the parameter, Accept decides.',
  schema: { type: 'string', enum: formatNames, default: 'json' },
  example: 'json',
};

type BodyField = {
  name: string;
  required: boolean;
  description: string;
  schema: JsonSchema;
  example: unknown;
  /** Whether the example of the request has the field. */
  isInExample: boolean;
};

/**
 * JSON cannot contain a file, so the JSON body leaves files out. In a form every other field is
 * JSON.
 */
function contentOf(
  { operation: { name: operation, takesFile, takesFiles } }: Route,
  fields: readonly BodyField[],
): OpenApiRequestBody['content'] {
  const form = { 'multipart/form-data': { schema: objectOf(`${operation}Form`, fields) } };
  if (takesFile) return form;
  const plain = fields.filter(({ name }) => !takesFiles || name !== filesPartName);
  const example = Object.fromEntries(
    plain.flatMap(({ name, example: value, isInExample }) => (isInExample ? [[name, value]] : [])),
  );
  const schema = objectOf(`${operation}Request`, plain);
  return { 'application/json': { schema, example }, ...(takesFiles ? form : {}) };
}

const objectOf = (title: string, fields: readonly BodyField[]): JsonSchema => ({
  title,
  type: 'object',
  properties: Object.fromEntries(
    fields.map(({ name, schema, description }) => [name, { ...schema, description }]),
  ),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
});

/** The description of the argument for which the variable stands, or else of its type. */
function descriptionOf({ name, type, argument }: OperationVariable): string {
  if (argument?.description) return argument.description;
  const owner = /^(.+)Id$/.exec(name)?.[1];
  if (owner)
    return `The id of the ${owner.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`;
  const named = getNamedType(type);
  return (isScalarType(named) ? named.extensions.contract?.description : named.description) ?? '';
}
