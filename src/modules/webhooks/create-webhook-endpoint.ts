import type { WebhookEncoding } from '../../platform/database/generated/client.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { EventType } from '../events/event-types.ts';
import { readFeedEnd } from '../events/read-feed.ts';
import { requireWebhookUrl } from './require-webhook-url.ts';
import { endpointColumns, type WebhookEndpoint } from './webhook-endpoint.ts';
import { newWebhookSecret } from './webhook-secret.ts';
import type { WebhookServices } from './webhook-services.ts';

type CreateEndpointInput = {
  url: string;
  description?: string | null | undefined;
  types?: readonly EventType[] | null | undefined;
  encoding?: WebhookEncoding | null | undefined;
};

// The work of each event grows with the number of endpoints.
const endpointsMax = 20;

/** Creates an endpoint. It gets the events that are committed from now on. */
export async function createWebhookEndpoint(
  { url, description, types, encoding }: CreateEndpointInput,
  { webhooks, ...writer }: Writer & { webhooks: WebhookServices },
): Promise<{ endpoint: WebhookEndpoint; secret: string }> {
  const { organizationId } = writer.actor;
  const host = requireWebhookUrl(url, webhooks.allowLoopback);
  const newSecret = newWebhookSecret();
  const encrypted = await webhooks.cipher.encrypt(newSecret);
  const { cursor, horizon } = await readFeedEnd(writer.database);
  return change(writer, async (tx, record, at) => {
    const id = newId(at.getTime());
    // The lock lets two requests count one after the other.
    const [organization] = await tx.sql<{ endpoints: number }>`
      select (select count(*)::int from webhook_endpoints where organization_id = o.id) as endpoints
      from organizations o where o.id = ${organizationId} for no key update`;
    if ((organization?.endpoints ?? 0) >= endpointsMax)
      throw new AppError(
        'QUOTA_EXCEEDED',
        `An organization can have ${endpointsMax} webhook endpoints; delete one that is no longer needed`,
        'TOO_MANY_WEBHOOKS',
      );
    const [endpoint] = await tx.sql<WebhookEndpoint>`
      with e as (
        insert into webhook_endpoints (id, organization_id, url, description, types, encoding, encrypted_secret, cursor, next_transaction, created_at, updated_at)
        values (${id}, ${organizationId}, ${url}, ${description ?? ''}, ${[...new Set(types)]}, ${encoding ?? 'STANDARD'}::webhook_encoding,
          ${encrypted}, ${cursor}, ${horizon}::bigint, ${at}, ${at}) returning *)
      select ${endpointColumns(at)} from e`;
    if (!endpoint) throw new Error('The endpoint was not inserted');
    record({
      action: 'create-webhook-endpoint',
      targetType: 'WebhookEndpoint',
      targetId: id,
      changes: { host, types: endpoint.types, encoding: endpoint.encoding },
    });
    return { endpoint, secret: newSecret };
  });
}
