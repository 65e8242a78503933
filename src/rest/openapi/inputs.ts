import { getNamedType, isNonNullType, isScalarType } from 'graphql';
import { filesPart } from '../form-with-files.ts';
import type { Variable } from '../operation.ts';
import type { Route } from '../router.ts';
import { headerVariables, placeOf } from '../variables.ts';
import type { Parameter, RequestBody, Schema } from './document.ts';
import { exampleOf, type Known } from './example.ts';
import { inputSchema, presentInputSchema } from './input-schema.ts';

export type Inputs = { parameters: Parameter[]; requestBody?: RequestBody; examples: Known };

/**
 * What a call takes, from the variables of its operation: in the path, in the query of a read, else
 * in the body.
 */
export function inputsOf(route: Route): Inputs {
  const inputs = route.operation.variables.map((variable) => {
    const { name, type, defaultValue, argument } = variable;
    const presence = argument?.extensions.presence;
    const place = placeOf({ route }, name);
    const value =
      place === 'body' && presence !== 'NEVER_NULL' ? inputSchema(type) : presentInputSchema(type);
    const schema: Schema = defaultValue === undefined ? value : { ...value, default: defaultValue };
    return {
      name,
      place,
      required: presence === 'ALWAYS_SENT' || (isNonNullType(type) && defaultValue === undefined),
      description: describe(variable),
      schema,
      example: exampleOf(schema, { name }),
    };
  });
  const parameters = inputs.flatMap(({ place, ...input }): Parameter[] =>
    place === 'body'
      ? []
      : [{ ...input, name: headerVariables[input.name] ?? input.name, in: place }],
  );
  const fields = inputs.filter(({ place }) => place === 'body');
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

type Field = {
  name: string;
  required: boolean;
  description: string;
  schema: Schema;
  example: unknown;
};

/** A file looks like nothing in JSON; in a form everything else is JSON in a field. */
function contentOf(
  { operation: { takesFile, takesFiles } }: Route,
  fields: readonly Field[],
): RequestBody['content'] {
  const form = { 'multipart/form-data': { schema: objectOf(fields) } };
  if (takesFile) return form;
  const plain = fields.filter(({ name }) => !takesFiles || name !== filesPart);
  const example = Object.fromEntries(plain.map((field) => [field.name, field.example]));
  return { 'application/json': { schema: objectOf(plain), example }, ...(takesFiles ? form : {}) };
}

const objectOf = (fields: readonly Field[]): Schema => ({
  type: 'object',
  properties: Object.fromEntries(
    fields.map(({ name, schema, description }) => [name, { ...schema, description }]),
  ),
  required: fields.filter(({ required }) => required).map(({ name }) => name),
});

/** What the argument says for which the variable stands; else what its scalar says. */
function describe({ name, type, argument }: Variable): string {
  if (argument?.description) return argument.description;
  const owner = /^(.+)Id$/.exec(name)?.[1];
  if (owner)
    return `The id of the ${owner.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`;
  const named = getNamedType(type);
  return (isScalarType(named) ? named.extensions.contract?.description : named.description) ?? '';
}
