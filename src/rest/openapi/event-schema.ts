import { isDeepStrictEqual } from 'node:util';
import { type GraphQLSchema, isObjectType, Kind } from 'graphql';
import { memberNameOf } from '../enum-names.ts';
import type { LoadedSubscription } from '../subscription.ts';
import type { JsonSchema } from './document.ts';
import { responseSchema } from './response-schema.ts';
import { selectedFields } from './selected-fields.ts';
import type { NamedOperation, SelectionNames } from './selection-names.ts';

/** The types of the events that a subscription sends, with their selected fields. */
export function eventTypes(
  schema: GraphQLSchema,
  { definition }: LoadedSubscription,
): NamedOperation[] {
  const [root] = definition.selectionSet.selections;
  const selections = root?.kind === Kind.FIELD ? (root.selectionSet?.selections ?? []) : [];
  return selections.flatMap((node) => {
    if (node.kind !== Kind.INLINE_FRAGMENT) return [];
    const type = schema.getType(node.typeCondition?.name.value ?? '');
    if (!isObjectType(type)) throw new Error('Each event of a stream must be an object type');
    return [{ name: type.name, roots: selectedFields(type, node.selectionSet) }];
  });
}

type EventSources = {
  /** The name of the call. */
  name: string;
  events: readonly NamedOperation[];
  /** The schema of the JSON answer, which the last event repeats. */
  body: JsonSchema;
  nameOf: SelectionNames;
};

/** The union of the server-sent events of a call: the name of each event and its data. */
export function eventSchema({ name, events, body, nameOf }: EventSources): JsonSchema {
  const schemas = events.map((event) => {
    const roots = event.roots.filter((field) => field.name !== 'sequence');
    const isNumbered = roots.length < event.roots.length;
    const dataTitle = `${isNumbered ? 'Numbered' : ''}${event.name}Data`;
    const data = responseSchema({}, { name: `${event.name}Data`, roots }, nameOf);
    const schema = eventOf(
      event.name,
      isSameBody(data, body) ? body : { ...data, title: dataTitle },
    );
    return isNumbered ? numbered(schema) : schema;
  });
  const all = [...schemas, eventOf('ErrorEvent', { $ref: '#/components/schemas/ErrorBody' })];
  return {
    title: `${name}Event`,
    oneOf: all,
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(
        all.map(({ title = '' }) => [
          memberNameOf(title.replace(/^Numbered/, '')),
          `#/components/schemas/${title}`,
        ]),
      ),
    },
  };
}

const eventOf = (type: string, data: JsonSchema): JsonSchema => ({
  title: type,
  type: 'object',
  properties: { event: { type: 'string', const: memberNameOf(type) }, data },
  required: ['event', 'data'],
});

/** The event of a stream that a reader can come back to. */
const numbered = ({ title, properties, required = [], ...schema }: JsonSchema): JsonSchema => ({
  ...schema,
  title: `Numbered${title}`,
  properties: {
    id: { type: 'string', description: 'The number of the event, for Last-Event-ID.' },
    ...properties,
  },
  required: ['id', ...required],
});

const isSameBody = ({ title: _, ...a }: JsonSchema, { title: __, ...b }: JsonSchema) =>
  isDeepStrictEqual(a, b);
