import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { liftPause } from './lift-pause.ts';
import { requireEnabledEndpoint } from './require-enabled-endpoint.ts';
import { deliveryColumns, testType, type WebhookDelivery } from './webhook-delivery.ts';

/** Sends an event of the type `webhook.test` to an endpoint, whatever types it gets. */
export function sendTestWebhook(
  { endpointId }: { endpointId: string },
  writer: Writer,
): Promise<WebhookDelivery> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    await requireEnabledEndpoint({ organizationId, endpointId, at }, tx);
    liftPause(endpointId, tx);
    const id = newId(at.getTime());
    const data = {
      resourceType: 'WebhookEndpoint',
      resourceId: endpointId,
      references: [],
      changedFields: [],
    };
    const [delivery] = await tx.sql<WebhookDelivery>`
      with d as (
        insert into webhook_deliveries (id, endpoint_id, organization_id, event_id, event_type, event_at, resource_key, data, next_try_at, created_at)
        values (${id}, ${endpointId}, ${organizationId}, ${newId(at.getTime())}, ${testType}, ${at}, ${id}, ${JSON.stringify(data)}::jsonb, ${at}, ${at})
        returning *)
      select ${deliveryColumns} from d`;
    if (!delivery) throw new Error('The delivery was not inserted');
    record({
      action: 'send-test-webhook',
      targetType: 'WebhookEndpoint',
      targetId: endpointId,
      changes: {},
    });
    return delivery;
  });
}
