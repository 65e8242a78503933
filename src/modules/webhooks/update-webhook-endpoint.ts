import type { WebhookEncoding } from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import { notFound } from '../../platform/errors.ts';
import { change, type Writer } from '../audit/record-change.ts';
import type { EventType } from '../events/event-types.ts';
import { readFeedEnd } from '../events/read-feed.ts';
import { requireWebhookUrl } from './require-webhook-url.ts';
import { endpointColumns, type WebhookEndpoint } from './webhook-endpoint.ts';
import type { WebhookServices } from './webhook-services.ts';

type UpdateEndpointInput = {
  endpointId: string;
  url?: string | null | undefined;
  description?: string | null | undefined;
  types?: readonly EventType[] | null | undefined;
  encoding?: WebhookEncoding | null | undefined;
  isActive?: boolean | null | undefined;
};

/**
 * Changes an endpoint. One that is activated gets the events from now on; a replay sends those of
 * the time in between.
 */
export async function updateWebhookEndpoint(
  { endpointId, isActive, ...input }: UpdateEndpointInput,
  { webhooks, ...writer }: Writer & { webhooks: WebhookServices },
): Promise<WebhookEndpoint> {
  const { organizationId } = writer.actor;
  if (input.url != null) requireWebhookUrl(input.url, webhooks.allowLoopback);
  const { cursor, horizon } = await readFeedEnd(writer.database);
  return change(writer, async (tx, record, at) => {
    const [before] = await tx.sql<WebhookEndpoint>`
      select ${endpointColumns(at)} from webhook_endpoints e
      where e.id = ${endpointId} and e.organization_id = ${organizationId} for update`;
    if (!before) throw notFound('Webhook endpoint');
    const url = input.url ?? before.url;
    const description = input.description ?? before.description;
    const types = [...new Set(input.types ?? before.types)];
    const encoding = input.encoding ?? before.encoding;
    const isActivated = isActive === true && before.state === 'DISABLED';
    const isDisabled = isActive === false && before.state !== 'DISABLED';
    const changed = [
      ...(url === before.url ? [] : ['url']),
      ...(description === before.description ? [] : ['description']),
      ...(String(types) === String(before.types) ? [] : ['types']),
      ...(encoding === before.encoding ? [] : ['encoding']),
      ...(isActivated || isDisabled ? ['isActive'] : []),
    ];
    if (changed.length === 0) return before;
    const state = isActivated
      ? fragment`, state = 'ACTIVE', disabled_reason = null, failing_since = null, paused_until = null, cursor = ${cursor}, next_transaction = ${horizon}::bigint`
      : isDisabled
        ? fragment`, state = 'DISABLED', disabled_reason = 'REQUESTED'`
        : fragment``;
    if (isDisabled) tx.enqueue`delete from webhook_replays where endpoint_id = ${endpointId}`;
    const [endpoint] = await tx.sql<WebhookEndpoint>`
      with e as (
        update webhook_endpoints set url = ${url}, description = ${description}, types = ${types}, encoding = ${encoding}::webhook_encoding,
          updated_at = ${at} ${state}
        where id = ${endpointId} returning *)
      select ${endpointColumns(at)} from e`;
    if (!endpoint) throw notFound('Webhook endpoint');
    record({
      action: 'update-webhook-endpoint',
      targetType: 'WebhookEndpoint',
      targetId: endpointId,
      changes: {
        changed,
        host: new URL(url).host,
        ...(isActivated || isDisabled ? { isActive: isActivated } : {}),
      },
    });
    return endpoint;
  });
}
