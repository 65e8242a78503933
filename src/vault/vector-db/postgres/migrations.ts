import type { Client } from 'pg';

// Every row of a collection carries its number. The policies let a transaction see and change only
// the rows of the collection that it has set, so a missing condition in a statement cannot reach
// another collection. The lists of documents and of generations are also read as a whole, at the
// start, with the number 0.
const ownRows = (table: string, isWholeToo: boolean) => `
  alter table ${table} enable row level security;
  alter table ${table} force row level security;
  create policy own_collection on ${table} using (
    ${isWholeToo ? '(select nullif(current_setting($$atrium_vectors.collection$$, true), $$$$)::int) in (0, collection)' : 'collection = (select nullif(current_setting($$atrium_vectors.collection$$, true), $$$$)::int)'}
  );
`;

/** Changes of the schema, in their order. One that was released is never changed. */
const migrations = [
  `
  create table state (epoch bigint not null, reserved bigint not null, holder text not null);
  insert into state values (0, 0, '');
  create table collection (
    id int generated always as identity primary key,
    name text collate "C" not null unique
  );
  create table space (
    id int generated always as identity primary key,
    collection int not null,
    embedding text collate "C" not null,
    dimensions int not null,
    unique (collection, embedding)
  );
  create table document (
    collection int not null,
    document text collate "C" not null,
    generation bigint not null,
    hash text not null,
    embedding text not null,
    passages int not null,
    facts text not null,
    updated_at text not null,
    primary key (collection, document)
  );
  create table generation (
    number bigint primary key,
    collection int not null,
    space int not null,
    passages int not null,
    words bigint not null
  );
  create table passage (
    collection int not null,
    space int not null,
    generation bigint not null,
    ordinal int not null,
    text text not null,
    page int,
    headings text not null,
    start_at bigint not null,
    end_at bigint not null,
    primary key (space, generation, ordinal)
  );
  create table passage_vector (
    collection int not null,
    space int not null,
    generation bigint not null,
    ordinal int not null,
    numbers halfvec not null,
    primary key (space, generation, ordinal)
  );
  create table posting (
    collection int not null,
    space int not null,
    generation bigint not null,
    term text collate "C" not null,
    entries bigint[] not null
  );
  create index posting_of_term on posting (space, term, generation);
  create index posting_of_generation on posting (generation);
  ${['space', 'document', 'generation'].map((table) => ownRows(table, true)).join('')}
  ${['passage', 'passage_vector', 'posting'].map((table) => ownRows(table, false)).join('')}
  `,
];

/**
 * Creates the schema and brings it to the current version. Only the process that holds the lock of
 * the schema calls this.
 */
export async function migrate(client: Client, schema: string): Promise<void> {
  const { rows: tables } = await client.query(
    'select tablename from pg_tables where schemaname = $1',
    [schema],
  );
  if (tables.length > 0 && !tables.some(({ tablename }) => tablename === 'vector_migration'))
    throw new Error(
      `The schema ${schema} has tables of something else. Set vector_db.storage_options.schema in vault.yaml to a schema of its own.`,
    );
  const { rows: schemas } = await client.query('select 1 from pg_namespace where nspname = $1', [
    schema,
  ]);
  await inTransaction(client, async () => {
    if (schemas.length === 0) await client.query(`create schema "${schema}"`);
    await client.query(
      `create table if not exists "${schema}".vector_migration (number int primary key)`,
    );
  });
  const { rows } = await client.query<{ last: number | null }>(
    `select max(number) as last from "${schema}".vector_migration`,
  );
  const applied = rows[0]?.last ?? 0;
  if (applied > migrations.length)
    throw new Error(
      `The schema ${schema} was written by a later version of Atrium (migration ${applied}, this version knows ${migrations.length}).`,
    );
  for (const [index, statements] of migrations.entries()) {
    if (index < applied) continue;
    await inTransaction(client, async () => {
      await client.query(statements);
      await client.query(`insert into "${schema}".vector_migration values ($1)`, [index + 1]);
    });
  }
}

async function inTransaction(client: Client, work: () => Promise<void>): Promise<void> {
  await client.query('begin');
  try {
    await work();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}
