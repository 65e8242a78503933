import SchemaBuilder, {
  BasePlugin,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { type FieldError, InputError } from '../../platform/errors.ts';

/**
 * Rules for an argument, or for a field of the argument `input`, that GraphQL types cannot express:
 * NEVER_NULL may be omitted but must not be null, ALWAYS_SENT may be null but must not be omitted.
 * GraphQL, REST and OpenAPI read the rule from the extensions of the argument or field.
 */
export type ArgumentPresence = 'NEVER_NULL' | 'ALWAYS_SENT';

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    presence?: ArgumentPresence;
  }
  interface GraphQLInputFieldExtensions {
    presence?: ArgumentPresence;
  }
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      presence: PresencePlugin<Types>;
    }
  }
}

const presenceOptions = <Kind extends ArgumentPresence>(presence: Kind) => ({
  required: false as const,
  extensions: { presence },
});

/** Argument options to spread: an omitted value leaves the field unchanged, and null is invalid. */
export const neverNull = presenceOptions('NEVER_NULL');

/** Argument options to spread: null has a meaning, and the argument must be sent. */
export const alwaysSent = presenceOptions('ALWAYS_SENT');

/** Whether a value violates the rule: null, or undefined if it was omitted. */
export const violatesPresence = (presence: unknown, value: unknown): boolean =>
  (presence === 'NEVER_NULL' && value === null) ||
  (presence === 'ALWAYS_SENT' && value === undefined);

const presenceFault = (field: string, presence: unknown): FieldError =>
  presence === 'NEVER_NULL'
    ? { field, code: 'NOT_NULLABLE', message: `${field} must not be null` }
    : { field, code: 'REQUIRED', message: `${field} is required` };

type CheckedValue = { name: string; presence: unknown };

class PresencePlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { args }: PothosOutputFieldConfig<Types>,
  ) {
    const checkedArguments = checkedIn(args);
    const input = args['input'];
    const checkedFields =
      input?.type.kind === 'InputObject'
        ? checkedIn(this.buildCache.getInputTypeFieldConfigs(input.type.ref))
        : [];
    if (checkedArguments.length === 0 && checkedFields.length === 0) return resolver;
    const checkedResolver: typeof resolver = (parent, argumentValues, context, info) => {
      const faults = [
        ...faultsIn(argumentValues, checkedArguments),
        ...faultsIn(Object(Reflect.get(argumentValues, 'input')), checkedFields),
      ];
      if (faults.length > 0) throw new InputError(faults);
      return resolver(parent, argumentValues, context, info);
    };
    return checkedResolver;
  }
}

const checkedIn = <Types extends SchemaTypes>(
  configs: Record<string, PothosInputFieldConfig<Types>>,
): CheckedValue[] =>
  Object.entries(configs).flatMap(([name, { extensions }]) =>
    extensions?.['presence'] ? [{ name, presence: extensions['presence'] }] : [],
  );

const faultsIn = (values: object, checked: readonly CheckedValue[]): FieldError[] =>
  checked
    .filter(({ name, presence }) => violatesPresence(presence, Reflect.get(values, name)))
    .map(({ name, presence }) => presenceFault(name, presence));

SchemaBuilder.registerPlugin('presence', PresencePlugin);
