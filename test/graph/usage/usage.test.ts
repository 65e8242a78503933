import { writeFileSync } from 'node:fs';
import { buildSchema, extendSchema, parse, printSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareRelease } from '../../../schema/compare-release.ts';
import { coordinatesOf } from '../../../src/graph/usage/coordinates.ts';
import { createUsageCounter } from '../../../src/graph/usage/count-usage.ts';
import { addUsage, readUsage } from '../../../src/graph/usage/stored-usage.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { schema } from '../../../src/schema.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';

let app: TestApp;
beforeAll(async () => {
  app = await testApp();
});
afterAll(() => app.close());

const usage = async () => (await readUsage({ days: 30 }, { database: app.database })).coordinates;

/** A counter of a process that trusts no document. */
const counterOn = (database: Database) =>
  createUsageCounter({ schema, trusted: { hashOf: () => undefined }, database, log: quietLog });

describe('the coordinates of a document', () => {
  it('are those of its fields, arguments, input fields and enum values, also in fragments', () => {
    const document = parse(`
      query { users(role: ADMIN, orderBy: { field: CREATED_AT, direction: ASC }) { ...page __typename } }
      fragment page on UserConnection { nodes { mail: email } }`);
    expect(coordinatesOf(schema, document).toSorted()).toEqual([
      'OrderDirection.ASC',
      'Query.users',
      'Query.users(orderBy:)',
      'Query.users(role:)',
      'Role.ADMIN',
      'User.email',
      'UserConnection.nodes',
      'UserOrder.direction',
      'UserOrder.field',
      'UserOrderField.CREATED_AT',
    ]);
  });

  it('are all fields and values of the type of a variable', () => {
    const document = parse('query ($by: UserOrder) { users(orderBy: $by) { totalCount } }');
    expect(coordinatesOf(schema, document)).toEqual(
      expect.arrayContaining(['UserOrder.field', 'OrderDirection.ASC', 'OrderDirection.DESC']),
    );
  });
});

describe('the counts', () => {
  it('Closing waits for counts that are being stored', async () => {
    const counter = counterOn(app.database);
    const text = '{ __typename }';
    counter.count(parse(text), text);
    let isStored = false;
    const storing = counter.store().then(() => {
      isStored = true;
    });
    await counter.close();
    expect(isStored).toBe(true);
    await storing;
  });

  it('Queries over /graphql are counted, and neither refused ones nor REST', async () => {
    const { key, call } = await app.organization();
    for (let count = 0; count < 7; count += 1) await app.graph(key, '{ teams { nodes { name } } }');
    await app.graph(key, '{ teams { nodes { isDefault } } nothing }');
    await call('GET', '/api/user-management/v1/users');
    // A process stores what it has counted when it stops.
    await app.storeUsage();
    const stored = await usage();
    expect(stored.get('Team.name')).toBe(7);
    expect(stored.get('Query.teams')).toBe(7);
    expect(stored.has('Team.isDefault')).toBe(false);
    expect(stored.has('Query.users')).toBe(false);
  });

  it('Processes add up, and days that are over are deleted', async () => {
    const { database } = app;
    await database.unscoped.sql`
      insert into schema_usage (day, coordinate, uses) values (current_date - 40, 'Old.field', 1), (current_date - 20, 'Recent.field', 2)`;
    const text = '{ campaigns { totalCount } }';
    const document = parse(text);
    const counters = [1, 2, 3].map(() => counterOn(database));
    for (const counter of counters) {
      counter.count(document, text);
      counter.count(document, text);
    }
    await Promise.all(counters.map((counter) => counter.close()));
    expect((await usage()).get('Query.campaigns')).toBe(6);
    expect((await usage()).get('Recent.field')).toBe(2);
    expect(
      await database.unscoped.sql`select from schema_usage where coordinate = 'Old.field'`,
    ).toEqual([]);
  });

  it('What could not be stored is stored the next time', async () => {
    const { database } = app;
    let fails = true;
    const failing = {
      ...database,
      get unscoped() {
        if (fails) throw new Error('The database is not there');
        return database.unscoped;
      },
    };
    const counter = counterOn(failing);
    const text = '{ viewer { __typename } }';
    for (let count = 0; count < 600; count += 1) counter.count(parse(text), text);
    await counter.store();
    fails = false;
    await counter.close();
    expect((await usage()).get('Query.viewer')).toBe(600);
  });

  it('An organization cannot read the counts', async () => {
    await addUsage(
      { coordinates: new Map([['Some.field', 1]]), documents: [] },
      { database: app.database },
    );
    const scoped = app.database.within({ organizationId: 'any', personId: '' });
    if (scoped.rlsActive) expect(await scoped.sql`select from schema_usage`).toEqual([]);
  });
});

const release = buildSchema(`
  interface Named { name: String }
  type Query { a(x: Int, y: String): A other: Other pick: Choice kept(in: In, role: Role): Int }
  type A implements Named { name: String size: Int }
  type Other { value: Int }
  union Choice = A | Other
  input In { one: Int two: Int }
  enum Role { ADMIN MEMBER }`);

/** The release with one change. */
const changed = (from: string | RegExp, to: string) =>
  buildSchema(printSchema(release).replace(from, to));

describe('a comparison with the last release', () => {
  it.each([
    ['a removed field', changed('  size: Int\n', ''), 'A.size'],
    ['a field of another type', changed('size: Int', 'size: String'), 'A.size'],
    ['a removed argument', changed('x: Int, ', ''), 'Query.a(x:)'],
    ['an argument of another type', changed('x: Int', 'x: String'), 'Query.a(x:)'],
    ['a new required argument', changed('x: Int', 'z: Int!, x: Int'), 'Query.a'],
    ['a removed enum value', changed('  ADMIN\n', ''), 'Role.ADMIN'],
    ['a removed input field', changed('  one: Int\n', ''), 'In.one'],
    ['a new required input field', changed('  one: Int\n', '  one: Int\n  new: Int!\n'), 'In.two'],
    ['a removed interface', changed('type A implements Named', 'type A'), 'A.name'],
    ['a member that left a union', changed('A | Other', 'A'), 'Choice.any'],
    [
      'a removed type',
      changed(/ {2}other: Other\n|type Other \{[^}]*\}| \| Other/g, ''),
      'Other.value',
    ],
  ])('refuses %s only if it was used', (_, current, coordinate) => {
    const unrelated = new Map([
      ['Query.kept', 5],
      [`${coordinate}s`, 1],
    ]);
    const isRefused = (usage: ReadonlyMap<string, number>) =>
      compareRelease(release, current, usage).some((change) => change.isRefused);
    expect(compareRelease(release, current, new Map()).length).toBeGreaterThan(0);
    expect(isRefused(new Map([[coordinate, 1]]))).toBe(true);
    if (!/new required input|removed interface|removed type|union/.test(_))
      expect(isRefused(unrelated)).toBe(false);
    expect(isRefused(new Map([['Query.kept', 5]]))).toBe(false);
  });

  it('refuses a removed directive, and accepts additions', () => {
    const withDirective = extendSchema(release, parse('directive @old on FIELD'));
    expect(compareRelease(withDirective, release, new Map())[0]?.isRefused).toBe(true);
    const larger = extendSchema(release, parse('extend type A { more: Int }'));
    expect(compareRelease(release, larger, new Map([['A.size', 1]]))).toEqual([]);
  });

  it('npm run schema:check exits with 1 and names what was used', async () => {
    const directory = temporaryDirectory();
    const released = `${directory.path}/released.graphql`;
    const used = `${directory.path}/usage.json`;
    const check = async (...args: string[]) => {
      const program = run('schema/check-release.ts', {}, args);
      return { code: await program.ended, stdout: program.stdout() };
    };
    try {
      const before = extendSchema(schema, parse('extend type Team { colour: String }'));
      writeFileSync(released, printSchema(before));
      writeFileSync(used, JSON.stringify({ coordinates: { 'Team.colour': 3 }, documents: [] }));
      const refused = await check('--against', released, '--usage', used);
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.stdout).toContain(
        'refused: Team.colour was removed. Team.colour was used 3 times in 30 days.',
      );
      writeFileSync(used, JSON.stringify({ coordinates: {}, documents: [] }));
      const unused = await check('--against', released, '--usage', used);
      expect({ code: unused.code, text: unused.stdout }).toMatchObject({
        code: 0,
        text: expect.stringContaining('unused: Team.colour was removed.'),
      });
    } finally {
      directory.remove();
    }
  });
});
