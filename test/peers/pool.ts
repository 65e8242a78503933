import pg from 'pg';
import type { KeyRow } from './guard.ts';

// The pool reads timestamps as ISO text, because a Date would only be converted back.
const isoText = (text: string): string =>
  text.length === 26 && text.endsWith('+00')
    ? `${text.slice(0, 10)}T${text.slice(11, 23)}Z`
    : new Date(text).toISOString();
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoText);

export const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: Number(process.env['DATABASE_POOL']),
  options: '-c TimeZone=UTC',
});

export async function findKey(hash: Uint8Array) {
  const text = `
    select k.id, k.kind, k.organization_id as "organizationId", k.user_id as "userId", k.limit_per_minute as "limitPerMinute",
           o.features, k.expires_at as "expiresAt", coalesce(m.role = 'ADMIN', false) as "isAdmin"
    from api_keys k join organizations o on o.id = k.organization_id
      left join memberships m on m.organization_id = k.organization_id and m.user_id = k.user_id
    where k.hash = $1 and k.revoked_at is null`;
  const { rows } = await pool.query<KeyRow>({ name: 'find-key', text, values: [hash] });
  return rows[0];
}
