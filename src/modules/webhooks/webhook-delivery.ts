import type {
  WebhookDeliveryState,
  WebhookEncoding,
} from '../../platform/database/generated/client.ts';
import { fragment } from '../../platform/database/sql.ts';
import type { EventData } from '../events/event.ts';
import type { EventType } from '../events/event-types.ts';

export type WebhookDelivery = {
  id: string;
  endpointId: string;
  eventId: string;
  /** Null for a test. */
  eventType: EventType | null;
  state: WebhookDeliveryState;
  tries: number;
  nextTryAt: string | null;
  lastStatus: number | null;
  lastError: string | null;
  lastAnswer: string | null;
  lastTriedAt: string | null;
  createdAt: string;
  endedAt: string | null;
  organizationId: string;
  eventAt: string;
  data: EventData;
  encoding: WebhookEncoding;
};

/** What `webhook_deliveries.event_type` has for a test, which is no type of the feed. */
export const testType = 'WEBHOOK_TEST';

/** The columns of `webhook_deliveries d`. */
export const deliveryColumns = fragment`
  d.id, d.endpoint_id as "endpointId", d.event_id as "eventId", nullif(d.event_type, ${testType}) as "eventType",
  d.state, d.tries, case when d.state = 'PENDING' then d.next_try_at end as "nextTryAt",
  d.last_status as "lastStatus", d.last_error as "lastError", d.last_answer as "lastAnswer", d.last_tried_at as "lastTriedAt",
  d.created_at as "createdAt", d.ended_at as "endedAt", d.organization_id as "organizationId", d.event_at as "eventAt", d.data,
  (select e.encoding from webhook_endpoints e where e.id = d.endpoint_id) as encoding`;
