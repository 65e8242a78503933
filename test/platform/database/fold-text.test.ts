import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { foldText } from '../../../src/console/web/ui/fold-text.ts';
import type { Database } from '../../../src/platform/database/database.ts';
import { databases } from '../../support/databases.ts';

describe.each(databases)('Folding of texts on the $kind database', ({ open }) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  async function fold(...texts: string[]): Promise<string[]> {
    const rows = await database.sql<{ folded: string }>`
      select fold_text(value) as folded from unnest(${texts}::text[]) with ordinality t (value, position) order by position`;
    return rows.map(({ folded }) => folded);
  }
  async function contains(name: string, search: string): Promise<boolean> {
    const [row] = await database.sql<{ found: boolean }>`
      select fold_text(${name}::text) like fold_pattern(${search}) as found`;
    return row?.found ?? false;
  }

  it.each([
    ['Müller', 'muller'],
    ['MU\u0308LLER', 'muller'],
    ['Straße', 'strasse'],
    ['STRAẞE', 'strasse'],
    ['Ångström', 'angstrom'],
    ['Ёлка', 'елка'],
    ['Ωμέγα', 'ωμεγα'],
    ['Việt Nam', 'viet nam'],
    ['Plain ASCII 100%', 'plain ascii 100%'],
    ['が', 'が'],
    ['각', '각'],
    ['', ''],
  ])('%s is compared as %s', async (text, folded) => {
    expect(await fold(text)).toEqual([folded]);
    expect(foldText(text)).toBe(folded);
  });

  it.each([
    ['Müller', 'muller', true],
    ['Muller', 'MÜLLER', true],
    ['Straßenbau', 'strasse', true],
    ['Strassenbau', 'Straße', true],
    ['각', '가', false],
    ['が', 'か', false],
    ['100 percent', '%', false],
    ['100 %', '%', true],
    ['ab', 'a_', false],
    ['a_b', 'a_', true],
    [String.raw`a\b`, String.raw`\b`, true],
    ['ab', String.raw`a\b`, false],
    // Marks that stand behind a sign do not make it a wildcard.
    ['100 percent', '%\u0301', false],
    ['100 %', '%\u0301', true],
    ['ab', 'a_\u0338', false],
    ['ab', '\u0301', false],
  ])('%s contains %s: %s', async (name, search, found) => {
    expect(await contains(name, search)).toBe(found);
  });

  it('Texts of the console are folded as those of the database, for letters of many scripts', async () => {
    const letters = [
      ...'aZ%_\\ßẞäÖéñçøæłđİıŠřőЙёΆώאָאبِがパ각한ไทยहिन्दी',
      '\u0301',
      '\u0308',
      '\u0338',
    ];
    const texts = fc.sample(fc.string({ unit: fc.constantFrom(...letters), maxLength: 12 }), {
      numRuns: 500,
      seed: 1,
    });
    expect(await fold(...texts)).toEqual(texts.map(foldText));
  });

  it('The indexes of people and workspaces serve these searches', async () => {
    const plans = await database.transact(async ({ sql }) => {
      await sql`set local enable_seqscan = off`;
      await sql`set local enable_indexscan = off`;
      const people = await sql`
        explain select from users where fold_text(user_search_text(email, first_name, last_name)) like fold_pattern('müller')`;
      const given = await sql`
        explain select from memberships where (given_first_name <> '' or given_last_name <> '')
          and fold_text(user_search_text('', given_first_name, given_last_name)) like fold_pattern('müller')`;
      const workspaces = await sql`
        explain select from organizations where fold_text(name) like fold_pattern('müller')`;
      return JSON.stringify([people, given, workspaces]);
    });
    expect(plans).toContain('users_search');
    expect(plans).toContain('memberships_given_names');
    expect(plans).toContain('organizations_name_search');
  });
});
