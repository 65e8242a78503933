import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLField, GraphQLFieldResolver } from 'graphql';
import type { Context } from '../../access/context.ts';
import type { ScopeMap } from '../../access/scope-map.ts';
import { requireScopes } from '../../access/scopes.ts';

declare module 'graphql' {
  // biome-ignore lint/suspicious/noExplicitAny: the extended declaration has the same default
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs = any> {
    /** The scopes that the field requires; absent if it requires none. */
    scopes?: ScopeMap;
  }
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      scopes: ScopePlugin<Types>;
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
      /** The required scopes as data. They are checked before the field is resolved. */
      authScopes?: ScopeMap;
    }
  }
}

/** The scopes that a field requires. */
export const scopesOfField = (
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
): ScopeMap => field.extensions.scopes ?? {};

type ScopedResolver<Types extends SchemaTypes> = GraphQLFieldResolver<
  unknown,
  Types['Context'],
  object
>;

/** Every root field must declare its scopes; `{}` means that everybody may use it. */
const rootTypes: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

/**
 * Checks the scopes of a field synchronously, before it is resolved. Scopes are data, so that REST
 * can check them before it reads a body.
 */
class ScopePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onOutputFieldConfig(
    fieldConfig: PothosOutputFieldConfig<Types>,
  ): PothosOutputFieldConfig<Types> {
    const scopes = fieldConfig.pothosOptions.authScopes;
    if (!scopes && rootTypes.has(fieldConfig.parentType))
      throw new Error(`${fieldConfig.parentType}.${fieldConfig.name} must declare its authScopes`);
    if (!scopes || Object.keys(scopes).length === 0) return fieldConfig;
    return { ...fieldConfig, extensions: { ...fieldConfig.extensions, scopes } };
  }

  override wrapResolve(
    resolver: ScopedResolver<Types>,
    fieldConfig: PothosOutputFieldConfig<Types>,
  ) {
    return withScopeCheck(resolver, fieldConfig);
  }

  override wrapSubscribe(
    subscriber: ScopedResolver<Types> | undefined,
    fieldConfig: PothosOutputFieldConfig<Types>,
  ) {
    return subscriber && withScopeCheck(subscriber, fieldConfig);
  }
}

function withScopeCheck<Types extends SchemaTypes>(
  resolver: ScopedResolver<Types>,
  { extensions }: PothosOutputFieldConfig<Types>,
): ScopedResolver<Types> {
  const scopes: ScopeMap | undefined = extensions?.['scopes'] as ScopeMap | undefined;
  if (!scopes) return resolver;
  return (parent, args, context, info) => {
    requireScopes(context as Context, scopes);
    return resolver(parent, args, context, info);
  };
}

SchemaBuilder.registerPlugin('scopes', ScopePlugin);
