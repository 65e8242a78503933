import type { Transaction } from '../../platform/database/open-transaction.ts';

/**
 * Lets deliveries go to an endpoint whose receiver has asked for a pause with `Retry-After`: who asks
 * for a try now knows better than the receiver did then.
 */
export function liftPause(endpointId: string, tx: Pick<Transaction, 'enqueue'>): void {
  tx.enqueue`update webhook_endpoints set paused_until = null where id = ${endpointId} and paused_until is not null`;
}
