import type { Database } from '../../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../../platform/database/lists/page.ts';
import { type List, readPage } from '../../../platform/database/lists/read-pages.ts';
import { fragment } from '../../../platform/database/sql.ts';
import { entriesOf, type StatementScope } from './statement-entry.ts';

/** A campaign with what happened to its sponsorships in a month. */
export type StatementCampaign = {
  id: string;
  name: string;
  began: number;
  extended: number;
  ended: number;
  billableRedemptions: number;
  billableEur: number;
};

const orders = {
  NAME: [{ column: fragment`s.name`, type: 'text', field: 'name' }],
  BEGAN: [{ column: fragment`s.began`, type: 'integer', field: 'began' }],
} as const;

type ListStatementCampaignsInput = StatementScope & {
  orderBy?: OrderInput<keyof typeof orders> | null | undefined;
};

/** SQL for the campaigns of a statement. */
export const campaignsOf = (scope: StatementScope) => fragment`(
    select c.id, c.name, s.* from (
      select r.campaign_id, count(*) filter (where e.kind = 'BEGAN')::int as began, count(*) filter (where e.kind = 'EXTENDED')::int as extended,
        count(*) filter (where e.kind = 'ENDED')::int as ended,
        count(*) filter (where e.kind = 'BEGAN' and r.billing_status <> 'WAIVED')::int as billable,
        coalesce(sum(r.billing_amount) filter (where e.kind = 'BEGAN' and r.billing_status <> 'WAIVED'), 0) as billable_eur
      from ${entriesOf(scope)} e join redemptions r on r.id = e.redemption_id
      group by r.campaign_id) s
    join campaigns c on c.id = s.campaign_id)`;

export const statementCampaignColumns = fragment`
  s.id, s.name, s.began, s.extended, s.ended, s.billable as "billableRedemptions", s.billable_eur::float8 as "billableEur"`;

/** Lists the campaigns of a statement; by default by name. */
export function listStatementCampaigns(
  { orderBy, ...scope }: ListStatementCampaignsInput,
  request: PageRequest,
  { database }: { database: Database },
): Promise<Page<StatementCampaign>> {
  const campaigns = campaignsOf(scope);
  const list: List = {
    name: 'sponsorship-statement-campaigns',
    table: fragment`${campaigns} s`,
    alias: fragment`s`,
    condition: fragment`true`,
    order: chooseOrder(orders, orderBy, { field: 'NAME', direction: 'ASC' }),
    id: { column: fragment`s.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from ${campaigns} s)`,
    isReadFromStart: true,
    isPlannedEachTime: true,
  };
  return readPage<StatementCampaign>(
    list,
    { columns: statementCampaignColumns },
    request,
    database,
  );
}
