import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { chooseOrder, type OrderInput } from '../../platform/database/lists/order.ts';
import type { Page, PageRequest } from '../../platform/database/lists/page.ts';
import { type List, readPage } from '../../platform/database/lists/read-pages.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import { deliveryColumns, type WebhookDelivery } from './webhook-delivery.ts';
import { endpointColumns, type WebhookEndpoint } from './webhook-endpoint.ts';

type Dependencies = { database: Database; clock: Clock };
type ByCreation = OrderInput<'CREATED_AT'> | null | undefined;

const newestFirst = { field: 'CREATED_AT', direction: 'DESC' } as const;
const orderByCreation = (column: Fragment, orderBy: ByCreation) =>
  chooseOrder({ CREATED_AT: [{ column, type: 'time', field: 'createdAt' }] }, orderBy, newestFirst);

/** Lists the webhook endpoints of an organization, newest first. */
export function listWebhookEndpoints(
  { organizationId, orderBy }: { organizationId: string; orderBy?: ByCreation },
  request: PageRequest,
  { database, clock }: Dependencies,
): Promise<Page<WebhookEndpoint>> {
  const condition = fragment`e.organization_id = ${organizationId}`;
  const list: List = {
    name: 'webhook endpoints',
    table: fragment`webhook_endpoints e`,
    alias: fragment`e`,
    condition,
    order: orderByCreation(fragment`e.created_at`, orderBy),
    id: { column: fragment`e.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from webhook_endpoints e where ${condition})`,
  };
  return readPage<WebhookEndpoint>(list, { columns: endpointColumns(clock()) }, request, database);
}

type ListDeliveriesInput = {
  organizationId: string;
  endpointId: string;
  state?: WebhookDelivery['state'] | null | undefined;
  orderBy?: ByCreation;
};

/** Lists the deliveries to an endpoint, newest first. */
export async function listWebhookDeliveries(
  { organizationId, endpointId, state, orderBy }: ListDeliveriesInput,
  request: PageRequest,
  { database }: Dependencies,
): Promise<Page<WebhookDelivery>> {
  const [endpoint] = await database.sql`
    select id from webhook_endpoints where id = ${endpointId} and organization_id = ${organizationId}`;
  if (!endpoint) throw notFound('Webhook endpoint');
  const condition = fragment`d.endpoint_id = ${endpointId} and d.organization_id = ${organizationId}
    ${state == null ? fragment`` : fragment`and d.state = ${state}::webhook_delivery_state`}`;
  const list: List = {
    name: 'webhook deliveries',
    table: fragment`webhook_deliveries d`,
    alias: fragment`d`,
    condition,
    order: orderByCreation(fragment`d.created_at`, orderBy),
    id: { column: fragment`d.id`, type: 'text', field: 'id' },
    total: fragment`(select count(*)::int from webhook_deliveries d where ${condition})`,
  };
  return readPage<WebhookDelivery>(list, { columns: deliveryColumns }, request, database);
}
