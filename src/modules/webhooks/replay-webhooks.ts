import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { requirePeriod } from '../../platform/require-period.ts';
import { change, type Writer } from '../audit/record-change.ts';
import { liftPause } from './lift-pause.ts';
import { requireEnabledEndpoint } from './require-enabled-endpoint.ts';
import type { WebhookEndpoint } from './webhook-endpoint.ts';

type ReplayInput = {
  endpointId: string;
  from: Date;
  until?: Date | null | undefined;
  onlyFailed?: boolean | null | undefined;
};

/**
 * Sends the events of a period again, or only those that could not be delivered. Background work
 * queues them, however many there are.
 */
export function replayWebhooks(
  { endpointId, from, until, onlyFailed }: ReplayInput,
  writer: Writer,
): Promise<WebhookEndpoint> {
  const { organizationId } = writer.actor;
  return change(writer, async (tx, record, at) => {
    const end = until ?? at;
    requirePeriod({ from, until: end });
    const endpoint = await requireEnabledEndpoint({ organizationId, endpointId, at }, tx);
    if (endpoint.isReplaying)
      throw new AppError(
        'CONFLICT',
        'Another replay of this endpoint is in progress',
        'REPLAY_IN_PROGRESS',
      );
    liftPause(endpointId, tx);
    tx.enqueue`
      insert into webhook_replays (id, endpoint_id, organization_id, from_at, until_at, only_failed, created_at)
      values (${newId(at.getTime())}, ${endpointId}, ${organizationId}, ${from}, ${end}, ${onlyFailed ?? false}, ${at})`;
    record({
      action: 'replay-webhooks',
      targetType: 'WebhookEndpoint',
      targetId: endpointId,
      changes: {
        from: from.toISOString(),
        until: end.toISOString(),
        onlyFailed: onlyFailed ?? false,
      },
    });
    return { ...endpoint, isReplaying: true };
  });
}
