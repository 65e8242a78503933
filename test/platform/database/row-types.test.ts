import { afterAll, beforeAll, expect, it } from 'vitest';
import type { DatabaseServer } from '../../../src/platform/database/pooled-client.ts';
import { migratedServer } from '../../support/database.ts';
import {
  type DescribedColumn,
  describeStatement,
  readCatalog,
} from '../../support/row-types/describe-statements.ts';
import {
  type ExpectedColumn,
  typedStatements,
  type ValueType,
} from '../../support/row-types/typed-statements.ts';

let server: DatabaseServer;
beforeAll(async () => {
  server = await migratedServer();
});
afterAll(() => server.close());

const statements = typedStatements();

/** Their parts are chosen while they run. The tests of the rules execute them. */
const unknownTexts = [
  'src/graph/schema/node.ts',
  'src/modules/accounts/sign-up/verify-email-address.ts',
  'src/modules/audit/sealing/export-entries.ts',
  'src/modules/audit/sealing/read-sealed-entries.ts',
  'src/modules/audit/sealing/seal-entries.ts',
  'src/modules/conversations/delete-conversations.ts',
  'src/modules/events/announce-due.ts',
  'src/modules/organizations/join-organization.ts',
  'src/modules/sponsorship/campaigns/find-wrong-counters.ts',
  'src/modules/users/list-members.ts',
];

/** Columns that can be null in the table, and never are in the rows of the statement. */
const neverNull: Readonly<Record<string, string>> = {
  'src/modules/accounts/passwords/require-password.ts hash': 'the statement excludes null',
  'src/modules/api-keys/count-user-keys.ts userId': 'the statement compares it with ids',
  'src/modules/assistant-files/processing/claim-file.ts holder': 'the statement sets it',
  'src/modules/conversations/share-conversation.ts sharedMessageId': 'the statement excludes null',
  'src/modules/conversations/share-conversation.ts sharedAt': 'the statement excludes null',
  'src/modules/sponsorship/redeeming/require-running-sponsorship.ts sponsoredUntil':
    'the statement compares it with a time',
};

it('The text of each statement with a row type is known, unless its parts are chosen while it runs', () => {
  expect(statements.length).toBeGreaterThan(100);
  const unknown = statements.filter(({ text }) => text === undefined);
  expect(unknown.map(({ place }) => place.replace(/:\d+$/, '')).toSorted()).toEqual(unknownTexts);
});

it('The row type of each statement has the columns and the types that the server describes', async () => {
  const pool = server.openPool(1);
  const client = await pool.connect();
  const catalog = await readCatalog(client);
  const faults: string[] = [];
  for (const { place, columns, text } of statements) {
    if (text === undefined) continue;
    const described = await describeStatement(client, text, catalog);
    const file = place.replace(/:\d+$/, '');
    const expected = columns;
    const isNeverNull = (name: string) => neverNull[`${file} ${name}`] !== undefined;
    const columnsOfRows = described.map((column) =>
      isNeverNull(column.name) ? { ...column, isNullable: false } : column,
    );
    faults.push(...faultsOf(expected, columnsOfRows).map((fault) => `${place}: ${fault}`));
  }
  client.release();
  await pool.end();
  expect(faults).toEqual([]);
});

function faultsOf(
  expected: readonly ExpectedColumn[],
  described: readonly DescribedColumn[],
): string[] {
  const expectedNames = new Set(expected.map(({ name }) => name));
  return [
    ...described
      .filter(({ name }) => !expectedNames.has(name))
      .map(({ name }) => `the row type lacks the column ${name}`),
    ...expected.flatMap(({ name, types }) => {
      const column = described.find((one) => one.name === name);
      if (column) return faultsOfColumn(types, column).map((fault) => `${name} ${fault}`);
      return types.some(({ kind }) => kind === 'undefined') ? [] : [`there is no column ${name}`];
    }),
  ];
}

function faultsOfColumn(types: readonly ValueType[], column: DescribedColumn): string[] {
  const valueTypes = types.filter(({ kind }) => kind !== 'null' && kind !== 'undefined');
  const kindFaults = valueTypes
    .filter((type) => !hasKind(type, column))
    .map(({ kind }) => `is ${column.kind} and not ${kind}`);
  // Prisma declares no list column as NOT NULL, and the program stores no null in one.
  const canBeNull = column.isNullable && column.kind !== 'list';
  const literals = valueTypes.flatMap(({ literal = '' }) => literal);
  const missing = literals.includes('')
    ? []
    : (column.values ?? []).filter((value) => !literals.includes(value));
  return [
    ...new Set(kindFaults),
    ...missing.map((value) => `can be ${value}`),
    ...(canBeNull && !types.some(({ kind }) => kind === 'null') ? ['can be null'] : []),
  ];
}

/** JSON can have any type. */
const hasKind = ({ kind, literal, items = [] }: ValueType, column: DescribedColumn): boolean =>
  column.kind === 'json' ||
  (kind === column.kind &&
    (literal === undefined || (column.values?.includes(literal) ?? true)) &&
    items.every((item) => item.kind === column.items));
