import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import type { JsonSchema } from '../../../src/rest/openapi/document.ts';
import { schema } from '../../../src/schema.ts';
import { fileFor, type IdKind, idFor, type LiveIds, unknownId } from './live-ids.ts';
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
]);

const builtInScalars: Record<string, JsonSchema> = {
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  ID: { type: 'string' },
};

/** A valid value for an argument: one that its scalar accepts, or the id of an existing object. */
export function argumentFor(
  random: SeededRandom,
  name: string,
  type: GraphQLInputType,
  ids: LiveIds,
): unknown {
  if (isNonNullType(type)) return argumentFor(random, name, type.ofType, ids);
  if (isListType(type))
    return Array.from({ length: random.below(3) }, () =>
      argumentFor(random, name, type.ofType, ids),
    );
  if (isEnumType(type)) return new EnumLiteral(random.pick(type.getValues()).name);
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type) || random.percent(60))
        .map((field) => [field.name, argumentFor(random, field.name, field.type, ids)]),
    );
  if (!isScalarType(type)) return null;
  switch (type.name) {
    case 'ResourceId':
      if (name === 'documentId') return fileFor(random, ids).documentId;
      return knownIdArguments.has(name) ? idFor(random, name as IdKind, ids) : unknownId(random);
    case 'RedemptionIdList':
      return Array.from({ length: 1 + random.below(3) }, () => idFor(random, 'redemptionId', ids));
    case 'RunMessages':
      return random.sample(validConversations);
    case 'EmailDomainList':
      return random.sample(hostLists);
    default:
      return random.sample(valuesOf(schemaOfScalar(type.name)));
  }
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
      .filter(([name]) => /^\w+$/.test(name))
      .map(([name, inner]) => `${name}: ${literal(inner)}`)
      .join(', ')}}`;
  return JSON.stringify(value) ?? 'null';
}
