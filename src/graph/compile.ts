import {
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  isObjectType,
  validate,
} from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import type { Context } from './context.ts';

export type CompiledOperation = (
  context: Context,
  variables: Record<string, unknown>,
) => ExecutionResult | Promise<ExecutionResult>;

/**
 * Resolvers return what the schema says, which TypeScript checks, and the values of an enum are
 * called what they are: texts, numbers and enums need no look at each of them. Scalars of our own
 * are written by their own code all the same.
 */
export const compilerOptions = { disableLeafSerialization: true } as const;

/**
 * Validates and compiles a fixed operation once. A document that does not fit the schema stops the
 * start.
 */
export function compileOperation(
  schema: GraphQLSchema,
  document: DocumentNode,
  name: string,
): CompiledOperation {
  const faults = validate(schema, document);
  const fault = faults[0];
  if (fault) throw new Error(`The operation ${name} does not fit the schema: ${fault.message}`);
  const compiled = compileQuery(schema, document, name, compilerOptions);
  if (!isCompiledQuery(compiled))
    throw new Error(
      `The operation ${name} could not be compiled: ${compiled.errors?.[0]?.message}`,
    );
  return (context, variables) => compiled.query(undefined, context, variables);
}

/**
 * Pothos gives each exposed field a resolver that only reads a property. Compiled code reads it
 * faster without.
 */
export function unwrapExposedFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    // A type over a Prisma model keeps its resolvers: they load what the parent's query left out.
    if (!isObjectType(type) || type.name.startsWith('__') || 'pothosPrismaModel' in type.extensions)
      continue;
    for (const field of Object.values(type.getFields())) {
      if (field.extensions['pothosExposedField'] === field.name && !field.extensions.scopes)
        delete field.resolve;
    }
  }
  return schema;
}
