import type { ClientBase } from 'pg';

export type TableColumns = { name: string; columns: string[] };

/** Every table with its writable columns, ordered so that referenced tables come first. */
export async function readTables(connection: ClientBase): Promise<TableColumns[]> {
  const { rows: tables } = await connection.query<TableColumns>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relname <> '_prisma_migrations'
     group by c.relname order by c.relname`,
  );
  const { rows: references } = await connection.query<{ from: string; to: string }>(
    `select a.relname as from, b.relname as to from pg_constraint k join pg_class a on a.oid = k.conrelid join pg_class b on b.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and a.oid <> b.oid`,
  );
  const orderedNames = new Set<string>();
  const ordered: TableColumns[] = [];
  while (ordered.length < tables.length) {
    const insertable = tables.filter(
      ({ name }) =>
        !orderedNames.has(name) &&
        references.every(({ from, to }) => from !== name || orderedNames.has(to)),
    );
    if (insertable.length === 0)
      throw new Error('tables refer to one another in a circle, and none can be filled first');
    for (const table of insertable) {
      orderedNames.add(table.name);
      ordered.push(table);
    }
  }
  return ordered;
}

export const quoteIdentifier = (name: string): string => `"${name.replaceAll('"', '""')}"`;
