import type { Transaction } from '../../platform/database/open-transaction.ts';
import { AppError, notFound } from '../../platform/errors.ts';
import { endpointColumns, type WebhookEndpoint } from './webhook-endpoint.ts';

/** Locks an endpoint of the organization that is not disabled. */
export async function requireEnabledEndpoint(
  { organizationId, endpointId, at }: { organizationId: string; endpointId: string; at: Date },
  { sql }: Pick<Transaction, 'sql'>,
): Promise<WebhookEndpoint> {
  const [endpoint] = await sql<WebhookEndpoint>`
    select ${endpointColumns(at)} from webhook_endpoints e
    where e.id = ${endpointId} and e.organization_id = ${organizationId} for update`;
  if (!endpoint) throw notFound('Webhook endpoint');
  if (endpoint.state === 'DISABLED')
    throw new AppError(
      'CONFLICT',
      'The webhook endpoint is disabled: correct the receiver, and set isActive to true',
      'WEBHOOK_DISABLED',
    );
  return endpoint;
}
