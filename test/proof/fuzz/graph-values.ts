import {
  type GraphQLInputType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isScalarType,
} from 'graphql';
import type { Schema } from '../../../src/rest/openapi/document.ts';
import { schema } from '../../../src/schema.ts';
import type { Chance } from './chance.ts';
import { fileFor, type IdKind, idFor, type LiveIds, nobodysId } from './live-ids.ts';
import { conversations, hostLists, oddValues, valuesOf } from './values.ts';

/** A word that stands without quotes in a document. */
export class EnumWord {
  readonly word: string;
  constructor(word: string) {
    this.word = word;
  }
  toJSON(): string {
    return this.word;
  }
}

const wellKnown = new Set([
  'assistantId',
  'campaignId',
  'linkId',
  'redemptionId',
  'userId',
  'teamId',
]);

const plain: Record<string, Schema> = {
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  ID: { type: 'string' },
};

/** A value for an argument: what its scalar's contract admits, and ids of what is there. */
export function argumentFor(
  chance: Chance,
  name: string,
  type: GraphQLInputType,
  ids: LiveIds,
): unknown {
  if (isNonNullType(type)) return argumentFor(chance, name, type.ofType, ids);
  if (isListType(type))
    return Array.from({ length: chance.below(3) }, () =>
      argumentFor(chance, name, type.ofType, ids),
    );
  if (isEnumType(type)) return new EnumWord(chance.pick(type.getValues()).name);
  if (isInputObjectType(type))
    return Object.fromEntries(
      Object.values(type.getFields())
        .filter((field) => isNonNullType(field.type) || chance.percent(60))
        .map((field) => [field.name, argumentFor(chance, field.name, field.type, ids)]),
    );
  if (!isScalarType(type)) return null;
  switch (type.name) {
    case 'ResourceId':
      if (name === 'documentId') return fileFor(chance, ids).documentId;
      return wellKnown.has(name) ? idFor(chance, name as IdKind, ids) : nobodysId(chance);
    case 'RedemptionIdList':
      return Array.from({ length: 1 + chance.below(3) }, () => idFor(chance, 'redemptionId', ids));
    case 'RunMessages':
      return chance.of(conversations);
    case 'EmailDomainList':
      return chance.of(hostLists);
    default:
      return chance.of(valuesOf(contractOf(type.name)));
  }
}

function contractOf(name: string): Schema {
  const type = schema.getType(name);
  const contract = isScalarType(type) ? type.extensions.contract?.jsonSchema : undefined;
  return (contract as Schema | undefined) ?? plain[name] ?? {};
}

export const oddArgument = (chance: Chance): unknown =>
  chance.percent(20)
    ? new EnumWord(chance.pick(['NEWEST', 'unknown', 'true', 'null', '__typename']))
    : chance.pick(oddValues);

/** A value as a document writes it. */
export function literal(value: unknown): string {
  if (value instanceof EnumWord) return value.word;
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([name]) => /^\w+$/.test(name))
      .map(([name, inner]) => `${name}: ${literal(inner)}`)
      .join(', ')}}`;
  return JSON.stringify(value) ?? 'null';
}
