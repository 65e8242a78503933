import { getNamedType, isNonNullType, isScalarType } from 'graphql';
import type { Variable } from '../operation.ts';
import type { Route } from '../router.ts';
import { placeOf } from '../variables.ts';
import type { Parameter, RequestBody, Schema } from './document.ts';
import { exampleOf, type Known } from './example.ts';
import { inputSchema, presentInputSchema } from './input-schema.ts';

export type Inputs = { parameters: Parameter[]; requestBody?: RequestBody; examples: Known };

/** What a call takes, from the variables of its operation: in the path, in the query of a read, else in the body. */
export function inputsOf(route: Route): Inputs {
  const inputs = route.operation.variables.map((variable) => {
    const { name, type, defaultValue, argument } = variable;
    const presence = argument?.extensions.presence;
    const place = placeOf({ route }, name);
    const value = place === 'body' && presence !== 'NEVER_NULL' ? inputSchema(type) : presentInputSchema(type);
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
  const parameters = inputs.flatMap(({ place, ...input }): Parameter[] => (place === 'body' ? [] : [{ ...input, in: place }]));
  const fields = inputs.filter(({ place }) => place === 'body');
  const examples = Object.fromEntries(inputs.map(({ name, example }) => [name, example]));
  if (fields.length === 0) return { parameters, examples };
  const required = fields.filter((field) => field.required).map(({ name }) => name);
  const schema: Schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field.name, { ...field.schema, description: field.description }])),
    required,
  };
  const example = Object.fromEntries(fields.map((field) => [field.name, field.example]));
  return { parameters, requestBody: { required: required.length > 0, content: { 'application/json': { schema, example } } }, examples };
}

/** What the argument says for which the variable stands; else what its scalar says. */
function describe({ name, type, argument }: Variable): string {
  if (argument?.description) return argument.description;
  const owner = /^(.+)Id$/.exec(name)?.[1];
  if (owner) return `The id of the ${owner.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}.`;
  const named = getNamedType(type);
  return (isScalarType(named) ? named.extensions.contract?.description : named.description) ?? '';
}
