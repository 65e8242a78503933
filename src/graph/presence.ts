import SchemaBuilder, {
  BasePlugin,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { type FieldError, InputError } from '../platform/errors.ts';

/**
 * What GraphQL's types cannot say of an argument: NEVER_NULL may be left out but is not null,
 * ALWAYS_SENT may be null but is not left out. Both doors and OpenAPI read it from the argument's
 * extensions.
 */
export type Presence = 'NEVER_NULL' | 'ALWAYS_SENT';

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    presence?: Presence;
  }
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      presence: PresencePlugin<Types>;
    }
  }
}

const options = <Kind extends Presence>(presence: Kind) => ({
  required: false as const,
  extensions: { presence },
});

/**
 * Options of an argument, to be spread: absent leaves something as it is, and null would mean
 * nothing.
 */
export const neverNull = options('NEVER_NULL');

/** Options of an argument, to be spread: null has a meaning, and absent has none. */
export const alwaysSent = options('ALWAYS_SENT');

/** Whether the argument may not be as it is: null, or undefined where it was left out. */
export const isMisplaced = (presence: unknown, value: unknown): boolean =>
  (presence === 'NEVER_NULL' && value === null) ||
  (presence === 'ALWAYS_SENT' && value === undefined);

const presenceFault = (field: string, presence: unknown): FieldError =>
  presence === 'NEVER_NULL'
    ? { field, code: 'NOT_NULLABLE', message: `${field} must not be null` }
    : { field, code: 'REQUIRED', message: `${field} is required` };

class PresencePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { args }: PothosOutputFieldConfig<Types>,
  ) {
    const watched = Object.entries(args).flatMap(([name, { extensions }]) =>
      extensions?.['presence'] ? [{ name, presence: extensions['presence'] }] : [],
    );
    if (watched.length === 0) return resolver;
    const guarded: typeof resolver = (parent, given, context, info) => {
      const values = new Map<string, unknown>(Object.entries(given));
      const faults = watched.filter(({ name, presence }) =>
        isMisplaced(presence, values.get(name)),
      );
      if (faults.length > 0)
        throw new InputError(faults.map(({ name, presence }) => presenceFault(name, presence)));
      return resolver(parent, given, context, info);
    };
    return guarded;
  }
}

SchemaBuilder.registerPlugin('presence', PresencePlugin);
