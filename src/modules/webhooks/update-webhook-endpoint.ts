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
 * the time in between. What the receiver at an old URL has failed says nothing about a new one, so
 * what waits gets all its tries, the first one now.
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
    const isMoved = url !== before.url;
    const description = input.description ?? before.description;
    // The order of the types means nothing.
    const sentTypes = new Set(input.types ?? before.types);
    const types = isSame(sentTypes, before.types) ? before.types : [...sentTypes];
    const encoding = input.encoding ?? before.encoding;
    const isActivated = isActive === true && before.state === 'DISABLED';
    const isDisabled = isActive === false && before.state !== 'DISABLED';
    const changed = [
      ...(isMoved ? ['url'] : []),
      ...(description === before.description ? [] : ['description']),
      ...(types === before.types ? [] : ['types']),
      ...(encoding === before.encoding ? [] : ['encoding']),
      ...(isActivated || isDisabled ? ['isActive'] : []),
    ];
    if (changed.length === 0) return before;
    const state = isActivated
      ? fragment`, state = 'ACTIVE', disabled_reason = null, failing_since = null, paused_until = null, cursor = ${cursor}, next_transaction = ${horizon}::bigint`
      : isDisabled
        ? fragment`, state = 'DISABLED', disabled_reason = 'REQUESTED'`
        : isMoved
          ? fragment`, state = case state when 'FAILING' then 'ACTIVE' else state end, failing_since = null, paused_until = null`
          : fragment``;
    if (isMoved)
      tx.enqueue`
        update webhook_deliveries set tries = 0, first_failed_at = null, next_try_at = ${at}
        where endpoint_id = ${endpointId} and state = 'PENDING' and tries > 0 and (lease_until is null or lease_until < clock_timestamp())`;
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

const isSame = (types: ReadonlySet<EventType>, others: readonly EventType[]): boolean =>
  types.size === others.length && others.every((type) => types.has(type));
