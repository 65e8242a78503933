import type { Database } from '../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readCheckedPage } from '../../platform/database/lists/read-pages.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { AccessLevel, Person } from './access.ts';
import { type AssistantVersion, versionColumns } from './assistant-version.ts';
import { assistantWithLevel, requireLevel } from './require-assistant.ts';

const orders = {
  NUMBER: [{ column: fragment`v.number`, type: 'integer' }],
} as const;

type ListVersionsInput = {
  assistantId: string;
  person: Person;
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/** Lists the versions of an assistant that the person may change, newest first. */
export function listVersions(
  { assistantId, person, orderBy }: ListVersionsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<AssistantVersion>> {
  const list: List = {
    name: 'assistant versions',
    table: fragment`assistant_versions v`,
    alias: fragment`v`,
    condition: fragment`v.assistant_id = owner.id and v.organization_id = ${person.organizationId}`,
    order: chooseOrder(orders, orderBy, { field: 'NUMBER', direction: 'DESC' }),
    id: { column: fragment`v.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from assistant_versions v where v.assistant_id = a.id)`,
  };
  return readCheckedPage<AssistantVersion, { level: AccessLevel | null }>(
    list,
    { columns: versionColumns },
    request,
    database,
    {
      columns: fragment`owner.level`,
      select: (total) =>
        fragment`select a.id, a.level, ${total} as total from ${assistantWithLevel({ assistantId, person })}`,
      check: (assistant) => requireLevel(assistant, 'EDIT'),
    },
  );
}
