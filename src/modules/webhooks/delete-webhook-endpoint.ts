import { fragment } from '../../platform/database/sql.ts';
import { changeRow, type Writer } from '../audit/record-change.ts';

/** Deletes an endpoint with its deliveries. The result of a try in progress is not stored. */
export async function deleteWebhookEndpoint(
  { endpointId }: { endpointId: string },
  writer: Writer,
): Promise<void> {
  const { organizationId } = writer.actor;
  await changeRow<{ id: string }>(writer, 'Webhook endpoint', () => ({
    statement: fragment`
      delete from webhook_endpoints where id = ${endpointId} and organization_id = ${organizationId}
      returning id, url`,
    entry: {
      action: 'delete-webhook-endpoint',
      targetType: 'WebhookEndpoint',
      targetId: endpointId,
      changes: fragment`jsonb_build_object('host', substring(url from '^[a-z]+://([^/?#]+)'))`,
    },
    answer: fragment`select id from changed`,
  }));
}
