import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type PothosOutputFieldType,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';

/**
 * How much a field adds to the cost of a document, by the GraphQL cost directives of IBM. The
 * printed schema has the same values as `@cost` and `@listSize`.
 */
export type FieldCost = {
  /** What the field itself adds; by default 1. */
  weight?: number;
  listSize?: ListSize | typeof sizedByParent;
};

/** The length of a list, by which the cost of its entries is multiplied. */
export type ListSize = {
  /** The length if no slicing argument is sent. */
  assumedSize?: number;
  /**
   * The arguments with the length: a number, or a list that counts by its own length. The largest
   * counts. `input.users` is the field `users` of the argument `input`.
   */
  slicingArguments?: readonly string[];
  /** The lists that have this length, if they are fields of the object that this field returns. */
  sizedFields?: readonly string[];
};

/** The list has the size that the field has declared from which its object comes. */
export const sizedByParent = 'sizedByParent';

/** A list that declares no size counts as this many entries. */
const defaultListSize = 10;

declare module 'graphql' {
  // biome-ignore lint/suspicious/noExplicitAny: the extended declaration has the same default
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs = any> {
    cost?: FieldCost;
  }
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      fieldCost: FieldCostPlugin<Types>;
    }

    interface FieldOptions<
      Types extends SchemaTypes,
      ParentShape,
      Type extends TypeParam<Types>,
      Nullable extends FieldNullability<Type>,
      Args extends InputFieldMap,
      ResolveShape,
      ResolveReturnShape,
    > {
      /** What the field adds to the cost of a document, unless it is 1 and a list has 10 entries. */
      cost?: FieldCost;
    }
  }
}

class FieldCostPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(
    fieldConfig: PothosOutputFieldConfig<Types>,
  ): PothosOutputFieldConfig<Types> {
    const { pothosOptions, type, extensions } = fieldConfig;
    const declared = pothosOptions.cost;
    const cost: FieldCost | undefined =
      declared?.listSize === undefined && isListOfObjects(type)
        ? { ...declared, listSize: { assumedSize: defaultListSize } }
        : declared;
    return cost ? { ...fieldConfig, extensions: { ...extensions, cost } } : fieldConfig;
  }
}

/** The entries of a list of scalars select nothing, so its size adds no cost. */
const isListOfObjects = <Types extends SchemaTypes>(type: PothosOutputFieldType<Types>): boolean =>
  type.kind === 'List' &&
  (isListOfObjects(type.type) || ['Object', 'Interface', 'Union'].includes(type.type.kind));

SchemaBuilder.registerPlugin('fieldCost', FieldCostPlugin);
