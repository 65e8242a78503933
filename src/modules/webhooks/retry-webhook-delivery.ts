import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { liftPause } from './lift-pause.ts';
import { requireEnabledEndpoint } from './require-enabled-endpoint.ts';
import { deliveryColumns, type WebhookDelivery } from './webhook-delivery.ts';

/**
 * Sends an event again. A delivery that has ended gets all its tries again; one that waits for its
 * next try gets it now.
 */
export function retryWebhookDelivery(
  { deliveryId }: { deliveryId: string },
  writer: Writer,
): Promise<WebhookDelivery> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    const [found] = await tx.sql<{ endpointId: string }>`
      select endpoint_id as "endpointId" from webhook_deliveries
      where id = ${deliveryId} and organization_id = ${organizationId}`;
    if (!found) throw notFound('Webhook delivery');
    const { endpointId } = found;
    await requireEnabledEndpoint({ organizationId, endpointId, at }, tx);
    liftPause(endpointId, tx);
    const [delivery] = await tx.sql<WebhookDelivery>`
      with d as (
        update webhook_deliveries set state = 'PENDING', ended_at = null, next_try_at = ${at},
          tries = case when state = 'PENDING' then tries else 0 end,
          first_failed_at = case when state = 'PENDING' then first_failed_at end,
          sequence = case when state = 'PENDING' then sequence else nextval('webhook_deliveries_sequence_seq') end
        where id = ${deliveryId} returning *)
      select ${deliveryColumns} from d`;
    if (!delivery) throw notFound('Webhook delivery');
    record({
      action: 'retry-webhook-delivery',
      targetType: 'WebhookEndpoint',
      targetId: endpointId,
      changes: { eventId: delivery.eventId },
    });
    return delivery;
  });
}
