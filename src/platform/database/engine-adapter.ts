import {
  type ColumnType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import type { ClientBase } from 'pg';

// By the OID of the type; all others are text to the engine.
const columnTypes: Record<number, ColumnType> = {
  16: ColumnTypeEnum.Boolean,
  18: ColumnTypeEnum.Character,
  20: ColumnTypeEnum.Int64,
  21: ColumnTypeEnum.Int32,
  23: ColumnTypeEnum.Int32,
  26: ColumnTypeEnum.Int64,
  1003: ColumnTypeEnum.TextArray,
  1005: ColumnTypeEnum.Int32Array,
  1007: ColumnTypeEnum.Int32Array,
  1009: ColumnTypeEnum.TextArray,
  1184: ColumnTypeEnum.DateTime,
};

/**
 * How the schema engine reaches the database. adapter-pg does not do for it: it splits scripts at
 * every semicolon, also inside function bodies, has no mapping for "char", and opens the main
 * database when it is asked for a shadow.
 */
export function engineAdapter(
  connection: ClientBase,
  scriptFailed: (fault: unknown) => void,
): SqlMigrationAwareDriverAdapterFactory {
  const names = { provider: 'postgres', adapterName: '@prisma/adapter-pg' } as const;
  const run = ({ sql, args }: SqlQuery) =>
    connection.query<unknown[]>({ text: sql, values: args, rowMode: 'array' });
  const adapter: SqlDriverAdapter = {
    ...names,
    async queryRaw(query) {
      const { fields, rows } = await run(query);
      return {
        columnNames: fields.map(({ name }) => name),
        columnTypes: fields.map(({ dataTypeID }) => columnTypes[dataTypeID] ?? ColumnTypeEnum.Text),
        rows: rows.map((row) =>
          row.map((value) => (value instanceof Date ? value.toISOString() : value)),
        ),
      };
    },
    executeRaw: async (query) => (await run(query)).rowCount ?? 0,
    async executeScript(script) {
      try {
        await connection.query(script);
      } catch (error) {
        scriptFailed(error);
        throw error;
      }
    },
    startTransaction: () => Promise.reject(new Error('the schema engine opens no transaction')),
    dispose: async () => undefined,
  };
  // Whatever the engine is to do with a shadow database, it is to do with this one.
  return { ...names, connect: async () => adapter, connectToShadowDb: async () => adapter };
}
