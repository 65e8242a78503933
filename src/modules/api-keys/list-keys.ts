import type { Database } from '../../platform/database/database.ts';
import type { ApiKeyKind } from '../../platform/database/generated/client.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { containsName, fragment } from '../../platform/database/sql.ts';
import { type ApiKey, apiKeyColumns } from './api-key.ts';

type ListKeysInput = {
  organizationId: string;
  kind?: ApiKeyKind;
  /** Only the keys of this user. */
  userId?: string;
  /** Only keys that are not revoked and for which this administrator is responsible. */
  responsibleId?: string | null | undefined;
  /** Text in the name. */
  search?: string | null | undefined;
  orderBy?: OrderInput<'CREATED_AT'> | null | undefined;
};

/** Lists keys of an organization, newest first, including revoked and expired ones. */
export function listKeys(
  { organizationId, kind, userId, responsibleId, search, orderBy }: ListKeysInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<ApiKey>> {
  const condition = fragment`k.organization_id = ${organizationId}
    ${kind ? fragment`and k.kind = ${kind}::api_key_kind` : fragment``}
    ${userId ? fragment`and k.user_id = ${userId}` : fragment``}
    ${responsibleId ? fragment`and k.responsible_id = ${responsibleId} and k.revoked_at is null` : fragment``}
    ${search ? fragment`and ${containsName(fragment`k.name`, search)}` : fragment``}`;
  const list: List = {
    name: 'keys',
    table: fragment`api_keys k`,
    alias: fragment`k`,
    condition,
    order: chooseOrder(
      { CREATED_AT: [{ column: fragment`k.created_at`, type: 'time' }] },
      orderBy,
      {
        field: 'CREATED_AT',
        direction: 'DESC',
      },
    ),
    id: { column: fragment`k.id`, type: 'text' },
    total: fragment`(select count(*)::int from api_keys k where ${condition})`,
    isPlannedEachTime: Boolean(responsibleId || search),
  };
  return readPage<ApiKey>(list, { columns: apiKeyColumns }, request, database);
}
