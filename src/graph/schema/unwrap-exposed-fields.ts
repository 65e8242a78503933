import { type GraphQLSchema, isObjectType } from 'graphql';

/**
 * Removes the resolvers that only read a property, which Pothos adds to exposed fields. Compiled
 * code reads the property faster.
 */
export function unwrapExposedFields(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    // Types of Prisma models keep their resolvers: they load what the parent's query did not
    // select.
    if (!isObjectType(type) || type.name.startsWith('__') || 'pothosPrismaModel' in type.extensions)
      continue;
    for (const field of Object.values(type.getFields())) {
      if (field.extensions['pothosExposedField'] === field.name && !field.extensions.scopes)
        delete field.resolve;
    }
  }
  return schema;
}
