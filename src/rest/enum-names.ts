import { type GraphQLEnumType, type GraphQLInputType, getNamedType, isEnumType } from 'graphql';

/** The enums whose values REST writes in lower case, as its contract does. */
const inLowerCase: ReadonlySet<string> = new Set([
  'CampaignStatus',
  'ConversationFormat',
  'ConversationRole',
  'FileDerivation',
  'ItemErrorStatus',
  'MessageScope',
  'RunMessageRole',
  'SponsorshipStatementLanguage',
  'ToolOutputType',
]);

/** `REDEMPTION_ENDING_SOON` becomes `redemption.ending_soon`. */
const afterResource: ReadonlySet<string> = new Set(['EventType']);

export const isRenamed = ({ name }: GraphQLEnumType): boolean =>
  inLowerCase.has(name) || afterResource.has(name);

/** `ERROR_TEXT` becomes `error-text`. */
export function restNameOf(type: GraphQLEnumType, name: string): string {
  if (afterResource.has(type.name)) return name.toLowerCase().replace('_', '.');
  return isRenamed(type) ? name.toLowerCase().replaceAll('_', '-') : name;
}

/** The name of a member of a union: `ToolCallEvent` and `ToolCallPart` become `tool-call`. */
export const memberNameOf = (typeName: string): string =>
  typeName
    .replace(/(Event|Part)$/, '')
    .replaceAll(/(?<=.)[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase();

/** The names of the values of an enum in REST. */
export const restNamesOf = (type: GraphQLEnumType): string[] =>
  type.getValues().map(({ name }) => restNameOf(type, name));

/** A value of the graph as REST writes it. */
export function toRest(type: GraphQLInputType, value: unknown): unknown {
  const named = getNamedType(type);
  return isEnumType(named) && typeof value === 'string' ? restNameOf(named, value) : value;
}

/** The values of the graph by their names in REST; undefined if the names are the same. */
export function renamedValues(type: GraphQLInputType): ReadonlyMap<string, string> | undefined {
  const named = getNamedType(type);
  if (!isEnumType(named) || !isRenamed(named)) return undefined;
  return new Map(named.getValues().map(({ name }) => [restNameOf(named, name), name]));
}
