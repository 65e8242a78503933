import pg from 'pg';
import { createFindKey } from './find-key.ts';
import { isoText } from './iso-text.ts';
import type { Query, ResultRow } from './query.ts';

pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoText);

export const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL']),
  options: '-c TimeZone=UTC',
});

export const query: Query = async <Row extends ResultRow>(
  name: string | undefined,
  text: string,
  values: unknown[],
) => (await pool.query<Row>({ ...(name && { name }), text, values })).rows;

export const findKey = createFindKey(query);
