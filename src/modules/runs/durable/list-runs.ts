import type { Database } from '../../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPage } from '../../../platform/database/lists/read-pages.ts';
import { fragment } from '../../../platform/database/sql.ts';
import type { Person } from '../../assistants/access.ts';
import { isOwnedBy, type Run, type RunState, runColumns } from './run.ts';

type ListRunsInput = {
  person: Person;
  assistantId?: string | null | undefined;
  state?: RunState | null | undefined;
  orderBy?: OrderInput<'CREATED_AT'> | null | undefined;
};

/** Lists the runs that a person has started, newest first. */
export function listRuns(
  { person, assistantId, state, orderBy }: ListRunsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<Run>> {
  const condition = fragment`${isOwnedBy(person)}
    ${assistantId == null ? fragment`` : fragment`and r.assistant_id = ${assistantId}`}
    ${state == null ? fragment`` : fragment`and r.state = ${state}::run_state`}`;
  const list: List = {
    name: 'runs',
    table: fragment`runs r`,
    alias: fragment`r`,
    condition,
    order: chooseOrder(
      { CREATED_AT: [{ column: fragment`r.created_at`, type: 'time', field: 'createdAt' }] },
      orderBy,
      {
        field: 'CREATED_AT',
        direction: 'DESC',
      },
    ),
    id: { column: fragment`r.id`, type: 'text' },
    total: fragment`(select count(*)::int from runs r where ${condition})`,
  };
  return readPage<Run>(list, { columns: runColumns }, request, database);
}
