import {
  type ExecutionResult,
  execute,
  GraphQLList,
  GraphQLObjectType,
  GraphQLSchema,
  isEnumType,
  isLeafType,
  isRequiredArgument,
  isSpecifiedScalarType,
  parse,
} from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Context, Viewer } from '../../src/access/context.ts';
import { createExecutor } from '../../src/graph/execute/execute.ts';
import { Download } from '../../src/graph/schema/download.ts';
import { seed } from '../../src/modules/demo/seed.ts';
import { features } from '../../src/modules/organizations/features.ts';
import { schema } from '../../src/schema.ts';
import { type TestApp, testApp } from '../support/app.ts';
import { operationFor, rootFields, sampleOf } from '../support/schema-operations.ts';

const leafTypes = Object.values(schema.getTypeMap())
  .filter(isLeafType)
  .filter(({ name }) => !name.startsWith('__'));

const download = new Download({
  address: '/files/a/b',
  name: 'a.txt',
  mimeType: 'text/plain',
  bytes: 1,
  tag: '"a"',
  open: () => Promise.reject(new Error('not opened')),
});
const texts = [['Ada 😀', 'Ada 😀']];
const wholeNumbers = [[3, 3]];
const amounts = [
  [3, 3],
  [0.1, 0.1],
];

/** Values as resolvers return them, each with its JSON. */
const scalarSamples: Record<string, unknown[][]> = {
  String: [...texts, ['', '']],
  ID: [['0198', '0198']],
  Int: [[-1, -1], ...wholeNumbers],
  Float: amounts,
  Boolean: [
    [true, true],
    [false, false],
  ],
  Date: [['2026-01-01', '2026-01-01']],
  DateTime: [
    [new Date(0), '1970-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
  ],
  JSON: [
    [{ a: [1, null] }, { a: [1, null] }],
    ['text', 'text'],
  ],
  PasskeyCreationOptions: [[{ rp: { id: 'a' } }, { rp: { id: 'a' } }]],
  Download: [[download, '/files/a/b']],
  SafeInt: [[9_007_199_254_740_991, 9_007_199_254_740_991], ...wholeNumbers],
  Decimal: amounts,
};

/** Scalars that only arguments have. If a field has one, its values stay what they are. */
const argumentSamples: Record<string, unknown[][]> = {
  EmailAddress: texts,
  PasskeyRegistration: [[{ id: 'a' }, { id: 'a' }]],
  Upload: texts,
};

describe.each(leafTypes)('$name', (type) => {
  it('Compiled code, GraphQL.js and the body of REST serialize every sample to the same JSON', () => {
    const samples = isEnumType(type)
      ? type.getValues().map(({ name, value }) => [value, name])
      : (scalarSamples[type.name] ?? argumentSamples[type.name]);
    if (!samples)
      throw new Error(
        `The leaf type ${type.name} has no sample: add one to ${import.meta.filename}`,
      );
    for (const [value, json] of samples) {
      const fields = {
        one: { type, resolve: () => value },
        many: { type: new GraphQLList(type), resolve: () => [value, null] },
      };
      const small = new GraphQLSchema({ query: new GraphQLObjectType({ name: 'Query', fields }) });
      const document = parse('query Leaf { one many }');
      const executor = createExecutor(small);
      executor.prepare(document, 'Leaf');
      const compiled = executor.execute({ document, context: Object({}), variables: {} });
      const plain = execute({ schema: small, document });
      const expected = JSON.stringify({ data: { one: json, many: [json, null] } });
      expect(JSON.stringify(compiled)).toBe(expected);
      expect(JSON.stringify(plain)).toBe(expected);
    }
  });
});

describe('the queries of the schema', () => {
  let app: TestApp;
  let context: Context;
  let ids: Record<string, string | undefined>;
  const executor = createExecutor(schema);
  const served: string[] = [];
  const changed: string[] = [];
  const restore: (() => void)[] = [];
  // Compiled code sends the values of these types as resolvers return them.
  const unserialized = leafTypes.filter((type) => isSpecifiedScalarType(type) || isEnumType(type));

  beforeAll(async () => {
    const now = new Date('2026-03-31T10:00:00.000Z');
    app = await testApp({}, { clock: () => now });
    const { prisma } = app.database;
    const { organizations } = await seed(app.contextParts);
    const partner = organizations.find(({ slug }) => slug === 'partner');
    const { id: organizationId } = await prisma.organization.findUniqueOrThrow({
      where: { slug: 'partner' },
    });
    const where = { organizationId };
    const userId = partner?.users[0]?.id ?? '';
    ids = {
      userId,
      teamId: (await prisma.team.findFirst({ where }))?.id,
      campaignId: (await prisma.campaign.findFirst({ where }))?.id,
      linkId: (await prisma.link.findFirst({ where }))?.id,
      redemptionId: (await prisma.redemption.findFirst({ where }))?.id,
      assistantId: (await prisma.assistant.findFirst({ where }))?.id,
      documentId: (await prisma.assistantFile.findFirst({ where }))?.id,
    };
    const viewer: Viewer = {
      kind: 'SESSION',
      sessionId: 'serialization',
      userId,
      isPlatformSupport: true,
      lacksSecondFactor: false,
      isAdmin: true,
      organizationId,
      features: new Set(features),
    };
    context = { ...app.contextParts, requestId: 'serialization', viewer };
    for (const type of unserialized) {
      const serialize = type.serialize.bind(type);
      restore.push(() => Object.assign(type, { serialize }));
      type.serialize = (value) => {
        const serialized = serialize(value);
        served.push(type.name);
        if (!Object.is(serialized, value)) changed.push(`${type.name} from ${typeof value}`);
        return serialized;
      };
    }
  });
  afterAll(async () => {
    for (const run of restore) run();
    await app.close();
  });

  it.each(rootFields.filter(({ kind }) => kind === 'query'))(
    '$name has the same result from compiled code, and no value that GraphQL.js would change',
    async (root) => {
      const required = root.field.args.filter(isRequiredArgument);
      const variables = Object.fromEntries(
        required.map((argument) => [
          argument.name,
          ids[argument.name] ?? sampleOf(argument, 'unknown'),
        ]),
      );
      const document = parse(operationFor(root, { depth: 3 }));
      const plain = await execute({
        schema,
        document,
        contextValue: context,
        variableValues: variables,
      });
      expect(changed).toEqual([]);
      executor.prepare(document, '');
      const defaults = Object.fromEntries(
        root.field.args.map(({ name, defaultValue }) => [name, defaultValue]),
      );
      const compiled = await executor.execute({
        document,
        context,
        variables: { ...JSON.parse(JSON.stringify(defaults)), ...variables },
      });
      const messagesOf = ({ data, errors = [] }: ExecutionResult) => ({
        data: JSON.stringify(data),
        errors: errors.map(({ message }) => message),
      });
      expect(messagesOf(compiled)).toEqual(messagesOf(plain));
    },
  );

  it('The queries have more than a thousand values that compiled code does not serialize', () => {
    expect(served.length).toBeGreaterThan(1_000);
  });
});
