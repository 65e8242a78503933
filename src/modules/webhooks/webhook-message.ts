import { publicNameOf } from '../events/event-types.ts';
import type { ClaimedDelivery } from './delivering/claim-deliveries.ts';
import { testType } from './webhook-delivery.ts';

/** The body that a receiver gets, and its type. */
export function messageOf({
  eventId: id,
  eventType,
  eventAt,
  organizationId,
  data: { resourceType, resourceId, references, changedFields },
  encoding,
}: Pick<
  ClaimedDelivery,
  'eventId' | 'eventType' | 'eventAt' | 'organizationId' | 'data' | 'encoding'
>): { contentType: string; body: string } {
  const type = eventType === testType ? 'webhook.test' : publicNameOf(eventType);
  const data = { resourceType, resourceId, references, changedFields };
  return encoding === 'CLOUD_EVENTS'
    ? {
        contentType: 'application/cloudevents+json',
        body: JSON.stringify({
          ...{ specversion: '1.0', id, source: `/organizations/${organizationId}`, type },
          ...{ subject: resourceId, time: eventAt, datacontenttype: 'application/json', data },
        }),
      }
    : {
        contentType: 'application/json',
        body: JSON.stringify({ id, type, timestamp: eventAt, data }),
      };
}
