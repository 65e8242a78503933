import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type PothosOutputFieldType,
  type SchemaTypes,
} from '@pothos/core';
import {
  type GraphQLField,
  GraphQLNonNull,
  type GraphQLOutputType,
  getNullableType,
} from 'graphql';

declare module 'graphql' {
  // biome-ignore lint/suspicious/noExplicitAny: the extended declaration has the same default
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs = any> {
    /** The field is null only together with an error: its resolver always returns a value. */
    nullOnlyOnError?: true;
  }
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      nullOnError: NullOnErrorPlugin<Types>;
    }
  }
}

const rootTypes: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

/** The names of the types of which each field can fail alone. `mutation.ts` adds the payloads. */
export const payloadTypes = new Set<string>();

/** The type that a field has in an answer without errors. */
export function typeWithoutErrors({
  type,
  extensions,
}: Pick<GraphQLField<unknown, unknown>, 'type' | 'extensions'>): GraphQLOutputType {
  return extensions.nullOnlyOnError ? new GraphQLNonNull(getNullableType(type)) : type;
}

/**
 * Makes root fields and the objects of payloads nullable. If such a field were never null, its
 * error would make the whole answer null, and hide the writes that other fields have completed.
 */
class NullOnErrorPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(
    fieldConfig: PothosOutputFieldConfig<Types>,
  ): PothosOutputFieldConfig<Types> {
    const { parentType, type, extensions } = fieldConfig;
    const canFailAlone =
      rootTypes.has(parentType) || (payloadTypes.has(parentType) && !isLeaf(type));
    if (!canFailAlone || type.nullable) return fieldConfig;
    return {
      ...fieldConfig,
      type: { ...type, nullable: true },
      extensions: { ...extensions, nullOnlyOnError: true },
    };
  }
}

/** The values of a payload itself are known when the mutation has succeeded. */
const isLeaf = <Types extends SchemaTypes>(type: PothosOutputFieldType<Types>): boolean =>
  type.kind === 'List' ? isLeaf(type.type) : type.kind === 'Scalar' || type.kind === 'Enum';

SchemaBuilder.registerPlugin('nullOnError', NullOnErrorPlugin);
