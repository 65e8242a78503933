import SchemaBuilder, {
  BasePlugin,
  type FieldRequiredness,
  type InputType,
  type PothosInputFieldConfig,
  type PothosOutputFieldConfig,
  type SchemaTypes,
} from '@pothos/core';
import type { GraphQLFieldResolver } from 'graphql';
import { type FieldError, InputError } from '../../platform/errors.ts';
import { inputFaultsOf } from '../../platform/input-fault.ts';
import { type InputRule, idRule } from './input-rules.ts';
import { presenceFault, violatesPresence } from './presence.ts';
import { sentenceOf } from './value-faults.ts';

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    rule?: InputRule;
  }
  interface GraphQLInputFieldExtensions {
    rule?: InputRule;
  }
}

declare global {
  export namespace PothosSchemaTypes {
    interface Plugins<Types extends SchemaTypes> {
      inputCheck: InputCheckPlugin<Types>;
    }

    interface InputFieldOptions<
      Types extends SchemaTypes = SchemaTypes,
      Type extends InputType<Types> | [InputType<Types>] = InputType<Types> | [InputType<Types>],
      Req extends FieldRequiredness<Type> = FieldRequiredness<Type>,
    > {
      /** What the values must be beside their type. The description and REST tell it as well. */
      rule?: InputRule;
    }
  }
}

type InputConfig<Types extends SchemaTypes> = PothosInputFieldConfig<Types>;
type CheckedInput = {
  name: string;
  presence: unknown;
  rule: InputRule | undefined;
  fields: readonly CheckedInput[];
};

/**
 * Checks the arguments of a field, and the fields of input objects in them, before it is resolved.
 * The values are those that GraphQL has accepted; the resolver gets them as the rules return them.
 */
class InputCheckPlugin<Types extends SchemaTypes> extends BasePlugin<Types> {
  override onInputFieldConfig(config: InputConfig<Types>): InputConfig<Types> {
    const rule = this.#ruleOf(config);
    if (!rule) return config;
    const bounds = rule.directive ? `Must be ${rule.expectation}.` : '';
    return {
      ...config,
      description: [config.description, bounds].filter(Boolean).join(' '),
      extensions: { ...config.extensions, rule },
    };
  }

  override wrapResolve(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    config: PothosOutputFieldConfig<Types>,
  ) {
    return this.#withCheck(resolver, config);
  }

  override wrapSubscribe(
    subscriber: GraphQLFieldResolver<unknown, Types['Context'], object> | undefined,
    config: PothosOutputFieldConfig<Types>,
  ) {
    return subscriber && this.#withCheck(subscriber, config);
  }

  #withCheck(
    resolver: GraphQLFieldResolver<unknown, Types['Context'], object>,
    { args }: PothosOutputFieldConfig<Types>,
  ): GraphQLFieldResolver<unknown, Types['Context'], object> {
    const inputs = this.#checkedIn(args);
    if (inputs.length === 0) return resolver;
    return (parent, values, context, info) => {
      const faults: FieldError[] = [];
      const accepted = accept(values, inputs, faults);
      if (faults.length > 0) throw new InputError(faults);
      return resolver(parent, accepted, context, info);
    };
  }

  #ruleOf({ pothosOptions, type }: InputConfig<Types>): InputRule | undefined {
    if (pothosOptions.rule || type.kind !== 'Scalar') return pothosOptions.rule;
    const { name } = this.builder.configStore.getTypeConfig(type.ref, 'Scalar');
    return name === 'ID' ? idRule : undefined;
  }

  #checkedIn(configs: Record<string, InputConfig<Types>>): CheckedInput[] {
    return Object.entries(configs).flatMap(([name, config]) => {
      const type = config.type.kind === 'List' ? config.type.type : config.type;
      const checked = {
        name,
        presence: config.extensions?.['presence'],
        rule: this.#ruleOf(config),
        fields:
          type.kind === 'InputObject'
            ? this.#checkedIn(this.buildCache.getInputTypeFieldConfigs(type.ref))
            : [],
      };
      return checked.presence || checked.rule || checked.fields.length > 0 ? [checked] : [];
    });
  }
}

/** The values as the rules return them: a copy only if one of them differs. */
function accept<Values extends object>(
  values: Values,
  inputs: readonly CheckedInput[],
  faults: FieldError[],
): Values {
  let copy: Values | undefined;
  for (const input of inputs) {
    const { name, presence } = input;
    const value: unknown = Reflect.get(values, name);
    if (violatesPresence(presence, value)) faults.push(presenceFault(name, presence));
    else if (value !== null && value !== undefined) {
      const accepted = acceptValue(input, value, faults);
      if (Object.is(accepted, value)) continue;
      copy ??= { ...values };
      Reflect.set(copy, name, accepted);
    }
  }
  return copy ?? values;
}

function acceptValue(input: CheckedInput, value: unknown, faults: FieldError[]): unknown {
  const { name, fields } = input;
  if (fields.length === 0) return parse(input, value, faults);
  if (!Array.isArray(value)) return acceptObject(name, value, fields, faults);
  return value.map((item: unknown, index) =>
    acceptObject(`${name}[${index}]`, item, fields, faults),
  );
}

/** The fields of the argument `input` go by their own names. */
function acceptObject(
  path: string,
  value: unknown,
  fields: readonly CheckedInput[],
  faults: FieldError[],
): unknown {
  if (path === 'input') return accept(Object(value), fields, faults);
  const ownFaults: FieldError[] = [];
  const accepted: unknown = accept(Object(value), fields, ownFaults);
  faults.push(...ownFaults.map((fault) => withPrefix(`${path}.`, fault)));
  return accepted;
}

const withPrefix = (prefix: string, { field, code, message }: FieldError): FieldError => ({
  field: prefix + field,
  code,
  message: prefix + message,
});

function parse({ name, rule }: CheckedInput, value: unknown, faults: FieldError[]): unknown {
  try {
    return rule ? rule.parse(value) : value;
  } catch (error) {
    const thrown = inputFaultsOf(error);
    if (!thrown) throw error;
    for (const { code, message, subpath } of thrown) {
      const field = name + subpath;
      faults.push({ field, code, message: sentenceOf(field, message) });
    }
    return value;
  }
}

SchemaBuilder.registerPlugin('inputCheck', InputCheckPlugin);
