import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { type ApiKey, apiKeyColumns } from './api-key.ts';

/**
 * Reads keys in the order of the ids; null for one that does not exist or belongs to another
 * organization.
 */
export async function readKeys(
  { organizationId, ids }: { organizationId: string; ids: readonly string[] },
  { database }: { database: Database },
): Promise<(ApiKey | null)[]> {
  const rows = await database.sql<ApiKey>`
    select ${apiKeyColumns} from api_keys k where k.id = any(${ids}) and k.organization_id = ${organizationId}`;
  const keys = new Map(rows.map((key) => [key.id, key]));
  return ids.map((id) => keys.get(id) ?? null);
}

/** Reads a key of this organization; throws NOT_FOUND for one of another organization. */
export async function readKey(
  { organizationId, id }: { organizationId: string; id: string },
  dependencies: { database: Database },
): Promise<ApiKey> {
  const [key] = await readKeys({ organizationId, ids: [id] }, dependencies);
  if (!key) throw notFound('API key');
  return key;
}
