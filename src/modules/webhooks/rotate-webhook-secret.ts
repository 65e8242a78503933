import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { endpointColumns, type WebhookEndpoint } from './webhook-endpoint.ts';
import { newWebhookSecret } from './webhook-secret.ts';
import type { WebhookServices } from './webhook-services.ts';

const hourMs = 3_600_000;

/** Makes a new secret. For some hours the previous one signs as well. */
export async function rotateWebhookSecret(
  { endpointId, overlapHours }: { endpointId: string; overlapHours: number },
  { webhooks, ...writer }: Writer & { webhooks: WebhookServices },
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const { organizationId } = writer.actor;
  const newSecret = newWebhookSecret();
  const encrypted = await webhooks.cipher.encrypt(newSecret);
  return change(writer, async (tx, record, at) => {
    const until = overlapHours === 0 ? null : new Date(at.getTime() + overlapHours * hourMs);
    const [endpoint] = await tx.sql<WebhookEndpoint>`
      with e as (
        update webhook_endpoints set encrypted_secret = ${encrypted}, updated_at = ${at}, previous_secret_until = ${until}::timestamptz,
          encrypted_previous_secret = case when ${until}::timestamptz is not null then encrypted_secret end
        where id = ${endpointId} and organization_id = ${organizationId} returning *)
      select ${endpointColumns(at)} from e`;
    if (!endpoint) throw notFound('Webhook endpoint');
    record({
      action: 'rotate-webhook-secret',
      targetType: 'WebhookEndpoint',
      targetId: endpointId,
      changes: { overlapHours },
    });
    return { endpoint, secret: newSecret };
  });
}
