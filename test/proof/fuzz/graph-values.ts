import {
  type GraphQLArgument,
  type GraphQLInputField,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import { toMessageInput } from '../../../src/modules/runs/message-forms.ts';
import { parseMessages } from '../../../src/modules/runs/parse-messages.ts';
import type { JsonSchema } from '../../../src/rest/openapi/document.ts';
import { schema } from '../../../src/schema.ts';
import { fileFor, idFor, type LiveIds, unknownId } from './live-ids.ts';
import type { SeededRandom } from './seeded-random.ts';
import { hostLists, oddValues, validConversations, valuesOf } from './values.ts';

/** An enum value, which GraphQL writes without quotes. */
export class EnumLiteral {
  readonly word: string;
  constructor(word: string) {
    this.word = word;
  }
  toJSON(): string {
    return this.word;
  }
}

const knownIdArguments = new Set([
  'assistantId',
  'campaignId',
  'linkId',
  'redemptionId',
  'userId',
  'teamId',
  'endpointId',
  'deliveryId',
]);

const builtInScalars: Record<string, JsonSchema> = {
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  ID: { type: 'string' },
};

/** A valid value for an argument or input field, or the id of an existing object. */
export function argumentFor(
  random: SeededRandom,
  input: Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type' | 'extensions'>,
  ids: LiveIds,
): unknown {
  const { name, extensions } = input;
  const ruleSchema: JsonSchema | undefined = extensions.rule && { ...extensions.rule.jsonSchema };
  const type = getNullableType(input.type);
  if (isListType(type)) {
    if (name === 'messages')
      return parseMessages(random.sample(validConversations)).map(toMessageInput);
    if (name === 'allowedEmailDomains') return random.sample(hostLists);
    if (ruleSchema && getNamedType(type).name !== 'ID') return random.sample(valuesOf(ruleSchema));
    const length = name === 'redemptionIds' ? 1 + random.below(3) : random.below(3);
    return Array.from({ length }, () =>
      argumentFor(random, { name: name.replace(/s$/, ''), type: type.ofType, extensions: {} }, ids),
    );
  }
  if (isEnumType(type)) return new EnumLiteral(random.pick(type.getValues()).name);
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type) || random.percent(60))
        .map((field) => [field.name, argumentFor(random, field, ids)]),
    );
  if (type.name === 'ID') {
    if (name === 'documentId') return fileFor(random, ids).documentId;
    return knownIdArguments.has(name) ? idFor(random, name, ids) : unknownId(random);
  }
  if (name === 'url') return ids.receiverUrl;
  const values = valuesOf(ruleSchema ?? schemaOfScalar(type.name));
  // An argument of the type JSON! takes any value of JSON except null.
  return random.sample(type.name === 'JSON' ? values.filter((value) => value !== null) : values);
}

function schemaOfScalar(name: string): JsonSchema {
  const type = schema.getType(name);
  const jsonSchema = isScalarType(type) ? type.extensions.contract?.jsonSchema : undefined;
  return (jsonSchema as JsonSchema | undefined) ?? builtInScalars[name] ?? {};
}

export const oddArgument = (random: SeededRandom): unknown =>
  random.percent(20)
    ? new EnumLiteral(random.pick(['NEWEST', 'unknown', 'true', 'null', '__typename']))
    : random.pick(oddValues);

/** A value as a GraphQL literal. */
export function literal(value: unknown): string {
  if (value instanceof EnumLiteral) return value.word;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
      .map(([name, inner]) => `${name}: ${literal(inner)}`)
      .join(', ')}}`;
  return JSON.stringify(value) ?? 'null';
}
