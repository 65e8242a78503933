import type {
  WebhookDisabledReason,
  WebhookEncoding,
  WebhookEndpointState,
} from '../../platform/database/generated/client.ts';
import { type Fragment, fragment } from '../../platform/database/sql.ts';
import type { EventType } from '../events/event-types.ts';

export type WebhookEndpoint = {
  id: string;
  url: string;
  description: string;
  /** An empty list means all types. */
  types: EventType[];
  encoding: WebhookEncoding;
  state: WebhookEndpointState;
  disabledReason: WebhookDisabledReason | null;
  encryptedSecret: string;
  /** The time until which the previous secret also signs. */
  previousSecretUntil: string | null;
  isReplaying: boolean;
  createdAt: string;
  updatedAt: string;
};

/** The columns of `webhook_endpoints e` at a moment. */
export const endpointColumns = (at: Date): Fragment => fragment`
  e.id, e.url, e.description, e.types, e.encoding, e.state, e.disabled_reason as "disabledReason", e.encrypted_secret as "encryptedSecret",
  case when e.previous_secret_until > ${at} then e.previous_secret_until end as "previousSecretUntil",
  exists (select from webhook_replays r where r.endpoint_id = e.id) as "isReplaying",
  e.created_at as "createdAt", e.updated_at as "updatedAt"`;
