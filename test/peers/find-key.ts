import type { FindKey, KeyRow } from './access.ts';
import type { Query } from './query.ts';

const text = `
  select k.id, k.kind, k.organization_id as "organizationId", k.user_id as "userId", k.limit_per_minute as "limitPerMinute",
         o.features, k.expires_at as "expiresAt", coalesce(m.role = 'ADMIN', false) as "isAdmin"
  from api_keys k join organizations o on o.id = k.organization_id
    left join memberships m on m.organization_id = k.organization_id and m.user_id = k.user_id
  where k.hash = $1 and k.revoked_at is null`;

export const createFindKey =
  (query: Query): FindKey =>
  async (hash) =>
    (await query<KeyRow>('find-key', text, [hash]))[0];
