import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { notFound } from '../../platform/errors.ts';
import { deliveryColumns, type WebhookDelivery } from './webhook-delivery.ts';
import { endpointColumns, type WebhookEndpoint } from './webhook-endpoint.ts';

type Input = { organizationId: string; ids: readonly string[] };

/**
 * Reads webhook endpoints in the order of the ids; null for one that does not exist or belongs to
 * another organization.
 */
export async function readWebhookEndpoints(
  { organizationId, ids }: Input,
  { database, clock }: { database: Database; clock: Clock },
): Promise<(WebhookEndpoint | null)[]> {
  const rows = await database.sql<WebhookEndpoint>`
    select ${endpointColumns(clock())} from webhook_endpoints e
    where e.id = any(${ids}) and e.organization_id = ${organizationId}`;
  const endpoints = new Map(rows.map((endpoint) => [endpoint.id, endpoint]));
  return ids.map((id) => endpoints.get(id) ?? null);
}

/** Reads one webhook endpoint. */
export async function readWebhookEndpoint(
  { organizationId, endpointId }: { organizationId: string; endpointId: string },
  dependencies: { database: Database; clock: Clock },
): Promise<WebhookEndpoint> {
  const [endpoint] = await readWebhookEndpoints(
    { organizationId, ids: [endpointId] },
    dependencies,
  );
  if (!endpoint) throw notFound('Webhook endpoint');
  return endpoint;
}

/**
 * Reads deliveries in the order of the ids; null for one that does not exist or belongs to another
 * organization.
 */
export async function readWebhookDeliveries(
  { organizationId, ids }: Input,
  { database }: { database: Database },
): Promise<(WebhookDelivery | null)[]> {
  const rows = await database.sql<WebhookDelivery>`
    select ${deliveryColumns} from webhook_deliveries d
    where d.id = any(${ids}) and d.organization_id = ${organizationId}`;
  const deliveries = new Map(rows.map((delivery) => [delivery.id, delivery]));
  return ids.map((id) => deliveries.get(id) ?? null);
}
