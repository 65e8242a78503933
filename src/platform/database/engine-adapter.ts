import {
  type ColumnType,
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import type { ClientBase } from 'pg';

// By type OID. All other types are text for the engine.
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
 * Connects Prisma's schema engine to the database. adapter-pg cannot be used: it splits scripts at
 * every semicolon, even inside function bodies, it has no mapping for "char", and it opens the main
 * database when the engine asks for a shadow database.
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
  // Operations on the shadow database run on this database.
  return { ...names, connect: async () => adapter, connectToShadowDb: async () => adapter };
}
