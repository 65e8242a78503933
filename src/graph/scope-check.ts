import SchemaBuilder, {
  BasePlugin,
  type FieldNullability,
  type InputFieldMap,
  type PothosOutputFieldConfig,
  type SchemaTypes,
  type TypeParam,
} from '@pothos/core';
import type { GraphQLField, GraphQLFieldResolver } from 'graphql';
import type { Context } from './context.ts';
import { requireScopes, type ScopeMap } from './scopes.ts';

declare module 'graphql' {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that this one extends says so
  interface GraphQLFieldExtensions<_TSource, _TContext, _TArgs = any> {
    /** What the field requires of its viewer; absent where it requires nothing. */
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
      /** What the field requires of its viewer, as data. It is checked before the field runs. */
      authScopes?: ScopeMap;
    }
  }
}

/** What a field requires of its viewer. */
export const scopesOfField = (
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'>,
): ScopeMap => field.extensions.scopes ?? {};

type Resolver<Types extends SchemaTypes> = GraphQLFieldResolver<unknown, Types['Context'], object>;

/** Their fields are what a client can begin with, so each says who may: {} is everybody. */
const rootTypes: ReadonlySet<string> = new Set(['Query', 'Mutation', 'Subscription']);

/**
 * Checks the scopes of a field synchronously, before anything of the field runs. Scopes are data,
 * so that REST can check them before it reads a body.
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

  override wrapResolve(resolver: Resolver<Types>, fieldConfig: PothosOutputFieldConfig<Types>) {
    return checked(resolver, fieldConfig);
  }

  override wrapSubscribe(
    subscriber: Resolver<Types> | undefined,
    fieldConfig: PothosOutputFieldConfig<Types>,
  ) {
    return subscriber && checked(subscriber, fieldConfig);
  }
}

function checked<Types extends SchemaTypes>(
  resolver: Resolver<Types>,
  { extensions }: PothosOutputFieldConfig<Types>,
): Resolver<Types> {
  const scopes: ScopeMap | undefined = extensions?.['scopes'] as ScopeMap | undefined;
  if (!scopes) return resolver;
  return (parent, args, context, info) => {
    requireScopes(context as Context, scopes);
    return resolver(parent, args, context, info);
  };
}

SchemaBuilder.registerPlugin('scopes', ScopePlugin);
