import { getNamedType } from 'graphql';
import {
  operationFor,
  type RootField,
  type RootInput,
  rootFields,
  sampleOf,
  usableTogether,
} from '../../support/schema-operations.ts';
import { bombs } from '../fuzz/bombs.ts';
import { type AttackRequest, jsonAttack } from './attack-request.ts';
import {
  type IdsByName,
  oversized,
  oversizedKinds,
  textShapes,
  valueKindOf,
  worstValue,
} from './expensive-values.ts';

const bodyBytes = 900_000;

type CallerHeaders = Record<string, string>;

/**
 * Every operation of the schema with the largest input in each shape and with up to twenty aliases,
 * and every input type with oversized values that it refuses.
 */
export function graphAttacks(callers: readonly CallerHeaders[], ids: IdsByName): AttackRequest[] {
  // A type refuses the same values in every field and from every caller, so each is tried once.
  const testedTypes = new Set<string>();
  return callers.flatMap((caller) => attacksOfCaller(caller, ids, testedTypes));
}

const attacksOfCaller = (
  caller: CallerHeaders,
  ids: IdsByName,
  testedTypes: Set<string>,
): AttackRequest[] => [
  ...rootFields.flatMap((root) => aliases(root, caller, ids)),
  ...rootFields.flatMap((root) => attacksOnField(root, caller, ids, testedTypes)),
  ...bombs.map(({ name, bodyFor }) => ({
    ...attackWith(`graph: ${name}`, caller, () => null),
    build: () => bombRequest(caller, bodyFor(0)),
  })),
];

function attacksOnField(
  root: RootField,
  caller: CallerHeaders,
  ids: IdsByName,
  testedTypes: Set<string>,
): AttackRequest[] {
  const usedArguments = usableTogether(root.inputs).byPage.filter(
    ({ type }) => getNamedType(type).name !== 'Upload' || String(type).endsWith('!'),
  );
  const query = operationFor({ ...root, inputs: usedArguments });
  const args = usedArguments.filter(({ type }) => getNamedType(type).name !== 'Upload');
  const valuesOf = (valueFor: (input: RootInput) => unknown) =>
    Object.fromEntries(args.map((input) => [input.name, valueFor(input)]));
  const send = (description: string, variables: () => object) =>
    attackWith(
      `${root.kind} ${root.name}: ${description}`,
      caller,
      () => ({ query, variables: variables() }),
      root.kind,
    );
  if (args.length === 0) return [send('no arguments', () => ({}))];
  const largest = textShapes.map((shape) =>
    send(shape.name, () =>
      valuesOf((input) => worstValue(input, shape, ids, bodyBytes / args.length)),
    ),
  );
  const untestedArguments = args.filter((input) => !testedTypes.has(valueKindOf(input)));
  for (const input of untestedArguments) testedTypes.add(valueKindOf(input));
  const refused = untestedArguments.flatMap((argument) =>
    oversizedKinds.map((kind) =>
      send(`${argument.name} of ${kind.name}`, () => ({
        ...valuesOf((input) => ids[input.name] ?? sampleOf(input, 'a')),
        [argument.name]: oversized(kind, bodyBytes),
      })),
    ),
  );
  return [...largest, ...refused];
}

/** Up to twenty aliases of a field with all its subfields; a document allows no more. */
function aliases(root: RootField, caller: CallerHeaders, ids: IdsByName): AttackRequest[] {
  if (root.kind !== 'query') return [];
  const variables = Object.fromEntries(
    usableTogether(root.inputs).byPage.map((input) => [
      input.name,
      input.name === 'pageSize' ? 100 : (ids[input.name] ?? sampleOf(input, 'a')),
    ]),
  );
  return [20, 5, 1].flatMap((count) =>
    [2].map((depth) => {
      const document = operationFor(root, { depth });
      const start = document.indexOf('{');
      const field = document.slice(start + 1, document.lastIndexOf('}'));
      const aliasedFields = Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(
        ' ',
      );
      return attackWith(
        `${root.kind} ${root.name}: ${count} aliases, ${depth} deep`,
        caller,
        () => ({
          query: `${document.slice(0, start)} { ${aliasedFields} }`,
          variables,
        }),
      );
    }),
  );
}

const attackWith = (
  name: string,
  caller: CallerHeaders,
  body: () => unknown,
  kind = 'query',
): AttackRequest =>
  jsonAttack(
    name,
    '/graphql',
    { ...caller, accept: kind === 'subscription' ? 'text/event-stream' : 'application/json' },
    body,
  );

const bombRequest = (caller: CallerHeaders, body: string) => ({
  method: 'POST',
  path: '/graphql',
  headers: { ...caller, 'content-type': 'application/json', accept: 'application/json' },
  body: Buffer.from(body),
});
