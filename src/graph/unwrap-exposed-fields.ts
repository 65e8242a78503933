import { type GraphQLSchema, isObjectType } from 'graphql';

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
