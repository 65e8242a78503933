import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extendSchema, parse, printSchema } from 'graphql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentHash } from '../../../src/graph/trusted/read-manifests.ts';
import { createUsageCounter } from '../../../src/graph/usage/count-usage.ts';
import { documentsUsing } from '../../../src/graph/usage/documents-using.ts';
import { addUsage, readUsage } from '../../../src/graph/usage/stored-usage.ts';
import { schema } from '../../../src/schema.ts';
import { type TestApp, testApp } from '../../support/app.ts';
import { run, temporaryDirectory } from '../../support/process.ts';
import { quietLog } from '../../support/quiet-log.ts';

const teamNames = 'query TeamNames { teams { nodes { name } } }';
const teamsByDefault = 'query DefaultTeam { teams { nodes { isDefault } } }';
const directory = temporaryDirectory();
const manifest = join(directory.path, 'dashboard.json');
writeFileSync(
  manifest,
  JSON.stringify({
    [documentHash(teamNames)]: teamNames,
    [documentHash(teamsByDefault)]: teamsByDefault,
  }),
);

let app: TestApp;
beforeAll(async () => {
  app = await testApp({ GRAPHQL_DOCUMENTS: manifest });
});
afterAll(async () => {
  await app.close();
  directory.remove();
});

const usage = () => readUsage({ days: 30 }, { database: app.database });
const usedOf = async (id: string) =>
  (await usage()).documents.filter((document) => document.id === id);
const clear = () => app.database.unscoped.sql`truncate schema_usage, document_usage`;
const documentOf = (id: string, uses = 1) => ({
  id,
  operations: ['Any'],
  coordinates: ['Team.name'],
  uses,
});

describe('the counts of documents', () => {
  it('A trusted document is counted by its hash, sent by its text or its id; all others together', async () => {
    const { key, call } = await app.organization();
    const id = documentHash(teamNames);
    await app.graph(key, teamNames);
    await app.graph(key, teamNames);
    expect((await call('POST', '/graphql', { documentId: `sha256:${id}` })).status).toBe(200);
    for (const count of [1, 2, 3, 4])
      await app.graph(key, `{ teams { nodes { a${count}: name } } }`);
    await app.storeUsage();
    expect(await usedOf(id)).toEqual([
      {
        id,
        operations: ['TeamNames'],
        coordinates: ['Query.teams', 'TeamConnection.nodes', 'Team.name'],
        uses: 3,
      },
    ]);
    expect(await usedOf('')).toEqual([{ id: '', operations: [], coordinates: [], uses: 4 }]);
    expect(documentsUsing('Team.name', await usage())).toEqual({
      documents: [{ id, operations: ['TeamNames'], uses: 3 }],
      otherUses: 4,
    });
    expect(documentsUsing('Team.isDefault', await usage())).toEqual({
      documents: [],
      otherUses: 0,
    });
  });

  it('Processes add up, and days that are over are deleted', async () => {
    const { database } = app;
    await clear();
    await database.unscoped.sql`
      insert into document_usage (day, document, operations, coordinates, uses)
      values (current_date - 40, 'old', '{}', '{}', 1), (current_date - 20, 'recent', '{}', '{}', 2)`;
    const counters = [1, 2, 3].map(() =>
      createUsageCounter({ schema, trusted: { hashOf: documentHash }, database, log: quietLog }),
    );
    for (const counter of counters) {
      counter.count(parse(teamNames), teamNames);
      counter.count(parse(teamNames), teamNames);
    }
    await Promise.all(counters.map((counter) => counter.close()));
    expect((await usedOf(documentHash(teamNames))).map(({ uses }) => uses)).toEqual([6]);
    expect((await usedOf('recent')).map(({ uses }) => uses)).toEqual([2]);
    expect(await database.unscoped.sql`select from document_usage where document = 'old'`).toEqual(
      [],
    );
  });

  it('Documents beyond the bound of a day are counted together, and none is lost', async () => {
    await clear();
    const { database } = app;
    const add = (...ids: string[]) =>
      addUsage(
        {
          coordinates: new Map([['Team.name', ids.length]]),
          documents: ids.map((id) => documentOf(id)),
        },
        { database, documentsMax: 3 },
      );
    await add('a', 'b');
    await add('b', 'c', 'd', 'e', '');
    await add('a', 'f');
    const { documents } = await usage();
    expect(documents.map(({ id, uses }) => [id, uses])).toEqual([
      ['', 4],
      ['a', 2],
      ['b', 2],
      ['c', 1],
    ]);
    expect(documentsUsing('Team.name', await usage()).otherUses).toBe(4);
  });

  it('An organization cannot read the counts', async () => {
    await addUsage(
      { coordinates: new Map(), documents: [documentOf('any')] },
      { database: app.database },
    );
    const scoped = app.database.within({ organizationId: 'any', personId: '' });
    if (scoped.rlsActive) expect(await scoped.sql`select from document_usage`).toEqual([]);
  });
});

describe('npm run schema:check', () => {
  const used = join(directory.path, 'usage.json');
  const check = async (...args: string[]) => {
    const program = run('schema/check-release.ts', {}, [...args, '--usage', used]);
    return { code: await program.ended, stdout: program.stdout() };
  };
  beforeAll(() => {
    writeFileSync(
      used,
      JSON.stringify({
        coordinates: { 'Team.colour': 9, 'Team.name': 2 },
        documents: [
          { id: 'aa', operations: ['Colours'], coordinates: ['Team.colour'], uses: 3 },
          { id: 'bb', operations: ['Teams'], coordinates: ['Team.colour', 'Team.name'], uses: 1 },
          { id: 'aa', operations: ['Colours'], coordinates: ['Team.colour', 'Team.id'], uses: 1 },
        ],
      }),
    );
  });

  it('A refused removal names the documents that use the coordinate', async () => {
    const released = join(directory.path, 'released.graphql');
    writeFileSync(
      released,
      printSchema(extendSchema(schema, parse('extend type Team { colour: String }'))),
    );
    expect(await check('--against', released)).toEqual({
      code: 1,
      stdout: [
        'refused: Team.colour was removed. Team.colour was used 9 times in 30 days.',
        '  4 times by the document sha256:aa (Colours)',
        '  1 times by the document sha256:bb (Teams)',
        '  4 times by other documents',
        '',
      ].join('\n'),
    });
  });

  it('-- --coordinate names the documents that use any coordinate', async () => {
    expect(await check('--coordinate', 'Team.name', '--coordinate', 'Team.isDefault')).toEqual({
      code: 0,
      stdout: [
        'Team.name was used 2 times in 30 days.',
        '  1 times by the document sha256:bb (Teams)',
        '  1 times by other documents',
        'Team.isDefault was used 0 times in 30 days.',
        '',
      ].join('\n'),
    });
  });
});
