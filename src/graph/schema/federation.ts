import {
  type ConstDirectiveNode,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLScalarType,
  GraphQLSchema,
  GraphQLString,
  GraphQLUnionType,
  isInterfaceType,
  Kind,
  type ObjectTypeDefinitionNode,
  parse,
  print,
  printSchema,
  visit,
} from 'graphql';
import type { Context } from '../../access/context.ts';
import { requireScopes } from '../../access/scopes.ts';
import { inputError } from '../../platform/errors.ts';
import { readNodes, typeOfNode } from './node.ts';

/** A gateway requests the objects of several lists at once, so it may send more than `nodes`. */
const representationsMax = 1_000;

const scopes = { member: true };

/**
 * Adds what a gateway of Apollo Federation needs of a subgraph: its SDL, and objects by their
 * references. The entities are the types that implement Node, with the key `id`.
 * https://www.apollographql.com/docs/federation/subgraph-spec
 */
export function toSubgraph(schema: GraphQLSchema): GraphQLSchema {
  const { query, types, ...config } = schema.toConfig();
  if (!query) throw new Error('The schema has no queries');
  const sdl = subgraphSdl(schema);
  const any = new GraphQLScalarType({
    name: '_Any',
    description: 'A reference to an object: its type in `__typename`, and its `id`.',
  });
  const service = new GraphQLObjectType({
    name: '_Service',
    description: 'This subgraph, for the composition of a supergraph.',
    fields: {
      sdl: { type: new GraphQLNonNull(GraphQLString), description: 'The schema of the subgraph.' },
    },
  });
  const entity = new GraphQLUnionType({
    name: '_Entity',
    description: 'The objects that other subgraphs can refer to.',
    types: entitiesOf(schema),
    resolveType: (node: object) => typeOfNode(node),
  });
  const queryConfig = query.toConfig();
  const withFederation = new GraphQLObjectType<unknown, Context>({
    ...queryConfig,
    fields: {
      ...queryConfig.fields,
      _service: {
        type: new GraphQLNonNull(service),
        description: 'The schema of the subgraph, for a gateway.',
        extensions: { scopes },
        resolve: (_, __, context) => {
          requireScopes(context, scopes);
          return { sdl };
        },
      },
      _entities: {
        type: new GraphQLNonNull(new GraphQLList(entity)),
        description:
          'The objects of these references, in their order; null for each that does not exist, or that the caller may not see.',
        args: {
          representations: {
            type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(any))),
            description: `At most ${representationsMax} references.`,
          },
        },
        extensions: { scopes, cost: { listSize: { slicingArguments: ['representations'] } } },
        resolve: (_, args: EntitiesArgs, context) => {
          requireScopes(context, scopes);
          return readEntities(args.representations, context);
        },
      },
    },
  });
  return new GraphQLSchema({
    ...config,
    query: withFederation,
    types: [...types.filter((type) => type !== query), any, service, entity],
  });
}

type EntitiesArgs = { representations: readonly unknown[] };

/** Reads the objects as `nodes` does, and answers null for an object of another type. */
async function readEntities(representations: readonly unknown[], context: Context) {
  if (representations.length > representationsMax)
    throw inputError(
      'representations',
      'TOO_LONG',
      `representations must be a list of at most ${representationsMax} references, but has ${representations.length}`,
    );
  const references = representations.map(referenceIn);
  const nodes = await readNodes([...new Set(references.map(({ id }) => id))], context);
  const nodesById = new Map(nodes.map((node) => [node?.id, node]));
  return references.map(({ type, id }) => {
    const node = nodesById.get(id);
    return node && typeOfNode(node) === type ? node : null;
  });
}

function referenceIn(representation: unknown, index: number): { type: string; id: string } {
  const { __typename: type, id }: { __typename?: unknown; id?: unknown } = Object(representation);
  if (typeof type === 'string' && (typeof id === 'string' || typeof id === 'number'))
    return { type, id: String(id) };
  const field = `representations[${index}]`;
  throw inputError(field, 'INVALID', `${field} must be an object with __typename and id`);
}

function entitiesOf(schema: GraphQLSchema): readonly GraphQLObjectType[] {
  const node = schema.getType('Node');
  return isInterfaceType(node) ? schema.getPossibleTypes(node) : [];
}

/** The SDL of the schema with the directives that composition needs. */
function subgraphSdl(schema: GraphQLSchema): string {
  const entities = new Set(entitiesOf(schema).map(({ name }) => name));
  const document = visit(parse(printSchema(schema), { noLocation: true }), {
    [Kind.OBJECT_TYPE_DEFINITION]: (type) => {
      if (entities.has(type.name.value)) return withDirective(type, key);
      // Every graph with lists has this type, so others may define it, too.
      return type.name.value === 'PageInfo' ? withDirective(type, shareable) : undefined;
    },
  });
  return `${linkToFederation}\n\n${oneOfDefinition}\n\n${print(document)}\n`;
}

const linkToFederation =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.3", import: ["@key", "@shareable"])';
// GraphQL.js omits the definition, and composition does not know the directive without it.
const oneOfDefinition = 'directive @oneOf on INPUT_OBJECT';
const key = directive('@key(fields: "id")');
const shareable = directive('@shareable');

function directive(text: string): ConstDirectiveNode {
  const [type] = parse(`type T ${text}`, { noLocation: true }).definitions;
  const node = type?.kind === Kind.OBJECT_TYPE_DEFINITION ? type.directives?.[0] : undefined;
  if (!node) throw new Error(`${text} is not a directive`);
  return node;
}

const withDirective = (type: ObjectTypeDefinitionNode, added: ConstDirectiveNode) => ({
  ...type,
  directives: [...(type.directives ?? []), added],
});
