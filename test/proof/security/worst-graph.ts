import { type GraphQLInputType, getNamedType } from 'graphql';
import { operationFor, type RootField, rootFields, sampleOf } from '../../support/whole-schema.ts';
import { bombs } from '../fuzz/bombs.ts';
import { type Attack, jsonAttack } from './attack.ts';
import { type Ids, oversized, oversizedKinds, shapes, worstValue } from './worst-values.ts';

const bodyBytes = 900_000;

type Viewer = Record<string, string>;

/**
 * Each operation that the schema has, with the largest input in each shape, and twenty times over;
 * and each type with input that it does not admit.
 */
export function graphAttacks(viewers: readonly Viewer[], ids: Ids): Attack[] {
  // A type refuses the same values wherever it stands and whoever sends them.
  const refusing = new Set<string>();
  return viewers.flatMap((viewer) => attacksBy(viewer, ids, refusing));
}

const attacksBy = (viewer: Viewer, ids: Ids, refusing: Set<string>): Attack[] => [
  ...rootFields.flatMap((root) => aliases(root, viewer, ids)),
  ...rootFields.flatMap((root) => attacksOn(root, viewer, ids, refusing)),
  ...bombs.map(({ name, bodyFor }) => ({
    ...attackWith(`graph: ${name}`, viewer, () => null),
    ask: () => bombAsk(viewer, bodyFor(0)),
  })),
];

function attacksOn(root: RootField, viewer: Viewer, ids: Ids, refusing: Set<string>): Attack[] {
  const given = root.field.args.filter(
    ({ type }) => getNamedType(type).name !== 'Upload' || String(type).endsWith('!'),
  );
  const query = operationFor({ ...root, field: { ...root.field, args: given } });
  const args = given.filter(({ type }) => getNamedType(type).name !== 'Upload');
  const valuesOf = (valueFor: (name: string, type: GraphQLInputType) => unknown) =>
    Object.fromEntries(args.map(({ name, type }) => [name, valueFor(name, type)]));
  const send = (what: string, variables: () => object) =>
    attackWith(
      `${root.kind} ${root.name}: ${what}`,
      viewer,
      () => ({ query, variables: variables() }),
      root.kind,
    );
  if (args.length === 0) return [send('as it is', () => ({}))];
  const largest = shapes.map((shape) =>
    send(shape.name, () =>
      valuesOf((name, type) => worstValue(name, type, shape, ids, bodyBytes / args.length)),
    ),
  );
  const fresh = args.filter(({ type }) => !refusing.has(String(type)));
  for (const { type } of fresh) refusing.add(String(type));
  const refused = fresh.flatMap((argument) =>
    oversizedKinds.map((kind) =>
      send(`${argument.name} of ${kind.name}`, () => ({
        ...valuesOf((name, type) => ids[name] ?? sampleOf(type, 'a')),
        [argument.name]: oversized(kind, bodyBytes),
      })),
    ),
  );
  return [...largest, ...refused];
}

/** As many aliases as a document may have, with all that the field can answer. */
function aliases(root: RootField, viewer: Viewer, ids: Ids): Attack[] {
  if (root.kind !== 'query') return [];
  const variables = Object.fromEntries(
    root.field.args.map(({ name, type }) => [
      name,
      name === 'pageSize' ? 100 : (ids[name] ?? sampleOf(type, 'a')),
    ]),
  );
  return [20, 5, 1].flatMap((count) =>
    [2].map((depth) => {
      const one = operationFor(root, { depth });
      const start = one.indexOf('{');
      const field = one.slice(start + 1, one.lastIndexOf('}'));
      const all = Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');
      return attackWith(
        `${root.kind} ${root.name}: ${count} aliases, ${depth} deep`,
        viewer,
        () => ({
          query: `${one.slice(0, start)} { ${all} }`,
          variables,
        }),
      );
    }),
  );
}

const attackWith = (name: string, viewer: Viewer, body: () => unknown, kind = 'query'): Attack =>
  jsonAttack(
    name,
    '/graphql',
    { ...viewer, accept: kind === 'subscription' ? 'text/event-stream' : 'application/json' },
    body,
  );

const bombAsk = (viewer: Viewer, body: string) => ({
  method: 'POST',
  path: '/graphql',
  headers: { ...viewer, 'content-type': 'application/json', accept: 'application/json' },
  body: Buffer.from(body),
});
