import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import type {
  WebhookDisabledReason,
  WebhookEndpointState,
} from '../../../platform/database/generated/client.ts';
import type { Transaction } from '../../../platform/database/open-transaction.ts';
import { inTransaction } from '../../../platform/database/transaction.ts';
import { newId } from '../../../platform/ids.ts';
import { recordChange } from '../../audit/record-change.ts';
import { systemActor } from '../../audit/system-actor.ts';
import { notificationStatement, toAdministrators } from '../../notifications/notify.ts';
import { testType } from '../webhook-delivery.ts';
import { type ClaimedDelivery, triesMax } from './claim-deliveries.ts';
import type { TryOutcome } from './try-delivery.ts';

type OutcomeDependencies = { database: Database; clock: Clock };

const firstDelayMs = 10_000;
// With nine delays: 10 s, 34 s, 2 min, 7 min, 22 min, 76 min, 4 h, 15 h, 50 h; together about three
// days.
const delayFactor = 3.4;
const failingAfterMs = 300_000;

/** The time until the next try, 10 % shorter or longer by chance. */
export const backOffMs = (tries: number): number =>
  firstDelayMs * delayFactor ** (tries - 1) * (0.9 + Math.random() * 0.2);

/**
 * Stores what a try has shown, and changes the state of the endpoint if it must. Stores nothing if
 * another process has claimed the delivery since.
 */
export async function recordOutcome(
  delivery: ClaimedDelivery,
  outcome: TryOutcome,
  { database, clock }: OutcomeDependencies,
): Promise<void> {
  const at = clock();
  if (outcome.error === null && !delivery.isFailing)
    await storeSuccess(delivery, outcome, at, database);
  else
    await inTransaction(database, (tx) =>
      outcome.error === null ? recover(delivery, outcome, at, tx) : fail(delivery, outcome, at, tx),
    );
}

const storeSuccess = (
  { id, holder }: ClaimedDelivery,
  { status, answer }: TryOutcome,
  at: Date,
  { sql }: Pick<Transaction, 'sql'>,
) => sql<{ id: string }>`
  update webhook_deliveries
  set state = 'DELIVERED', ended_at = ${at}, last_tried_at = ${at}, last_status = ${status}, last_error = null, last_answer = ${answer}, lease_holder = null, lease_until = null
  where id = ${id} and lease_holder = ${holder} and state = 'PENDING' returning id`;

type EndpointRow = { state: WebhookEndpointState; failingSince: string | null; url: string };

async function lockEndpoint(
  { endpointId }: ClaimedDelivery,
  { sql }: Pick<Transaction, 'sql'>,
): Promise<EndpointRow | undefined> {
  const [endpoint] = await sql<EndpointRow>`
    select state, failing_since as "failingSince", url from webhook_endpoints where id = ${endpointId} for no key update`;
  return endpoint;
}

/** The first success after failures. */
async function recover(
  delivery: ClaimedDelivery,
  outcome: TryOutcome,
  at: Date,
  tx: Transaction,
): Promise<void> {
  const endpoint = await lockEndpoint(delivery, tx);
  const [stored] = await storeSuccess(delivery, outcome, at, tx);
  if (!endpoint || !stored) return;
  tx.enqueue`update webhook_endpoints set failing_since = null where id = ${delivery.endpointId}`;
  if (endpoint.state === 'FAILING')
    changeState(tx, delivery, { state: 'ACTIVE', reason: null }, at);
}

async function fail(
  delivery: ClaimedDelivery,
  { status, error, answer, retryAfterMs = 0 }: TryOutcome,
  at: Date,
  tx: Transaction,
): Promise<void> {
  const { id, holder, endpointId, tries, eventType } = delivery;
  const endpoint = await lockEndpoint(delivery, tx);
  const isTest = eventType === testType;
  // The endpoint has another URL since the try began, and what the old one answers says nothing of it.
  const isMoved = endpoint !== undefined && endpoint.url !== delivery.url;
  const isGone = status === 410 && !isMoved;
  const isLast = isTest || isGone || (tries >= triesMax && !isMoved);
  const delayMs = isMoved ? 0 : Math.max(backOffMs(tries), retryAfterMs);
  const nextTryAt = new Date(at.getTime() + delayMs);
  const [stored] = await tx.sql<{ firstFailedAt: string | null }>`
    update webhook_deliveries
    set state = case when ${isLast} then 'FAILED' else 'PENDING' end::webhook_delivery_state, ended_at = case when ${isLast} then ${at}::timestamptz end,
      next_try_at = ${nextTryAt}, last_tried_at = ${at}, last_status = ${status}, last_error = ${error}, last_answer = ${answer},
      first_failed_at = case when not ${isMoved} then coalesce(first_failed_at, ${at}) end, tries = case when ${isMoved} then 0 else tries end, lease_holder = null, lease_until = null
    where id = ${id} and lease_holder = ${holder} and state = 'PENDING'
    returning first_failed_at as "firstFailedAt"`;
  if (!endpoint || !stored || isMoved || endpoint.state === 'DISABLED') return;
  if (isGone) return changeState(tx, delivery, { state: 'DISABLED', reason: 'GONE' }, at);
  if (isTest) return;
  const failingSince = new Date(endpoint.failingSince ?? at);
  const pausedUntil =
    retryAfterMs > 0 && (status === 429 || status === 503)
      ? new Date(at.getTime() + retryAfterMs)
      : null;
  tx.enqueue`
    update webhook_endpoints set failing_since = coalesce(failing_since, ${at}), paused_until = coalesce(${pausedUntil}::timestamptz, paused_until)
    where id = ${endpointId}`;
  // Nothing was delivered since the first try of this delivery.
  if (isLast && failingSince <= new Date(stored.firstFailedAt ?? at))
    changeState(tx, delivery, { state: 'DISABLED', reason: 'UNREACHABLE' }, at);
  else if (endpoint.state === 'ACTIVE' && at.getTime() - failingSince.getTime() >= failingAfterMs)
    changeState(tx, delivery, { state: 'FAILING', reason: null }, at);
}

type StateChange = { state: WebhookEndpointState; reason: WebhookDisabledReason | null };

/**
 * Stores the new state, with the notifications of the administrators. The mail about the change is
 * sent later, also if this process ends after the commit.
 */
function changeState(
  tx: Transaction,
  { endpointId, organizationId }: ClaimedDelivery,
  { state, reason }: StateChange,
  at: Date,
): void {
  tx.enqueue`
    update webhook_endpoints set state = ${state}::webhook_endpoint_state, disabled_reason = ${reason}::webhook_disabled_reason, updated_at = ${at}
    where id = ${endpointId}`;
  tx.enqueue`
    insert into webhook_notices (id, endpoint_id, organization_id, state, reason, at)
    values (${newId(at.getTime())}, ${endpointId}, ${organizationId}, ${state}::webhook_endpoint_state, ${reason}::webhook_disabled_reason, ${at})`;
  if (state === 'ACTIVE') return;
  tx.enqueue`${notificationStatement({ kind: 'WEBHOOK_FAILED', recipients: toAdministrators(organizationId, endpointId), at })}`;
  if (state === 'FAILING') return;
  tx.enqueue`delete from webhook_replays where endpoint_id = ${endpointId}`;
  recordChange(tx, systemActor(organizationId), at, {
    action: 'disable-webhook-endpoint',
    targetType: 'WebhookEndpoint',
    targetId: endpointId,
    changes: { reason },
  });
}
