import { buildSchema, isObjectType, parse } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDeprecationHeaders } from '../../../src/graph/usage/deprecation-headers.ts';
import { schema } from '../../../src/schema.ts';
import { type TestApp, testApp } from '../../support/app.ts';

describe('the headers of a deprecated part of the schema', () => {
  const reason = 'Since 2026-11-23, removed after 2027-06-30: use name.';
  const earlier = 'Since 2026-10-01, removed after 2027-12-31: use ALL.';
  const headersFor = createDeprecationHeaders(
    buildSchema(`
      enum Kind { ALL EVERY @deprecated(reason: "${earlier}") }
      input Filter { text: String, old: String @deprecated(reason: "${reason}") }
      type Query {
        name(kind: Kind, by: Filter, limit: Int @deprecated(reason: "${reason}")): String
        title: String @deprecated(reason: "${reason}")
      }`),
  );

  it.each([
    ['a field', '{ title }'],
    ['an argument', '{ name(limit: 1) }'],
    ['a field of an input', '{ name(by: { old: "a" }) }'],
    ['a field in a fragment', '{ ...parts } fragment parts on Query { title }'],
  ])('name both days for %s', (_, text) => {
    expect(headersFor(parse(text))).toEqual({
      deprecation: `@${Date.UTC(2026, 10, 23) / 1000}`,
      sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
    });
  });

  it('name the earliest days of several', () => {
    expect(headersFor(parse('{ title name(kind: EVERY) }'))).toEqual({
      deprecation: `@${Date.UTC(2026, 9, 1) / 1000}`,
      sunset: 'Wed, 30 Jun 2027 00:00:00 GMT',
    });
  });

  it('are absent where a document uses nothing deprecated, also with a variable that could', () => {
    const document = parse('query ($by: Filter) { name(kind: ALL, by: $by) }');
    expect(headersFor(document)).toEqual({});
    expect(headersFor(document)).toEqual({});
  });

  it.each([
    'use name',
    'Since 2026-11-23, removed after 2027-03-01: use name.',
    'Since 2026-11-23, removed after 2027-06-30: ',
    'Since 2026-13-23, removed after 2027-06-30: use name.',
  ])('The start stops at the reason %j', (wrong) => {
    const wrongSchema = buildSchema(`type Query { a: Int @deprecated(reason: "${wrong}") }`);
    expect(() => createDeprecationHeaders(wrongSchema)).toThrow('at least 180 days apart');
  });
});

describe('an answer over /graphql', () => {
  const team = schema.getType('Team');
  if (!isObjectType(team)) throw new Error('the schema has no teams');
  // No field is deprecated at present, so the test deprecates one of its own process.
  const deprecate = (reason: string | undefined) =>
    Object.assign(team.getFields()['isDefault'] ?? {}, { deprecationReason: reason });
  let app: TestApp;
  beforeAll(async () => {
    deprecate('Since 2026-11-23, removed after 2027-06-30: use name.');
    app = await testApp();
  });
  afterAll(async () => {
    deprecate(undefined);
    await app.close();
  });

  it('has the headers each time the document uses the field, and never otherwise', async () => {
    const { key } = await app.organization();
    const headersOf = async (query: string) => {
      const { headers } = (await app.graph(key, query)).answer;
      return [headers.get('deprecation'), headers.get('sunset')];
    };
    const told = [`@${Date.UTC(2026, 10, 23) / 1000}`, 'Wed, 30 Jun 2027 00:00:00 GMT'];
    for (let count = 0; count < 3; count += 1) {
      expect(await headersOf('{ teams { nodes { isDefault } } }')).toEqual(told);
      expect(await headersOf('{ teams { nodes { name } } }')).toEqual([null, null]);
    }
  });
});
