import type { ClientBase, Connection, FieldDef, Submittable } from 'pg';
import { serialize } from 'pg-protocol';

/** A column as the server describes it before a statement is executed. */
export type DescribedColumn = {
  name: string;
  /** The kind of the values that the driver reads, and the values of an enum. */
  kind: 'string' | 'number' | 'boolean' | 'bytes' | 'list' | 'json' | 'other';
  items?: DescribedColumn['kind'];
  values?: readonly string[];
  /** Whether it is a column of a table that can be null. Unknown for everything else. */
  isNullable: boolean;
};

/** Parses and describes a statement without executing it. */
class Description implements Submittable {
  readonly #text: string;
  readonly #settle: (result: FieldDef[] | Error) => void;
  #fields: FieldDef[] = [];

  constructor(text: string, settle: (result: FieldDef[] | Error) => void) {
    this.#text = text;
    this.#settle = settle;
  }

  submit({ stream }: Connection): void {
    const messages = [
      serialize.parse({ text: this.#text }),
      serialize.describe({ type: 'S' }),
      serialize.sync(),
    ];
    stream.write(Buffer.concat(messages));
  }

  handleRowDescription({ fields }: { fields: FieldDef[] }): void {
    this.#fields = fields;
  }

  handleError(fault: Error): void {
    this.#settle(fault);
  }

  handleReadyForQuery(): void {
    this.#settle(this.#fields);
  }
}

type Catalog = {
  types: ReadonlyMap<number, { name: string; values: string[] | null }>;
  nullable: ReadonlySet<string>;
};

export async function readCatalog(client: ClientBase): Promise<Catalog> {
  const types = await client.query<{ oid: number; name: string; values: string[] | null }>(`
    select t.oid, t.typname as name, (select array_agg(enumlabel::text order by 1) from pg_enum where enumtypid = t.oid) as values
    from pg_type t`);
  const nullable = await client.query<{ column: string }>(`
    select attrelid || '.' || attnum as column from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and not a.attnotnull and a.attnum > 0`);
  return {
    types: new Map(types.rows.map(({ oid, ...type }) => [oid, type])),
    nullable: new Set(nullable.rows.map(({ column }) => column)),
  };
}

export async function describeStatement(
  client: ClientBase,
  text: string,
  { types, nullable }: Catalog,
): Promise<DescribedColumn[]> {
  const fields = await new Promise<FieldDef[]>((resolve, reject) => {
    client.query(
      new Description(text, (result) =>
        result instanceof Error ? reject(result) : resolve(result),
      ),
    );
  });
  return fields.map(({ name, dataTypeID, tableID, columnID }) => {
    const type = types.get(dataTypeID);
    const isList = type?.name.startsWith('_') ?? false;
    return {
      name,
      ...(isList
        ? { kind: 'list', items: kindOf(type?.name.slice(1) ?? '') }
        : { kind: type?.values ? 'string' : kindOf(type?.name ?? '') }),
      ...(type?.values && { values: type.values }),
      isNullable: nullable.has(`${tableID}.${columnID}`),
    };
  });
}

/** What the driver makes of a type: see src/platform/database/driver/column-types.ts. */
const kinds: Readonly<Record<string, DescribedColumn['kind']>> = {
  ...{ text: 'string', varchar: 'string', bpchar: 'string', name: 'string', uuid: 'string' },
  ...{ numeric: 'string', date: 'string', timestamptz: 'string' },
  ...{ int2: 'number', int4: 'number', int8: 'number', float4: 'number', float8: 'number' },
  ...{ bool: 'boolean', bytea: 'bytes', json: 'json', jsonb: 'json' },
};
const kindOf = (name: string) => kinds[name] ?? 'other';
